/** Names schemas for the generated file, by the module that exports them. */
import ts from "npm:typescript@6.0.3";
import { resolveSpecifier, type Source } from "../project/sources/sources.ts";
import { containsNode } from "../project/sources/syntax.ts";

export function schemaType(
  source: Source,
  argument: ts.Expression | undefined,
): string | undefined {
  const members: string[] = [];
  let at = argument;
  for (; at !== undefined && ts.isPropertyAccessExpression(at); at = at.expression) {
    members.unshift(at.name.text);
  }
  if (at === undefined || !ts.isIdentifier(at) || isOwnName(at)) return undefined;
  const { path, exports: { names, imported } } = source;
  const exported = names.get(at.text);
  const isExported = exported !== undefined && exported.from === undefined;
  const origin = isExported ? { specifier: "", name: at.text } : imported.get(at.text);
  if (origin === undefined) return undefined;
  const from = isExported ? path : resolveSpecifier(path, origin.specifier);
  const module = from === undefined ? origin.specifier : specifierOf(from);
  const name = [...(origin.name === "*" ? [] : [origin.name]), ...members].join(".");
  return name === "" ? undefined : `typeof ${importType(module)}.${name}`;
}

/** Reports whether an enclosing function declares the name, which hides the file's. */
function isOwnName(identifier: ts.Identifier): boolean {
  let around: ts.Node = identifier;
  while (!ts.isSourceFile(around.parent) && !ts.isVariableStatement(around.parent)) {
    around = around.parent;
  }
  return containsNode(around, (node) =>
    (ts.isParameter(node) || ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) || ts.isFunctionDeclaration(node)) &&
    node !== around && node.name !== undefined &&
    ts.isIdentifier(node.name) && node.name.text === identifier.text);
}

/** Returns the specifier, a URL, in which a percent sign of a file name is escaped. */
export function specifierOf(path: string): string {
  return `./${path.replaceAll("%", "%25")}`;
}

export function importType(module: string): string {
  return `import(${JSON.stringify(module)})`;
}
