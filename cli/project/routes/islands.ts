/**
 * Finds the sources of islands: the TypeScript files directly in `islands/`, each of which is bundled to
 * a module in `public/islands/`.
 *
 * @module
 */
import { islandsFolder, publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { CheckOptions } from "./convention_file.ts";
import { compareText, errorAt, startOfFile } from "../../problem.ts";

/** One island with a source of its own. */
export interface IslandFile {
  /** Its name, such as `counter`. */
  readonly name: string;
  /** The source, relative to the project, with `/`. */
  readonly source: string;
  /** The bundle, relative to the project, with `/`. */
  readonly output: string;
  /** What `c.island` calls it, such as `/islands/counter.js`. */
  readonly url: string;
}

/** The folder of the bundles, relative to the project, with `/`. */
export const bundleFolder = `${publicFolder}/${islandsFolder}`;

const islandName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Lists the islands of a project, in the order of their names; no file is opened. */
export function listIslands(root: string): IslandFile[] {
  const islands: IslandFile[] = [];
  for (const file of filesIn(join(root, islandsFolder))) {
    const name = nameOf(file);
    if (name !== undefined && islandName.test(name)) islands.push(islandOf(name, file));
  }
  return islands.sort((a, b) => compareText(a.source, b.source));
}

function islandOf(name: string, file: string): IslandFile {
  return {
    name,
    source: `${islandsFolder}/${file}`,
    output: `${bundleFolder}/${name}.js`,
    url: `/${islandsFolder}/${name}.js`,
  };
}

/** The name of an island; `undefined` for a file that is none: a test, types, a helper with `_`. */
function nameOf(file: string): string | undefined {
  if (file.startsWith("_") || file.startsWith(".")) return undefined;
  if (/\.d\.ts$|[._]test\.tsx?$/.test(file)) return undefined;
  return /^(.+)\.tsx?$/.exec(file)?.[1];
}

function filesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
      isDirectory ? [] : [name]
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return [];
    }
    throw error;
  }
}

/**
 * Checks the sources of islands: names that a URL can carry, one source a name, a default export.
 *
 * @param root The project's folder, absolute.
 * @param options Where files are read from and where errors go.
 * @returns The islands that are right.
 */
export function checkIslands(root: string, options: CheckOptions): IslandFile[] {
  const { texts, problems } = options;
  for (const file of filesIn(join(root, islandsFolder)).sort(compareText)) {
    const name = nameOf(file);
    if (name === undefined || islandName.test(name)) continue;
    const text = texts.badIslandName(file);
    const place = { file: `${islandsFolder}/${file}`, ...startOfFile };
    problems.push(errorAt(place, "E_BAD_FILE_NAME", text));
  }
  const byName = new Map<string, IslandFile>();
  for (const island of listIslands(root)) {
    // On many systems names that differ only in capitals are one file.
    const key = island.name.toLowerCase();
    const other = byName.get(key);
    if (other === undefined) byName.set(key, island);
    else {
      const text = texts.twoIslands(other.source, island.source);
      problems.push(errorAt({ file: island.source, ...startOfFile }, "E_TWO_FILES", text));
    }
  }
  return [...byName.values()].filter((island) => hasDefault(island, options));
}

/** Whether a source exports what is mounted; says so where it does not. */
function hasDefault(island: IslandFile, options: CheckOptions): boolean {
  const { sources, texts, problems } = options;
  const { source: file } = island;
  const exports = sources.read(file)?.exports;
  for (const { line, column, message } of exports?.faults ?? []) {
    problems.push(errorAt({ file, line, column }, "E_PARSE", texts.parse(message)));
  }
  if (exports === undefined || exports.faults.length > 0) return false;
  if (exports.names.has("default")) return true;
  const [first] = [...exports.names.values()].filter(({ isNamespace }) => !isNamespace);
  const { line, column } = first ?? startOfFile;
  const text = texts.noIslandFunction(file, first?.name);
  problems.push(errorAt({ file, line, column }, "E_NO_ISLAND_FUNC", text));
  return false;
}
