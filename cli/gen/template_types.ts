/**
 * Reads the members of a type from its syntax alone: interfaces and type literals of the project's
 * files.
 *
 * @module
 */
import type ts from "typescript";
import type { TypeScript } from "../project/sources/exports.ts";
import { resolveSpecifier, type Sources } from "../project/sources/sources.ts";

/** A type with known members: their types by name, `undefined` for one that is not understood. */
export interface KnownType {
  /** The name, for messages. */
  readonly name: string;
  readonly members: ReadonlyMap<string, TypePlace | undefined>;
}

/** A type as written, and its file. */
export interface TypePlace {
  readonly file: ts.SourceFile;
  readonly node: ts.TypeNode | ts.ObjectLiteralExpression;
}

export interface TypeReader {
  readonly ts: TypeScript;
  /** Returns a file of the project; `undefined` if it does not exist. */
  readonly file: (path: string) => ts.SourceFile | undefined;
}

/** Returns a reader of the project's sources. */
export function createTypeReader({ ts, read }: Sources): TypeReader {
  return { ts, file: (path) => read(path)?.tree };
}

/** The result of following a path of members. */
export type Followed =
  /** The path ends in something known or not understood. */
  | { readonly kind: "fine" }
  /** A type on the way has no member of this name. */
  | { readonly kind: "missing"; readonly type: KnownType; readonly name: string };

/** Follows a path, in which `[]` stands for each element of a list. */
export function followMembers(
  reader: TypeReader,
  place: TypePlace,
  path: readonly string[],
): Followed {
  let at: TypePlace | undefined = place;
  for (const name of path) {
    if (at === undefined) return { kind: "fine" };
    if (name === "[]") {
      at = elementOf(reader, at);
      continue;
    }
    const type = knownType(reader, at, 0);
    if (type === undefined) return { kind: "fine" };
    if (!type.members.has(name)) return { kind: "missing", type, name };
    at = type.members.get(name);
  }
  return { kind: "fine" };
}

/** The maximum number of aliases from one type to the next. */
const maxDepth = 20;

function knownType(reader: TypeReader, place: TypePlace, depth: number): KnownType | undefined {
  const { ts } = reader;
  const { file } = place;
  const node = plainNode(ts, place.node);
  if (node === undefined || depth > maxDepth) return undefined;
  if (ts.isObjectLiteralExpression(node)) return literalType(ts, file, node);
  if (ts.isTypeLiteralNode(node)) return membersOf(ts, file, { name: "the data", node });
  if (!ts.isTypeReferenceNode(node) || !ts.isIdentifier(node.typeName)) return undefined;
  const name = node.typeName.text;
  if (name === "Readonly" && node.typeArguments?.[0] !== undefined) {
    return knownType(reader, { file, node: node.typeArguments[0] }, depth + 1);
  }
  const found = declarationOf(reader, file, name);
  if (found === undefined) return undefined;
  if (ts.isTypeAliasDeclaration(found.node)) {
    const type = knownType(reader, { file: found.file, node: found.node.type }, depth + 1);
    return type === undefined ? undefined : { ...type, name };
  }
  const own = membersOf(ts, found.file, { name, node: found.node });
  if (own === undefined) return undefined;
  const members = new Map(own.members);
  for (const { types } of found.node.heritageClauses ?? []) {
    for (const base of types) {
      if (!ts.isIdentifier(base.expression)) return undefined;
      const reference = ts.factory.createTypeReferenceNode(base.expression.text);
      const inherited = knownType(reader, { file: found.file, node: reference }, depth + 1);
      if (inherited === undefined) return undefined;
      for (const [member, type] of inherited.members) members.set(member, type);
    }
  }
  return { name, members };
}

