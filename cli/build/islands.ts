/**
 * Looks for islands whose module is not there, or has nothing to mount.
 *
 * @module
 */
import { findNearest, publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { listIfThere, readTextIfThere } from "../project/files/if_there.ts";
import { parseExports } from "../project/sources/exports.ts";
import { findCalls } from "../project/sources/calls.ts";
import { type BuildProject, servesPublicAlone } from "./assets.ts";
import { type Problem, type ProblemText, sortProblems } from "../problem.ts";

/** What the check needs to know of a project. */
export type IslandProject = Pick<BuildProject, "root" | "settings" | "messages">;

/**
 * Checks every `c.island("…")` whose module is written out: the file must be in the public folder, after
 * the islands were bundled, and export something by default. Where the application serves other folders
 * too, nothing is checked.
 */
export async function checkIslandModules(project: IslandProject): Promise<readonly Problem[]> {
  const { root, settings } = project;
  if (!servesPublicAlone(settings)) return [];
  const problems: Problem[] = [];
  const known = new Map<string, ProblemText | undefined>();
  for (const call of await findCalls(root, ["island"])) {
    const { isOnContext, firstText: src, file, line, column } = call;
    if (!isOnContext || src === undefined) continue;
    if (!known.has(src)) known.set(src, await findFault(src, project));
    const text = known.get(src);
    if (text !== undefined) problems.push({ file, line, column, code: "E_NO_ISLAND", ...text });
  }
  return sortProblems(problems);
}

async function findFault(src: string, project: IslandProject): Promise<ProblemText | undefined> {
  const texts = project.messages.islands;
  if (!/^\/(?!\/)[^?#\\]*$/.test(src)) return texts.notPublic();
  const file = `${publicFolder}${src}`;
  const text = await readTextIfThere(join(project.root, file));
  if (text === undefined) {
    if (/\.[cm]?tsx?$|\.jsx$/.test(src)) return texts.isSource(src.replace(/\.\w+$/, ".js"));
    return texts.missing(file, findNearest(src, await listModules(project.root)));
  }
  const { default: ts } = await import("typescript");
  const { names, faults } = parseExports(ts, file, { text });
  return faults.length > 0 || names.has("default") ? undefined : texts.noDefault(file);
}

const maxModules = 1_000;

/** The modules of the public folder, as `c.island` calls them. */
async function listModules(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, isDirectory } of await listIfThere(join(root, publicFolder, folder))) {
      if (isDirectory) folders.push(`${folder}/${name}`);
      else if (/\.m?js$/.test(name)) found.push(`${folder}/${name}`);
      if (found.length >= maxModules) return found;
    }
  }
  return found;
}
