/**
 * The members of a type, by its syntax alone: interfaces and type literals of the project's own files.
 *
 * @module
 */
import { join } from "@std/path";
import type ts from "typescript";
import { resolveSpecifier } from "../project/sources/sources.ts";
import type { TypeScript } from "../project/sources/exports.ts";

/** A type whose members are known: their types by name, `undefined` for one that is not understood. */
export interface KnownType {
  /** What it is called, for messages. */
  readonly name: string;
  /** The types of the members. */
  readonly members: ReadonlyMap<string, TypePlace | undefined>;
}

/** A type as it is written, and the file in which it is. */
export interface TypePlace {
  readonly file: ts.SourceFile;
  readonly node: ts.TypeNode | ts.ObjectLiteralExpression;
}

/** Reads types out of the files of a project. */
export interface TypeReader {
  readonly ts: TypeScript;
  /** Reads a file of the project; `undefined` where there is none. */
  readonly file: (path: string) => ts.SourceFile | undefined;
}

/** Makes the reader of a project. */
export function createTypeReader(ts: TypeScript, root: string): TypeReader {
  const files = new Map<string, ts.SourceFile | undefined>();
  const setParentNodes = true;
  const read = (path: string): ts.SourceFile | undefined => {
    try {
      const text = Deno.readTextFileSync(join(root, path));
      return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, setParentNodes);
    } catch {
      return undefined;
    }
  };
  const file = (path: string): ts.SourceFile | undefined => {
    if (!files.has(path)) files.set(path, read(path));
    return files.get(path);
  };
  return { ts, file };
}

/** Follows the path of members through a type. */
export type Followed =
  /** The path ends in what is known or not understood. */
  | { readonly kind: "fine" }
  /** A type on the way has no member of the name. */
  | { readonly kind: "missing"; readonly type: KnownType; readonly name: string };

/** Follows a path, in which `[]` is each element of a list. */
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

/** How many names lead from one type to the next. */
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

/** The type without parentheses, `readonly`, and what stands for nothing. */
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

/** Where a name of a file is imported from. */
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

/** The file that a specifier names: relative, or `@/` for the project's folder. */
export function pathOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith("@/") ? specifier.slice(2) : resolveSpecifier(from, specifier);
}