/** Returns the type without parentheses, `readonly`, `null` and `undefined`. */
function plainNode(ts: TypeScript, node: TypePlace["node"]): TypePlace["node"] | undefined {
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isParenthesizedTypeNode(node)) return plainNode(ts, node.type);
  if (ts.isTypeOperatorNode(node)) return plainNode(ts, node.type);
  if (!ts.isUnionTypeNode(node)) return node;
  const real = node.types.filter((type) =>
    type.kind !== ts.SyntaxKind.UndefinedKeyword &&
    !(ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword)
  );
  const [only] = real;
  return real.length === 1 && only !== undefined ? plainNode(ts, only) : undefined;
}

function literalType(
  ts: TypeScript,
  file: ts.SourceFile,
  node: ts.ObjectLiteralExpression,
): KnownType | undefined {
  const members = new Map<string, TypePlace | undefined>();
  for (const property of node.properties) {
    // What is spread or computed may have any name.
    if (property.name === undefined || ts.isComputedPropertyName(property.name)) return undefined;
    const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
    const isObject = value !== undefined && ts.isObjectLiteralExpression(value);
    members.set(nameText(property.name), isObject ? { file, node: value } : undefined);
  }
  return { name: "the data", members };
}

function nameText(name: ts.PropertyName): string {
  return "text" in name ? name.text : name.getText();
}

function membersOf(
  ts: TypeScript,
  file: ts.SourceFile,
  { name, node }: {
    readonly name: string;
    readonly node: ts.InterfaceDeclaration | ts.TypeLiteralNode;
  },
): KnownType | undefined {
  const members = new Map<string, TypePlace | undefined>();
  for (const member of node.members) {
    // An index signature allows every name.
    if (member.name === undefined || ts.isComputedPropertyName(member.name)) return undefined;
    const type = ts.isPropertySignature(member) ? member.type : undefined;
    members.set(nameText(member.name), type === undefined ? undefined : { file, node: type });
  }
  return { name, members };
}

function elementOf({ ts }: TypeReader, { file, node }: TypePlace): TypePlace | undefined {
  const plain = plainNode(ts, node);
  if (plain === undefined || ts.isObjectLiteralExpression(plain)) return undefined;
  if (ts.isArrayTypeNode(plain)) return { file, node: plain.elementType };
  if (!ts.isTypeReferenceNode(plain) || !ts.isIdentifier(plain.typeName)) return undefined;
  const [element] = plain.typeArguments ?? [];
  const isList = ["Array", "ReadonlyArray", "Iterable", "Set", "ReadonlySet"]
    .includes(plain.typeName.text);
  return isList && element !== undefined ? { file, node: element } : undefined;
}

interface Declaration {
  readonly file: ts.SourceFile;
  readonly node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
}

function declarationOf(
  { ts, file: read }: TypeReader,
  file: ts.SourceFile,
  name: string,
): Declaration | undefined {
  for (const statement of file.statements) {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    if (isType && statement.name.text === name) {
      return statement.typeParameters === undefined ? { file, node: statement } : undefined;
    }
  }
  const imported = importOf(ts, file, name);
  const path = imported === undefined ? undefined : pathOf(file.fileName, imported.specifier);
  const other = path === undefined ? undefined : read(path);
  if (other === undefined || imported === undefined || other === file) return undefined;
  return declarationOf({ ts, file: read }, other, imported.name);
}

/** Returns where a name of a file is imported from. */
export function importOf(
  ts: TypeScript,
  file: ts.SourceFile,
  name: string,
): { readonly specifier: string; readonly name: string } | undefined {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const { importClause, moduleSpecifier } = statement;
    if (!ts.isStringLiteral(moduleSpecifier)) continue;
    const specifier = moduleSpecifier.text;
    if (importClause?.name?.text === name) return { specifier, name: "default" };
    const bindings = importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const element = bindings.elements.find((each) => each.name.text === name);
    if (element !== undefined) {
      return { specifier, name: (element.propertyName ?? element.name).text };
    }
  }
  return undefined;
}

/**
 * Resolves a specifier to a file of the project: relative, or with `@/` for the project's folder.
 */
export function pathOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith("@/") ? specifier.slice(2) : resolveSpecifier(from, specifier);
}
