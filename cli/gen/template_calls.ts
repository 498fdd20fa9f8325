/**
 * Finds the calls of `@fw/fw/tmpl` in the sources of a project, and what their arguments say.
 *
 * @module
 */
import { join } from "@std/path";
import type ts from "npm:typescript@6.0.3";
import { readTextSync } from "../project/files/look.ts";
import type { TypeScript } from "../project/sources/exports.ts";
import { resolveSpecifier, type Sources } from "../project/sources/sources.ts";

const packageName = "@fw/fw/tmpl";

/** A call of a function of the package. */
export interface TemplateCall {
  /** The function: `must`, `parse`, `node`, `text`, `wrap`. */
  readonly name: string;
  readonly call: ts.CallExpression;
  readonly file: ts.SourceFile;
}

/** The sources of a set as its call names them. */
export interface SetSources {
  /** The folder, relative to the project, or the texts by name. */
  readonly source: string | Readonly<Record<string, string>>;
  readonly patterns: readonly string[];
  /** The files of texts that are imported, relative to the project. */
  readonly files: ReadonlyMap<string, string>;
  readonly delimiters?: { readonly left: string; readonly right: string };
  readonly functions?: Readonly<Record<string, number>>;
}

/** Finds all calls of the package in a file. */
export function templateCalls(ts: TypeScript, file: ts.SourceFile): readonly TemplateCall[] {
  const found: TemplateCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = calledName(ts, file, node.expression);
      if (name !== undefined) found.push({ name, call: node, file });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the function of the package that an expression names; also through a namespace. */
function calledName(
  ts: TypeScript,
  file: ts.SourceFile,
  expression: ts.Expression,
): string | undefined {
  const isMember = ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression);
  const root = isMember ? expression.expression : expression;
  if (!ts.isIdentifier(root)) return undefined;
  const imported = importOf(ts, file, root.text);
  if (imported?.specifier !== packageName || isMember !== (imported.name === "*")) return undefined;
  return isMember ? expression.name.text : imported.name;
}

/** Reads the sources of a call of `must` or `parse`; `undefined` if the code does not determine them. */
export function sourcesOfSet(
  { ts }: Sources,
  { name, call, file }: TemplateCall,
  root: string,
): SetSources | undefined {
  const [first, ...rest] = call.arguments;
  if (first === undefined) return undefined;
  const last = rest.at(-1);
  const options = last !== undefined && !ts.isStringLiteralLike(last) ? last : undefined;
  const own = options === undefined ? {} : readOptions(ts, options);
  if (own === undefined) return undefined;
  const common = { ...own, patterns: [], files: new Map<string, string>() };
  if (name === "parse") {
    const title = options && propertyOf(ts, options, "name");
    if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
    return ts.isStringLiteralLike(first)
      ? { ...common, source: { [title.text]: first.text } }
      : undefined;
  }
  if (ts.isObjectLiteralExpression(first)) {
    const record = readRecord(ts, { file, root }, first);
    return record && { ...common, ...record };
  }
  const folder = folderOf(ts, file, first);
  const patterns = rest.flatMap((arg) => ts.isStringLiteralLike(arg) ? [arg.text] : []);
  return folder === undefined ? undefined : { ...common, source: folder, patterns };
}

/** Reads delimiters and functions; `undefined` if the delimiters are not literals. */
function readOptions(
  ts: TypeScript,
  options: ts.Expression,
): Pick<SetSources, "delimiters" | "functions"> | undefined {
  if (!ts.isObjectLiteralExpression(options) || options.properties.some(ts.isSpreadAssignment)) {
    return undefined;
  }
  const delimiters = propertyOf(ts, options, "delimiters");
  const funcs = propertyOf(ts, options, "funcs");
  const functions = funcs === undefined ? {} : readFunctions(ts, funcs);
  const found = functions === undefined ? {} : { functions };
  if (delimiters === undefined) return found;
  const left = propertyOf(ts, delimiters, "left");
  const right = propertyOf(ts, delimiters, "right");
  const isLiteral = left && right && ts.isStringLiteralLike(left) && ts.isStringLiteralLike(right);
  return isLiteral ? { ...found, delimiters: { left: left.text, right: right.text } } : undefined;
}

/** Reads the functions of an app with their number of parameters. */
function readFunctions(
  ts: TypeScript,
  funcs: ts.Expression,
): Readonly<Record<string, number>> | undefined {
  if (!ts.isObjectLiteralExpression(funcs)) return undefined;
  const found: Record<string, number> = {};
  for (const property of funcs.properties) {
    if (property.name === undefined || ts.isComputedPropertyName(property.name)) return undefined;
    const name = property.name.text;
    const value = ts.isPropertyAssignment(property) ? property.initializer : property;
    const params = ts.isObjectLiteralExpression(value) && propertyOf(ts, value, "params");
    found[name] = params && ts.isArrayLiteralExpression(params)
      ? params.elements.length
      : ts.isFunctionLike(value)
      ? requiredParameters(value)
      : 0;
  }
  return found;
}

/** Returns what `length` of a function is: the parameters before the first default or rest. */
function requiredParameters({ parameters }: ts.SignatureDeclaration): number {
  const end = parameters.findIndex((each) => each.initializer ?? each.dotDotDotToken);
  return end < 0 ? parameters.length : end;
}

/** Returns the value of a property of an object literal. */
function propertyOf(
  ts: TypeScript,
  object: ts.Expression,
  name: string,
): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  for (const property of object.properties) {
    const isNamed = property.name !== undefined && "text" in property.name &&
      property.name.text === name;
    if (isNamed && ts.isPropertyAssignment(property)) return property.initializer;
  }
  return undefined;
}

function readRecord(
  ts: TypeScript,
  { file, root }: { readonly file: ts.SourceFile; readonly root: string },
  record: ts.ObjectLiteralExpression,
): Pick<SetSources, "source" | "files"> | undefined {
  const source: Record<string, string> = {};
  const files = new Map<string, string>();
  for (const property of record.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isStringLiteralLike(property.name)) {
      return undefined;
    }
    const { initializer, name } = property;
    if (ts.isStringLiteralLike(initializer)) {
      source[name.text] = initializer.text;
      continue;
    }
    const imported = ts.isIdentifier(initializer)
      ? importOf(ts, file, initializer.text)
      : undefined;
    const path = imported === undefined ? undefined : pathOf(file.fileName, imported.specifier);
    const text = path === undefined ? undefined : readTextSync(join(root, path));
    if (path === undefined || text === undefined) return undefined;
    source[name.text] = text;
    files.set(name.text, path);
  }
  return { source, files };
}

/** Returns the folder of `must("views")` and of `must(new URL("../views/", import.meta.url))`. */
function folderOf(ts: TypeScript, file: ts.SourceFile, arg: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(arg)) return arg.text.replace(/^\.\//, "").replace(/\/$/, "");
  if (!ts.isNewExpression(arg) || arg.expression.getText(file) !== "URL") return undefined;
  const [path, base] = arg.arguments ?? [];
  if (path === undefined || !ts.isStringLiteralLike(path)) return undefined;
  if (base?.getText(file) !== "import.meta.url") return undefined;
  const relative = /^\.\.?\//.test(path.text) ? path.text : `./${path.text}`;
  return resolveSpecifier(file.fileName, relative)?.replace(/\/$/, "");
}

/** Returns where a name of a file is imported from; `*` is the name of a namespace. */
function importOf(
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
    if (bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) {
      if (bindings.name.text === name) return { specifier, name: "*" };
      continue;
    }
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
function pathOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith("@/") ? specifier.slice(2) : resolveSpecifier(from, specifier);
}
