/**
 * Finds the method behind `use(c, Desk).open(c)`: the key declares the class of what `Setup` provides. Inside
 * a class, `this.open` is a method of it.
 */
import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../project/sources/exports.ts";
import { frameworkEntry } from "../project/sources/imports.ts";
import { unwrap } from "../project/sources/functions.ts";
import type { Declaration, Names } from "./names.ts";

/** Returns the member of a class that an expression reads; `undefined` if the syntax does not tell. */
export function methodOf(
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

/** Returns the key of `use(c, Key)`. */
function providedKey(
  reach: Names,
  file: string,
  expression: ts.Expression,
): Declaration | undefined {
  const { ts } = reach.sources;
  if (!ts.isCallExpression(expression) || !ts.isIdentifier(expression.expression)) return undefined;
  const [, key] = expression.arguments;
  if (key === undefined || !ts.isIdentifier(key)) return undefined;
  const used = reach.packageName(file, expression.expression.text);
  return used?.name === "use" && frameworkEntry(used.specifier) === ""
    ? reach.local(file, key.text)
    : undefined;
}

/** Returns the class that `key<Desk>("desk")` names. */
function classOfKey(reach: Names, { file, node }: Declaration): Declaration | undefined {
  const { ts } = reach.sources;
  const made = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (made === undefined || !ts.isCallExpression(made) || !ts.isIdentifier(made.expression)) {
    return undefined;
  }
  const maker = reach.packageName(file, made.expression.text);
  if (maker?.name !== "key" || frameworkEntry(maker.specifier) !== "") return undefined;
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

/** Returns the method, the getter or the property of a class. */
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

/** Returns the initial value of a constant that a block around a name declares. */
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
