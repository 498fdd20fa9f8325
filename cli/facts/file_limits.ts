/**
 * Finds rules of files, `maxSizeBytes`, above what `c.allowBody` lets the body of their route hold: such a
 * file is refused with the body, before its rule is read.
 */
import type ts from "npm:typescript@6.0.3";
import { positionOf } from "../project/sources/module_names.ts";
import type { Place } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import type { Declaration } from "./names.ts";
import type { Operation, Operations } from "./operations.ts";
import { protectionOf } from "./protection.ts";
import { numberOf } from "./written_values.ts";

export interface FileLimit {
  readonly field: string;
  readonly maxSizeBytes: number;
  readonly place: Place;
}

export function findFileLimits(
  operations: Operations,
): ReadonlyMap<Route, readonly FileLimit[]> {
  const found = new Map<Route, FileLimit[]>();
  for (const operation of operations.list) {
    if (!operation.isWrite || operation.handler === undefined) continue;
    const limits = readLimits(operation.handler, operations);
    if (limits.length === 0) continue;
    const allowedBytes = allowedBytesOf(operation, operations);
    const above = limits.filter(({ maxSizeBytes }) => maxSizeBytes > allowedBytes);
    if (above.length > 0) {
      found.set(operation.route, [...found.get(operation.route) ?? [], ...above]);
    }
  }
  return found;
}

/** Whatever the setting is, `allowBody` raises the limit to this; what only running code knows, to all. */
function allowedBytesOf(operation: Operation, operations: Operations): number {
  const { allowedBytes = 0 } = protectionOf(operation, operations, { maxBodyBytes: 0 });
  return typeof allowedBytes === "number" ? allowedBytes : Infinity;
}

function readLimits(handler: Declaration, { reach }: Operations): FileLimit[] {
  const { ts } = reach.sources;
  return reach.from(handler).flatMap(({ file, node }) => {
    const found: FileLimit[] = [];
    const visit = (at: ts.Node): void => {
      if (ts.isPropertyAssignment(at) && at.name.getText() === "maxSizeBytes") {
        const maxSizeBytes = numberOf(at.initializer, { reach, file });
        const field = fieldOf(ts, at.parent);
        if (maxSizeBytes !== undefined && Number.isFinite(maxSizeBytes) && field !== undefined) {
          found.push({
            field,
            maxSizeBytes,
            place: { file, ...positionOf(at.getSourceFile(), at) },
          });
        }
      }
      ts.forEachChild(at, visit);
    };
    visit(node);
    return found;
  });
}

function fieldOf(parser: typeof ts, rules: ts.ObjectLiteralExpression): string | undefined {
  let { parent } = rules as ts.Node;
  while (parser.isAsExpression(parent) || parser.isSatisfiesExpression(parent)) {
    parent = parent.parent;
  }
  if (parser.isPropertyAssignment(parent) || parser.isVariableDeclaration(parent)) {
    const { name } = parent;
    return parser.isStringLiteralLike(name) || parser.isIdentifier(name) ? name.text : undefined;
  }
  if (!parser.isCallExpression(parent)) return undefined;
  const [first] = parent.arguments;
  return first !== undefined && parser.isStringLiteralLike(first) ? first.text : undefined;
}
