import { islandsFolder, publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { compareText, startOfFile } from "../../problem.ts";
import { isSpecialFile, listSync } from "../files/look.ts";
import { leavesProject } from "../sources/graph.ts";
import { frameworkEntry } from "../sources/module_names.ts";
import type { CheckOptions } from "./convention_file.ts";

export interface IslandFile {
  readonly name: string;
  readonly source: string;
  readonly output: string;
  /** The path for `c.island`, such as `/islands/counter.js`. */
  readonly url: string;
  /** Whether the server renders the island too: its module imports `live`. */
  readonly isLive?: boolean;
}

export const bundleFolder = `${publicFolder}/${islandsFolder}`;

const islandName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export function listIslands(root: string): IslandFile[] {
  const islands = filesIn(join(root, islandsFolder)).flatMap((file): IslandFile[] => {
    const name = nameOf(file);
    if (name === undefined || !islandName.test(name)) return [];
    if (leavesProject(root, `${islandsFolder}/${file}`)) return [];
    return [{
      name,
      source: `${islandsFolder}/${file}`,
      output: `${bundleFolder}/${name}.js`,
      url: `/${islandsFolder}/${name}.js`,
    }];
  });
  return islands.sort((a, b) => compareText(a.source, b.source));
}

/** Returns the name of an island; `undefined` for tests, types and helpers with a leading `_`. */
function nameOf(file: string): string | undefined {
  if (/^[_.]|\.d\.ts$|[._]test\.tsx?$/.test(file)) return undefined;
  return /^(.+)\.tsx?$/.exec(file)?.[1];
}

function filesIn(folder: string): string[] {
  return listSync(folder).flatMap(({ name, isDirectory }) =>
    isDirectory || isSpecialFile(join(folder, name)) ? [] : [name]
  );
}

/** Checks the sources of islands: a URL-safe name, one source per name, a default export. */
export function checkIslands(root: string, options: CheckOptions): IslandFile[] {
  const { texts, report } = options;
  for (const file of filesIn(join(root, islandsFolder)).sort(compareText)) {
    const name = nameOf(file);
    const path = `${islandsFolder}/${file}`;
    if (name === undefined) continue;
    if (!islandName.test(name)) report(path, "E_BAD_FILE_NAME", texts.badIslandName(file));
    else if (leavesProject(root, path)) report(path, "E_OUTSIDE_LINK", texts.islandLink());
  }
  const byName = new Map<string, IslandFile>();
  for (const island of listIslands(root)) {
    // On many systems, names that differ only in case are the same file.
    const key = island.name.toLowerCase();
    const other = byName.get(key);
    if (other === undefined) byName.set(key, island);
    else report(island.source, "E_TWO_FILES", texts.twoIslands(other.source, island.source));
  }
  return [...byName.values()].filter((island) => hasDefault(island, options)).map((island) => {
    const imported = [...options.sources.read(island.source)?.exports.imported.values() ?? []];
    const isLive = imported.some(({ name, specifier }) =>
      name === "live" && frameworkEntry(specifier) === "island"
    );
    return { ...island, isLive };
  });
}

function hasDefault(island: IslandFile, { sources, texts, report }: CheckOptions): boolean {
  const { source: file } = island;
  const exports = sources.read(file)?.exports;
  for (const { line, column, message } of exports?.faults ?? []) {
    report({ file, line, column }, "E_PARSE", texts.parse(message));
  }
  if (exports === undefined || exports.faults.length > 0) return false;
  if (exports.names.has("default")) return true;
  const [first] = [...exports.names.values()].filter(({ namespace }) => namespace === undefined);
  const { line, column } = first ?? startOfFile;
  report({ file, line, column }, "E_NO_ISLAND_FUNC", texts.noIslandFunction(file, first?.name));
  return false;
}
