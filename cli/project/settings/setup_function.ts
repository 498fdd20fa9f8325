/**
 * Finds the functions `Config` and `Setup` of an application.
 *
 * @module
 */
import { appFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type ts from "typescript";
import { readTextIfThere } from "../files/if_there.ts";
import type { TypeScript } from "../sources/exports.ts";
import { resolveSpecifier } from "../sources/store.ts";

/** A function and the file that holds it. */
export interface FoundFunction {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  /** The parsed file; nodes know their parents. */
  readonly source: ts.SourceFile;
  /** The function. */
  readonly node: ts.FunctionLikeDeclaration;
}

/** What was found under the name. */
export type FunctionLookup =
  | { readonly kind: "found"; readonly found: FoundFunction }
  /** Nothing exports the name. */
  | { readonly kind: "missing" }
  /** Something exports it that is no function one can read, in this file. */
  | { readonly kind: "unread"; readonly file: string };

// The text of a node is read from its file, which it finds through its parents.
const setParentNodes = true;

// A name may be passed on from file to file; a circle must end.
const maxFiles = 8;

/**
 * Finds a function that `app/setup.ts` exports, in that file or in one that it passes it on from.
 *
 * @param root The project's folder, absolute.
 * @param options The parser, and the name of the export.
 */
export async function findSetupFunction(
  root: string,
  options: { readonly ts: TypeScript; readonly name: string },
): Promise<FunctionLookup> {
  const { ts } = options;
  let { name } = options;
  let file = `${appFolder}/setup.ts`;
  const how: ts.CreateSourceFileOptions = {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  for (let steps = 0; steps < maxFiles; steps++) {
    const text = await readTextIfThere(join(root, file));
    if (text === undefined) return steps === 0 ? { kind: "missing" } : { kind: "unread", file };
    const source = ts.createSourceFile(file, text, how, setParentNodes);
    const found = findExport({ ts, source, name });
    if (found === undefined) return steps === 0 ? { kind: "missing" } : { kind: "unread", file };
    if (found.kind === "function") {
      return { kind: "found", found: { file, source, node: found.node } };
    }
    if (found.kind === "other") return { kind: "unread", file };
    const next = resolveSpecifier(file, found.specifier);
    if (next === undefined) return { kind: "unread", file };
    [file, name] = [next, found.name];
  }
  return { kind: "unread", file };
}

interface Search {
  readonly ts: TypeScript;
  readonly source: ts.SourceFile;
  readonly name: string;
}

type Found =
  | { readonly kind: "function"; readonly node: ts.FunctionLikeDeclaration }
  | { readonly kind: "elsewhere"; readonly specifier: string; readonly name: string }
  | { readonly kind: "other" }
  | undefined;

function findExport({ ts, source, name }: Search): Found {
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const found = findInList({ ts, source, name }, statement);
      if (found !== undefined) return found;
    } else if (isExported(ts, statement)) {
      const found = findInStatement({ ts, source, name }, statement);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isExported(ts: TypeScript, statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** A function of that name, declared or set to a constant. */
function findInStatement({ ts, name }: Search, statement: ts.Statement): Found {
  if (ts.isFunctionDeclaration(statement)) {
    return statement.name?.text === name ? { kind: "function", node: statement } : undefined;
  }
  if (!ts.isVariableStatement(statement)) return undefined;
  for (const { name: declared, initializer } of statement.declarationList.declarations) {
    if (!ts.isIdentifier(declared) || declared.text !== name) continue;
    const isFunction = initializer !== undefined &&
      (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
    return isFunction ? { kind: "function", node: initializer } : { kind: "other" };
  }
  return undefined;
}

/** `export { configure as Config }`, with or without `from`. */
function findInList(search: Search, statement: ts.ExportDeclaration): Found {
  const { ts, name } = search;
  const { exportClause, moduleSpecifier } = statement;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return undefined;
  const element = exportClause.elements.find((each) => each.name.text === name);
  if (element === undefined) return undefined;
  const local = (element.propertyName ?? element.name).text;
  if (moduleSpecifier !== undefined) {
    if (!ts.isStringLiteral(moduleSpecifier)) return { kind: "other" };
    return { kind: "elsewhere", specifier: moduleSpecifier.text, name: local };
  }
  return findLocal({ ...search, name: local }) ?? { kind: "other" };
}

/** What a name of the file itself stands for. */
function findLocal(search: Search): Found {
  const { ts, source, name } = search;
  for (const statement of source.statements) {
    const found = findInStatement(search, statement);
    if (found !== undefined) return found;
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) {
      continue;
    }
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const element = bindings.elements.find((each) => each.name.text === name);
    if (element === undefined) continue;
    const original = (element.propertyName ?? element.name).text;
    return { kind: "elsewhere", specifier: statement.moduleSpecifier.text, name: original };
  }
  return undefined;
}
