/**
 * Finds `maxSizeBytes` rules above the route's body limit. Such a file is refused with the body
 * before its rule is checked.
 */
import ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { nodePlace, walk, writtenName, writtenText } from "../project/sources/syntax.ts";
import { writtenNumber } from "../project/sources/written_values.ts";
import type { Declaration } from "../project/sources/names.ts";
import type { Operations } from "./operations.ts";
import { protectionOf } from "./protection.ts";

interface FileLimit {
  readonly field: string;
  readonly maxSizeBytes: number;
  readonly place: Place;
}

/** @param maxBytes The limit of a body that no `allowBody` raises. */
export function findFileLimits(
  operations: Operations,
  maxBytes: number,
): (FileLimit & { readonly pattern: string })[] {
  return operations.list.flatMap((operation) => {
    const { isWrite, handler, route: { pattern } } = operation;
    const limits = isWrite && handler !== undefined ? readLimits(handler, operations) : [];
    if (limits.length === 0) return [];
    // `allowBody` raises the limit to this value; one known only at run time counts as no limit.
    const { allowedBytes = 0 } = protectionOf(operation, operations, { maxBodyBytes: 0 });
    const most = typeof allowedBytes === "number" ? Math.max(allowedBytes, maxBytes) : Infinity;
    return limits.filter((each) => each.maxSizeBytes > most).map((each) => ({ ...each, pattern }));
  });
}

function readLimits(handler: Declaration, { reach }: Operations): FileLimit[] {
  const found: FileLimit[] = [];
  for (const { file, node } of reach.from(handler).declarations) {
    walk(node, (at) => {
      if (!ts.isPropertyAssignment(at) || at.name.getText() !== "maxSizeBytes") return;
      const maxSizeBytes = writtenNumber(at.initializer, { names: reach, file });
      const field = fieldOf(at.parent);
      if (maxSizeBytes === undefined || !Number.isFinite(maxSizeBytes) || field === undefined) {
        return;
      }
      found.push({ field, maxSizeBytes, place: nodePlace(at) });
    });
  }
  return found;
}

function fieldOf(rules: ts.ObjectLiteralExpression): string | undefined {
  let { parent } = rules as ts.Node;
  while (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) parent = parent.parent;
  if (ts.isPropertyAssignment(parent)) return writtenName(parent.name);
  if (ts.isVariableDeclaration(parent)) {
    return ts.isIdentifier(parent.name) ? parent.name.text : undefined;
  }
  return ts.isCallExpression(parent) ? writtenText(parent.arguments[0]) : undefined;
}
