/**
 * Finds code that refuses clients by itself.
 *
 * @module
 */
import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../sources/exports.ts";
import type { Source } from "../sources/sources.ts";

/** What makes an error of a status, or a response of the context: `new HttpError(401)`, `c.json(401, …)`. */
const makers = /(?:^|\.)(?:HttpError|httpError)$|^(?:c|ctx|context)\.\w+$/;

/** Whether a file makes an error or a response of 401 or 403. */
export function refuses(parser: TypeScript, { text, tree }: Source): boolean {
  if (!/\b40[13]\b/.test(text)) return false;
  const visit = (node: ts.Node): boolean => {
    if (parser.isNewExpression(node) || parser.isCallExpression(node)) {
      const status = node.arguments?.[0];
      const isRefusal = status !== undefined && parser.isNumericLiteral(status) &&
        /^40[13]$/.test(status.text);
      if (isRefusal && makers.test(node.expression.getText())) return true;
    }
    return parser.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(tree);
}
