/**
 * Finds calls of methods in the project's own sources, by their syntax alone.
 *
 * @module
 */
import { generatedFile, publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type ts from "typescript";
import type { TypeScript } from "./exports.ts";
import { compareText, type Position } from "../../problem.ts";

/** One call, such as `app.check("db", ping)`. */
export interface SourceCall extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  /** The method's name. */
  readonly name: string;
  /** Whether it is called on a request's context: on a parameter of type `Ctx`, or named `c`. */
  readonly isOnContext: boolean;
  /** How many arguments there are. */
  readonly argumentCount: number;
  /** The first argument, where it is a text without anything inserted. */
  readonly firstText: string | undefined;
}

const sourceFile = /\.[cm]?[jt]sx?$/;
const testFile = /[._]test\.[cm]?[jt]sx?$|\.d\.ts$/;
const otherFolders: ReadonlySet<string> = new Set([
  "coverage",
  "dist",
  "node_modules",
  publicFolder,
  "test",
  "testdata",
  "tests",
  "vendor",
]);

const maxFiles = 20_000;
const maxBytes = 2_000_000;

/**
 * Finds the calls of some methods. Tests, and what the project did not write, are left out.
 *
 * @param root The project's folder, absolute.
 * @param names The names of the methods.
 */
export async function findCalls(root: string, names: readonly string[]): Promise<SourceCall[]> {
  const { default: ts } = await import("typescript");
  const wanted = new RegExp(`\\.\\s*(?:${names.join("|")})\\s*(?:<[^;]{0,200}>)?\\s*\\(`);
  const calls: SourceCall[] = [];
  for await (const file of listSources(root)) {
    const text = await Deno.readTextFile(join(root, file));
    if (wanted.test(text)) calls.push(...callsIn({ ts, file, text }, new Set(names)));
  }
  return calls;
}

/** Lists the project's own sources, relative to it, with `/`, in the order of their names. */
export async function* listSources(root: string): AsyncGenerator<string> {
  let left = maxFiles;
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await Array.fromAsync(Deno.readDir(join(root, folder)));
    entries.sort((a, b) => compareText(a.name, b.name));
    for (const { name, isDirectory, isFile } of entries) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name.startsWith(".") && name !== ".well-known") continue;
      if (isDirectory && !otherFolders.has(name)) folders.push(path);
      if (!isFile || !sourceFile.test(name) || testFile.test(name) || path === generatedFile) {
        continue;
      }
      if ((await Deno.stat(join(root, path))).size > maxBytes) continue;
      if (left-- <= 0) return;
      yield path;
    }
  }
}

interface Reading {
  readonly ts: TypeScript;
  readonly file: string;
  readonly text: string;
}

// A receiver is understood through the function around it.
const setParentNodes = true;

function callsIn({ ts, file, text }: Reading, names: ReadonlySet<string>): SourceCall[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, setParentNodes);
  const calls: SourceCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (names.has(name.text)) {
        const { line, character } = source.getLineAndCharacterOfPosition(name.getStart(source));
        const [first] = node.arguments;
        calls.push({
          file,
          line: line + 1,
          column: character + 1,
          name: name.text,
          isOnContext: ts.isIdentifier(expression) && isContext({ ts, node }, expression.text),
          argumentCount: node.arguments.length,
          firstText: first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined,
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** Whether a name is a parameter of type `Ctx` of a function around the node, or `c` without a type. */
function isContext(
  { ts, node }: { readonly ts: TypeScript; readonly node: ts.Node },
  name: string,
): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    for (const parameter of at.parameters) {
      if (!ts.isIdentifier(parameter.name) || parameter.name.text !== name) continue;
      const type = parameter.type?.getText();
      return type === undefined ? name === "c" || name === "ctx" : /^(?:\w+\.)?Ctx$/.test(type);
    }
  }
  return false;
}
