/**
 * Finds `maxSizeBytes` rules above the route's body limit. Such a file is refused with the body
 * before its rule is checked.
 */
import ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import { nodePlace, walk, writtenName, writtenText } from "../project/sources/syntax.ts";
import { writtenNumber } from "../project/sources/written_values.ts";
import type { Declaration } from "../project/sources/names.ts";
import type { Operations } from "./operations.ts";
import { protectionOf } from "./protection.ts";

export interface FileLimit {
  readonly field: string;
  readonly maxSizeBytes: number;
  readonly place: Place;
}

export function findFileLimits(operations: Operations): ReadonlyMap<Route, readonly FileLimit[]> {
  const found = new Map<Route, FileLimit[]>();
  for (const operation of operations.list) {
    const { isWrite, handler, route } = operation;
    const limits = isWrite && handler !== undefined ? readLimits(handler, operations) : [];
    if (limits.length === 0) continue;
    // `allowBody` raises the limit to this value; one known only at run time counts as no limit.
    const { allowedBytes = 0 } = protectionOf(operation, operations, { maxBodyBytes: 0 });
    const most = typeof allowedBytes === "number" ? allowedBytes : Infinity;
    const above = limits.filter(({ maxSizeBytes }) => maxSizeBytes > most);
    if (above.length > 0) found.getOrInsertComputed(route, () => []).push(...above);
  }
  return found;
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
