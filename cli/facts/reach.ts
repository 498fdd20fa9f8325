/**
 * Follows what a handler runs: the functions and constants that it names, in its file and in the
 * files of the project that it imports. Syntax alone decides, so that no code runs.
 */
import type { TypeScript } from "../project/sources/module_names.ts";
import { type Declaration, Names, type Origin } from "./names.ts";
import { unwrap } from "../project/sources/functions.ts";
import type ts from "npm:typescript@6.0.3";

export interface ReachedCall {
  readonly file: string;
  readonly node: ts.CallExpression;
  /** The last part of the name that is called: `json` of `c.json`, `limit` of `limit`. */
  readonly name: string;
  readonly isMethod: boolean;
}

export interface ReachedAccess {
  readonly file: string;
  readonly node: ts.PropertyAccessExpression;
}

interface Content {
  readonly next: readonly Declaration[];
  readonly calls: readonly ReachedCall[];
  readonly accesses: readonly ReachedAccess[];
}

export class Reach extends Names {
  readonly #contents = new Map<ts.Node, Content>();
  readonly #targets = new Map<ts.Node, Origin | "none">();
  readonly #mutations = new Mutations(this);

  /** Returns a declaration and everything that it names, itself first. */
  from(start: Declaration): readonly Declaration[] {
    const found = new Map<ts.Node, Declaration>([[start.node, start]]);
    for (const declaration of found.values()) {
      for (const next of this.#contentOf(declaration).next) {
        if (!found.has(next.node)) found.set(next.node, next);
      }
    }
    return [...found.values()];
  }

  calls(declarations: readonly Declaration[]): readonly ReachedCall[] {
    return declarations.flatMap((declaration) => this.#contentOf(declaration).calls);
  }

  accesses(declarations: readonly Declaration[]): readonly ReachedAccess[] {
    return declarations.flatMap((declaration) => this.#contentOf(declaration).accesses);
  }

  /** Reports whether a call may be of a function: by its name, or by what it was imported as. */
  isCallOf({ file, node, name }: ReachedCall, of: Pick<Declaration, "name" | "node">): boolean {
    if (name === of.name) return true;
    const origin = this.#targets.getOrInsertComputed(
      node,
      () => this.originOf(file, node.expression) ?? "none",
    );
    return origin !== "none" && origin.kind === "declaration" &&
      origin.declaration.node === of.node;
  }

  #contentOf(declaration: Declaration): Content {
    const known = this.#contents.get(declaration.node);
    if (known !== undefined) return known;
    const { file, node } = declaration;
    const { ts } = this.sources;
    const next: Declaration[] = [];
    const calls: ReachedCall[] = [];
    const accesses: ReachedAccess[] = [];
    const add = (found: Declaration | undefined): void => {
      if (found !== undefined && found.node !== node) next.push(found);
    };
    const visit = (at: ts.Node): void => {
      if (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at)) return;
      if (ts.isCallExpression(at)) calls.push(...callOf(ts, file, at));
      if (ts.isPropertyAccessExpression(at)) {
        accesses.push({ file, node: at });
        add(methodOf(this, file, at));
      }
      for (const each of this.#named(file, at)) add(each);
      ts.forEachChild(at, visit);
    };
    // A member of `Actions` is an expression, which counts itself.
    if (ts.isExpression(node)) visit(node);
    else ts.forEachChild(node, visit);
    if (ts.isBindingElement(node)) visit(node.parent.parent);
    if (ts.isVariableDeclaration(node)) this.#mutations.of(node).forEach(add);
    const content = { next, calls, accesses };
    this.#contents.set(node, content);
    return content;
  }

  #named(file: string, at: ts.Node): readonly Declaration[] {
    const { ts } = this.sources;
    const isName = ts.isIdentifier(at) && isReference(ts, at);
    const isImport = ts.isCallExpression(at) && at.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isMember = ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at);
    if (!isName && !isImport && !isMember) return [];
    const origin = this.originOf(file, at);
    if (origin?.kind === "declaration") return [origin.declaration];
    const isRead = isName && this.originOf(file, at.parent) !== undefined;
    if (origin?.kind !== "module" || isRead) return [];
    // A namespace that is handed on as a whole.
    return this.allOf(origin.file);
  }
}

