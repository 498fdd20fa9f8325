/**
 * Follows the code of a handler: the functions and constants that it names, in its file and in the
 * project's files that it imports. It reads only the syntax, so no code runs.
 */
import ts from "npm:typescript@6.0.3";
import { initialValue, isAssignment, unwrap, walk } from "../project/sources/syntax.ts";
import { type Declaration, Names, type Origin } from "../project/sources/names.ts";

export interface ReachedCall {
  readonly file: string;
  readonly owner: Declaration;
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
  readonly #reached = new Map<ts.Node, Reached>();
  readonly #targets = new Map<ts.Node, Origin | "none">();
  #mutations: Map<ts.Node, Declaration[]> | undefined;

  from(start: Declaration): Reached {
    return this.#reached.getOrInsertComputed(start.node, () => this.fromAll([start]));
  }

  /** Returns declarations and everything that they name, each once. */
  fromAll(starts: readonly Declaration[]): Reached {
    return new Reached(this, this.collect(starts));
  }

  /** Adds declarations and everything that they name to those found before. */
  collect(
    starts: readonly Declaration[],
    found: Map<ts.Node, Declaration> = new Map(),
  ): ReadonlyMap<ts.Node, Declaration> {
    const open = starts.filter(({ node }) => !found.has(node));
    for (const each of open) found.set(each.node, each);
    // The loop also visits the declarations that it adds.
    for (const each of open) {
      for (const next of this.contentOf(each).next) {
        if (found.has(next.node)) continue;
        found.set(next.node, next);
        open.push(next);
      }
    }
    return found;
  }

  /** Reports whether a call may be of a function, by its name or its import. */
  isCallOf({ file, node, name }: ReachedCall, of: Pick<Declaration, "name" | "node">): boolean {
    if (name === of.name) return true;
    const origin = this.#targets.getOrInsertComputed(
      node,
      () => this.originOf(file, node.expression) ?? "none",
    );
    return origin !== "none" && origin.kind === "declaration" &&
      origin.declaration.node === of.node;
  }

  /** Returns the call of an `@fw/fw` function that creates a constant, such as `key<Desk>()`. */
  frameworkCall({ file, node }: Declaration, as: string): ts.CallExpression | undefined {
    const made = ts.isVariableDeclaration(node) ? node.initializer : undefined;
    const isCall = made !== undefined && ts.isCallExpression(made) &&
      this.isFramework(file, made.expression, { as });
    return isCall ? made : undefined;
  }

  contentOf(owner: Declaration): Content {
    const { file, node } = owner;
    return this.#contents.getOrInsertComputed(node, () => {
      const next: Declaration[] = [];
      const calls: ReachedCall[] = [];
      const accesses: ReachedAccess[] = [];
      const add = (found: Declaration | undefined): void => {
        if (found !== undefined && found.node !== node) next.push(found);
      };
      const look = (at: ts.Node): void | false => {
        if (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at)) return false;
        if (ts.isCallExpression(at)) calls.push(...describeCall(owner, at));
        if (ts.isPropertyAccessExpression(at)) {
          accesses.push({ file, node: at });
          add(this.#methodOf(file, at));
        }
        for (const each of this.#named(file, at)) add(each);
      };
      // A member of `Actions` is an expression, so the node itself counts too.
      if (ts.isExpression(node)) walk(node, look);
      else ts.forEachChild(node, (child) => walk(child, look));
      if (ts.isBindingElement(node)) walk(node.parent.parent, look);
      if (ts.isVariableDeclaration(node)) {
        this.#mutations ??= this.#readMutations();
        this.#mutations.get(node)?.forEach(add);
      }
      return { next, calls, accesses };
    });
  }

  #named(file: string, at: ts.Node): readonly Declaration[] {
    const isName = ts.isIdentifier(at) && isReference(at);
    const isImport = ts.isCallExpression(at) && at.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isMember = ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at);
    if (!isName && !isImport && !isMember) return [];
    const origin = this.originOf(file, at);
    if (origin?.kind === "declaration") return [origin.declaration];
    const isRead = isName && (this.originOf(file, at.parent)?.kind ?? "broken") !== "broken";
    if (origin?.kind !== "module" || isRead) return [];
    // The whole namespace is passed on, so every export may be used.
    return this.allOf(origin.file);
  }

  /** Returns the member of a class that an expression reads; `undefined` if the syntax does not tell. */
  #methodOf(
    file: string,
    { expression, name: { text } }: ts.PropertyAccessExpression,
  ): Declaration | undefined {
    const at = unwrap(expression);
    if (at.kind === ts.SyntaxKind.ThisKeyword) {
      const owner = ts.findAncestor(at, ts.isClassLike);
      return owner && memberOf(owner, file, text);
    }
    const call = ts.isIdentifier(at) ? this.constantNear(at)?.node.initializer : at;
    const provided = call && this.#classProvided(file, unwrap(call));
    return provided && memberOf(provided.node, provided.file, text);
  }

  /** Returns the class of the value that `use(c, Desk)` reads, where `Desk` is `key<Desk>()`. */
  #classProvided(file: string, call: ts.Expression): Declaration | undefined {
    if (!ts.isCallExpression(call)) return undefined;
    const [, name] = call.arguments;
    if (name === undefined || !ts.isIdentifier(name)) return undefined;
    if (!this.isFramework(file, call.expression, { as: "use" })) return undefined;
    const key = this.local(file, name.text);
    const [type] = key && this.frameworkCall(key, "key")?.typeArguments || [];
    // `key<Desk | undefined>` is the key of an optional value.
    const types = type !== undefined && ts.isUnionTypeNode(type) ? type.types : [type];
    for (const each of types) {
      if (!key || !each || !ts.isTypeReferenceNode(each) || !ts.isIdentifier(each.typeName)) {
        continue;
      }
      const found = this.local(key.file, each.typeName.text);
      if (found !== undefined && ts.isClassDeclaration(found.node)) return found;
    }
    return undefined;
  }

  /** Finds assignments and calls that change constants at the top level, and literal lists and objects anywhere. */
  #readMutations(): Map<ts.Node, Declaration[]> {
    const found = new Map<ts.Node, Declaration[]>();
    for (const file of this.sources.list()) {
      const visit = (node: ts.Node, isTop = true): void => {
        const target = changedBy(node, isTop);
        const declared = target && this.#ownerOf(file, target);
        if (declared !== undefined && (isTop || isWritten(declared.node))) {
          found.getOrInsertComputed(declared.node, () => []).push({ file, name: "", node });
        }
        ts.forEachChild(node, (child) => visit(child, isTop && !ts.isFunctionLike(child)));
      };
      const tree = this.sources.read(file)?.tree;
      if (tree !== undefined) visit(tree);
    }
    return found;
  }

  #ownerOf(file: string, expression: ts.Expression): Declaration | undefined {
    for (let at = unwrap(expression);; at = unwrap(at.expression)) {
      const origin = this.originOf(file, at);
      if (origin?.kind === "declaration") return origin.declaration;
      if (!ts.isPropertyAccessExpression(at) && !ts.isElementAccessExpression(at)) return undefined;
    }
  }
}

