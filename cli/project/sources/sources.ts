import { generatedFile, publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import ts from "npm:typescript@6.0.3";
import { compareText } from "../../problem.ts";
import { statIfThereSync, walkFiles } from "../files/look.ts";
import { findNames, type ModuleNames } from "./module_names.ts";

export interface Source {
  readonly path: string;
  readonly text: string;
  /** The syntax tree. Nodes have parents and keep their JSDoc. */
  readonly tree: ts.SourceFile;
  readonly exports: ModuleNames;
}

/** The sources of one project, each read on first use. */
export class Sources {
  readonly #root: string;
  readonly #entries = new Map<
    string,
    { readonly source: Source; readonly mtimeMs: number; readonly size: number; round: number }
  >();
  #listed: readonly string[] | undefined;
  #round = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Rechecks the dates of all files, and drops the files that are known to have changed. */
  refresh(changed: readonly string[]): void {
    for (const [path, entry] of this.#entries) {
      if (entry.round < this.#round) this.#entries.delete(path);
    }
    for (const path of changed) this.#entries.delete(path);
    this.#listed = undefined;
    this.#round++;
  }

  read(path: string): Source | undefined {
    const entry = this.#entries.get(path);
    if (entry?.round === this.#round) return entry.source;
    const info = statIfThereSync(join(this.#root, path));
    if (!info?.isFile) return undefined;
    const mtimeMs = info.mtime?.getTime() ?? NaN;
    if (entry !== undefined && entry.mtimeMs === mtimeMs && entry.size === info.size) {
      entry.round = this.#round;
      return entry.source;
    }
    const source = info.size > maxSourceBytes
      ? refusedSource(path, `the file is larger than ${maxSourceBytes / 1_048_576} MiB`)
      : lazySource(path, Deno.readTextFileSync(join(this.#root, path)));
    this.#entries.set(path, { source, mtimeMs, size: info.size, round: this.#round });
    return source;
  }

  /** Lists the project's own sources, without tests. */
  list(): readonly string[] {
    return this.#listed ??= listFiles(this.#root, scriptFile)
      .filter((path) => !testFile.test(path) && path !== generatedFile);
  }
}

/** Maximum size of a source file: the parser needs about 20 times as much memory. */
const maxSourceBytes = 8 * 1_048_576;

function lazySource(path: string, text: string): Source {
  let refused: Source | undefined;
  let tree: ts.SourceFile | undefined;
  let exports: ModuleNames | undefined;
  return {
    path,
    text,
    get tree(): ts.SourceFile {
      if (tree !== undefined) return tree;
      try {
        const parsed = parseSource(path, text);
        if (text.length > maxMembers) checkLevels(parsed);
        return tree = parsed;
      } catch (error) {
        // The parser is recursive: a file of 20,000 nested brackets exhausts the stack.
        if (!(error instanceof RangeError)) throw error;
        refused = refusedSource(path, "the code is nested too deeply");
        return tree = refused.tree;
      }
    },
    get exports(): ModuleNames {
      const parsed = this.tree;
      return exports ??= refused?.exports ?? findNames(parsed);
    },
  };
}

/** Maximum depth of code: its readers are recursive, with up to three calls per level. */
const maxLevels = 1_000;

/** Maximum chain of members without a call, whose check takes the compiler cubic time. */
const maxMembers = 100;

/** @throws {RangeError} for deeper code. Each call in a chain counts as two levels. */
function checkLevels(node: ts.Node, levels = 0, members = 0): void {
  if (levels === maxLevels || members === maxMembers) {
    throw new RangeError("The code is nested too deeply.");
  }
  const next = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
    ? members + 1
    : 0;
  ts.forEachChild(node, (child) => checkLevels(child, levels + 1, next));
}

/** Returns an empty source, with the reason as its fault, for a file that cannot be parsed. */
function refusedSource(path: string, message: string): Source {
  const tree = parseSource(path, "");
  const faults = [{ line: 1, column: 1, message }];
  return { path, text: "", tree, exports: { ...findNames(tree), faults } };
}

// Parents show which function encloses a call.
const setParentNodes = true;

function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseAll,
  }, setParentNodes);
}

const scriptFile = /\.[cm]?[jt]sx?$/;
const testFile = /[._]test\.[cm]?[jt]sx?$|\.d\.ts$/;
const otherFolders = `${publicFolder} coverage dist node_modules test testdata tests vendor`.split(
  " ",
);

export function listFiles(root: string, wanted: RegExp): string[] {
  return [...walkFiles(root, otherFolders)].filter((path) => wanted.test(path));
}

export function listTests(root: string): string[] {
  return [...walkFiles(root, ["node_modules", "dist"])]
    .filter((path) => /(?:^|[/._])test\.[cm]?[jt]sx?$/.test(path)).sort(compareText);
}

/** Resolves a relative specifier; `undefined` for a package, a URL, or a file outside the project. */
export function resolveSpecifier(from: string, specifier: string): string | undefined {
  if (!/^\.\.?\//.test(specifier)) return undefined;
  const parts = from.split("/").slice(0, -1);
  for (const part of decodePath(specifier).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function decodePath(specifier: string): string {
  const path = specifier.replace(/[?#].*/s, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