function callOf(parser: TypeScript, file: string, node: ts.CallExpression): ReachedCall[] {
  const callee = node.expression;
  if (parser.isIdentifier(callee)) return [{ file, node, name: callee.text, isMethod: false }];
  if (!parser.isPropertyAccessExpression(callee)) return [];
  return [{ file, node, name: callee.name.text, isMethod: true }];
}

/** Reports whether an identifier stands for a value, and is not a name of a member or a declaration. */
export function isReference(parser: TypeScript, node: ts.Identifier): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (parser.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (parser.isPropertyAssignment(parent)) return parent.initializer === node;
  if (parser.isShorthandPropertyAssignment(parent)) return true;
  if (parser.isVariableDeclaration(parent) || parser.isParameter(parent)) {
    return parent.initializer === node;
  }
  if (parser.isBindingElement(parent)) return parent.initializer === node;
  return !parser.isMethodDeclaration(parent) && !parser.isPropertyDeclaration(parent) &&
    !parser.isJsxAttribute(parent) && !parser.isFunctionDeclaration(parent);
}

/** Returns the member of a class that an expression reads; `undefined` if the syntax does not tell. */
function methodOf(
  reach: Names,
  file: string,
  { expression, name }: ts.PropertyAccessExpression,
): Declaration | undefined {
  const { ts } = reach.sources;
  const at = unwrap(ts, expression);
  if (at.kind === ts.SyntaxKind.ThisKeyword) {
    const owner = classAround(ts, at);
    return owner && memberOf(ts, { file, name: name.text, node: owner });
  }
  const call = ts.isIdentifier(at) ? initializerNear(ts, at) : at;
  const key = call && providedKey(reach, file, call);
  const provided = key && classOfKey(reach, key);
  return provided && memberOf(ts, { ...provided, name: name.text });
}

function providedKey(
  reach: Names,
  file: string,
  expression: ts.Expression,
): Declaration | undefined {
  const { ts } = reach.sources;
  if (!ts.isCallExpression(expression) || !ts.isIdentifier(expression.expression)) return undefined;
  const [, key] = expression.arguments;
  if (key === undefined || !ts.isIdentifier(key)) return undefined;
  const isUse = reach.isFramework(file, expression.expression.text, { as: "use" });
  return isUse ? reach.local(file, key.text) : undefined;
}

function classOfKey(reach: Names, { file, node }: Declaration): Declaration | undefined {
  const { ts } = reach.sources;
  const made = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (made === undefined || !ts.isCallExpression(made) || !ts.isIdentifier(made.expression)) {
    return undefined;
  }
  if (!reach.isFramework(file, made.expression.text, { as: "key" })) return undefined;
  const [type] = made.typeArguments ?? [];
  // `key<Desk | undefined>` is of a value that may be missing.
  const types = type !== undefined && ts.isUnionTypeNode(type) ? type.types : [type];
  for (const each of types) {
    if (each === undefined || !ts.isTypeReferenceNode(each)) continue;
    const found = ts.isIdentifier(each.typeName)
      ? reach.local(file, each.typeName.text)
      : undefined;
    if (found !== undefined && ts.isClassDeclaration(found.node)) return found;
  }
  return undefined;
}

function memberOf(parser: TypeScript, { file, name, node }: Declaration): Declaration | undefined {
  if (!parser.isClassLike(node)) return undefined;
  for (const member of node.members) {
    const own = member.name;
    if (own === undefined || parser.isComputedPropertyName(own)) continue;
    if (own.getText() === name) return { file, name, node: member };
  }
  return undefined;
}

function classAround(parser: TypeScript, node: ts.Node): ts.Node | undefined {
  for (let at: ts.Node = node; at.parent !== undefined; at = at.parent) {
    if (parser.isClassLike(at)) return at;
  }
  return undefined;
}

function initializerNear(parser: TypeScript, name: ts.Identifier): ts.Expression | undefined {
  for (let at: ts.Node = name; at.parent !== undefined; at = at.parent) {
    if (!parser.isBlock(at)) continue;
    for (const statement of at.statements) {
      if (!parser.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find((each) =>
        parser.isIdentifier(each.name) && each.name.text === name.text
      );
      if (found?.initializer !== undefined) return unwrap(parser, found.initializer);
    }
  }
  return undefined;
}

const changing =
  /^(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;

/**
 * Finds what changes the values of a project's constants and variables: assignments and calls at the top level of any
 * file, and in functions what changes a list, a set, a map or an object that is written out.
 */
class Mutations {
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
