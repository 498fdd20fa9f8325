/** Names the schemas and types of a file as the generated file can: by the module that exports them. */
import type ts from "npm:typescript@6.0.3";
import { resolveSpecifier, type Source, type Sources } from "../project/sources/sources.ts";

export function schemaType(
  { ts }: Sources,
  source: Source,
  argument: ts.Expression | undefined,
): string | undefined {
  const members: string[] = [];
  let at = argument;
  for (; at !== undefined && ts.isPropertyAccessExpression(at); at = at.expression) {
    members.unshift(at.name.text);
  }
  if (at === undefined || !ts.isIdentifier(at) || isOwnName(ts, at)) return undefined;
  const value = valueNamed(source, at.text);
  if (value === undefined) return undefined;
  const path = [...(value.name === "*" ? [] : [value.name]), ...members];
  return path.length === 0 ? undefined : `typeof ${importType(value.module)}.${path.join(".")}`;
}

/** Reports whether a function around an identifier declares its name, so that the file's is not meant. */
function isOwnName(parser: Sources["ts"], identifier: ts.Identifier): boolean {
  let around: ts.Node = identifier;
  while (!parser.isSourceFile(around.parent) && !parser.isVariableStatement(around.parent)) {
    around = around.parent;
  }
  const declares = (node: ts.Node): boolean =>
    ((parser.isParameter(node) || parser.isVariableDeclaration(node) ||
      parser.isBindingElement(node) || parser.isFunctionDeclaration(node)) &&
      node !== around && node.name !== undefined &&
      parser.isIdentifier(node.name) && node.name.text === identifier.text) ||
    parser.forEachChild(node, declares) === true;
  return declares(around);
}

function valueNamed(
  { path, exports }: Source,
  local: string,
): { readonly module: string; readonly name: string } | undefined {
  const exported = exports.names.get(local);
  if (exported !== undefined && exported.from === undefined) {
    return { module: specifierOf(path), name: local };
  }
  const imported = exports.imported.get(local);
  if (imported === undefined) return undefined;
  const from = resolveSpecifier(path, imported.specifier);
  return {
    module: from === undefined ? imported.specifier : specifierOf(from),
    name: imported.name,
  };
}

export function namedType(sources: Sources, source: Source, name: string): string | undefined {
  const imported = source.exports.imported.get(name);
  const path = imported ? resolveSpecifier(source.path, imported.specifier) : source.path;
  // Whether a name of a package is a schema or a type, its declaration alone tells.
  const other = path === undefined ? undefined : sources.read(path);
  if (path === undefined || other === undefined) return undefined;
  const own = imported?.name ?? name;
  const text = `${importType(specifierOf(path))}.${own}`;
  const { names, types } = other.exports;
  const value = names.get(own)?.node;
  const type = types.get(own)?.node ?? (value && sources.ts.isClassDeclaration(value) && value);
  // A type that needs arguments has no text.
  const isGeneric = (type as { readonly typeParameters?: unknown } | undefined)?.typeParameters;
  if (type && isGeneric === undefined) return text;
  return value !== undefined && sources.ts.isVariableDeclaration(value)
    ? `typeof ${text}`
    : undefined;
}

/** A specifier is a URL: a percent sign in a file name must not be read as an escape. */
export function specifierOf(path: string): string {
  return `./${path.replaceAll("%", "%25")}`;
}

export function importType(module: string): string {
  return `import(${JSON.stringify(module)})`;
}