/** Declarations and everything that they name, the first ones first. */
export class Reached {
  readonly reach: Reach;
  readonly #found: ReadonlyMap<ts.Node, Declaration>;
  readonly #callsOf = new Map<ts.Node, readonly ReachedCall[]>();
  #calls: readonly ReachedCall[] | undefined;

  constructor(reach: Reach, found: ReadonlyMap<ts.Node, Declaration>) {
    this.reach = reach;
    this.#found = found;
  }

  get declarations(): readonly Declaration[] {
    return [...this.#found.values()];
  }

  get calls(): readonly ReachedCall[] {
    return this.#calls ??= this.declarations.flatMap((each) => this.reach.contentOf(each).calls);
  }

  get accesses(): readonly ReachedAccess[] {
    return this.declarations.flatMap((each) => this.reach.contentOf(each).accesses);
  }

  /** The calls of methods of a request's context, by its usual names. */
  get onContext(): readonly ReachedCall[] {
    return this.calls.filter(({ node }) =>
      /^(?:c|ctx|context)\.\w+$/.test(node.expression.getText())
    );
  }

  /** Returns the calls that may be of a function. */
  callsOf(of: Pick<Declaration, "name" | "node">): readonly ReachedCall[] {
    return this.#callsOf.getOrInsertComputed(
      of.node,
      () => this.calls.filter((call) => this.reach.isCallOf(call, of)),
    );
  }

  /** Returns the calls that lead to a declaration, through the functions between. */
  callsTo(target: Declaration): readonly ReachedCall[] {
    const owners = new Set([target]);
    // The loop also visits the callers that it adds.
    for (const owner of owners) for (const call of this.callsOf(owner)) owners.add(call.owner);
    return [...owners].flatMap((owner) => this.callsOf(owner));
  }

  ownerOf(node: ts.Node): Declaration | undefined {
    const owner = ts.findAncestor(node, (at) => this.#found.has(at));
    return owner && this.#found.get(owner);
  }
}

function describeCall(owner: Declaration, node: ts.CallExpression): ReachedCall[] {
  const { file } = owner;
  const callee = node.expression;
  if (ts.isIdentifier(callee)) return [{ file, owner, node, name: callee.text, isMethod: false }];
  if (!ts.isPropertyAccessExpression(callee)) return [];
  return [{ file, owner, node, name: callee.name.text, isMethod: true }];
}

/** Reports whether an identifier refers to a value and does not name a member or a declaration. */
export function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (
    ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) || ts.isBindingElement(parent)
  ) return parent.initializer === node;
  return !ts.isMethodDeclaration(parent) && !ts.isPropertyDeclaration(parent) &&
    !ts.isJsxAttribute(parent) && !ts.isFunctionDeclaration(parent);
}

function memberOf(owner: ts.Node, file: string, name: string): Declaration | undefined {
  if (!ts.isClassLike(owner)) return undefined;
  const node = owner.members.find(({ name: own }) =>
    own !== undefined && !ts.isComputedPropertyName(own) && own.getText() === name
  );
  return node && { file, name, node };
}

const changing =
  /^(?:add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;

function changedBy(node: ts.Node, isTop: boolean): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) return isAssignment(node) ? node.left : undefined;
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
    const isCount = node.operator === PlusPlusToken || node.operator === MinusMinusToken;
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

/** Reports whether a variable is a literal list, object, set or map, or can be reassigned. */
function isWritten(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node)) return false;
  const value = initialValue(node);
  return value === undefined || ts.isObjectLiteralExpression(value) ||
    ts.isArrayLiteralExpression(value) || ts.isLiteralExpression(value) ||
    (ts.isNewExpression(value) && /^(?:Array|Map|Set)$/.test(value.expression.getText())) ||
    !(node.parent.flags & ts.NodeFlags.Const);
}
