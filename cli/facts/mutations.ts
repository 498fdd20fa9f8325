import type ts from "npm:typescript@6.0.3";
import { unwrap } from "../project/sources/functions.ts";
import type { Declaration, Names } from "./names.ts";

const changing =
  /^(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;

/**
 * Finds what changes the values of a project's constants and variables: assignments and calls at the top level of any
 * file, and in functions what changes a list, a set, a map or an object that is written out.
 */
export class Mutations {
  readonly #names: Names;
  #found: Map<ts.Node, Declaration[]> | undefined;

  constructor(names: Names) {
    this.#names = names;
  }

  of(node: ts.Node): readonly Declaration[] {
    this.#found ??= this.#read();
    return this.#found.get(node) ?? [];
  }

  #read(): Map<ts.Node, Declaration[]> {
    const { sources } = this.#names;
    const { ts } = sources;
    const found = new Map<ts.Node, Declaration[]>();
    for (const file of sources.list()) {
      const visit = (node: ts.Node, isTop = true): void => {
        const target = this.#changedBy(node, isTop);
        const declared = target && this.#declared(file, target);
        if (declared !== undefined && (isTop || isWritten(ts, declared.node))) {
          const known = found.get(declared.node) ?? [];
          found.set(declared.node, [...known, { file, name: "", node }]);
        }
        ts.forEachChild(node, (child) => visit(child, isTop && !ts.isFunctionLike(child)));
      };
      const tree = sources.read(file)?.tree;
      if (tree !== undefined) visit(tree);
    }
    return found;
  }

  #changedBy(node: ts.Node, isTop: boolean): ts.Expression | undefined {
    const { ts } = this.#names.sources;
    const { SyntaxKind: Kind } = ts;
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isAssigned = kind >= Kind.FirstAssignment && kind <= Kind.LastAssignment;
      return isAssigned ? node.left : undefined;
    }
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const isCount = node.operator === Kind.PlusPlusToken ||
        node.operator === Kind.MinusMinusToken;
      return isCount ? node.operand : undefined;
    }
    if (ts.isDeleteExpression(node)) return node.expression;
    if (!ts.isCallExpression(node)) return undefined;
    const { expression: callee, arguments: [first] } = node;
    if (/^(?:Object\.(?:assign|define\w+|setPrototypeOf)|Reflect\.\w+)$/.test(callee.getText())) {
      return first;
    }
    const isMethod = ts.isPropertyAccessExpression(callee) &&
      (changing.test(callee.name.text) || (isTop && ts.isExpressionStatement(node.parent)));
    return isMethod ? callee.expression : undefined;
  }

  /** Returns the declaration in which an expression such as `rights.editor` begins. */
  #declared(file: string, expression: ts.Expression): Declaration | undefined {
    const { ts } = this.#names.sources;
    for (let at = unwrap(ts, expression);; at = unwrap(ts, at.expression)) {
      const origin = this.#names.originOf(file, at);
      if (origin?.kind === "declaration") return origin.declaration;
      if (!ts.isPropertyAccessExpression(at) && !ts.isElementAccessExpression(at)) return undefined;
    }
  }
}

/** Reports whether a variable is a list, an object, a set or a map that is written out, or can be set anew. */
function isWritten(parser: typeof ts, node: ts.Node): boolean {
  if (!parser.isVariableDeclaration(node)) return false;
  const value = node.initializer && unwrap(parser, node.initializer);
  return value === undefined || parser.isObjectLiteralExpression(value) ||
    parser.isArrayLiteralExpression(value) || parser.isLiteralExpression(value) ||
    (parser.isNewExpression(value) && /^(?:Array|Map|Set)$/.test(value.expression.getText())) ||
    !(node.parent.flags & parser.NodeFlags.Const);
}
