import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, type Problem, type ProblemText, sortProblems } from "../problem.ts";
import { statIfThere, walkFiles } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/settings.ts";
import { findNearest } from "@fw/fw/addon";
import { listIslands } from "../project/routes/islands.ts";

/**
 * Checks the literal paths in `c.asset("…")` and `c.island("…")`, unless the application serves other
 * folders too: the file must exist, and that of an island must have a default export.
 */
export async function checkAssets(
  project: Project,
  settings: ProductionSettings,
): Promise<readonly Problem[]> {
  if (!servesPublicAlone(settings)) return [];
  const problems: Problem[] = [];
  const known = new Map<string, ProblemText | undefined>();
  for (const call of await project.calls(["asset", "island"])) {
    const { isOnContext, firstText: path, name, file, line, column } = call;
    if (!isOnContext || path === undefined) continue;
    const key = `${name} ${path}`;
    const find = name === "asset" ? findAssetFault : findIslandFault;
    if (!known.has(key)) known.set(key, await find(path, project));
    const text = known.get(key);
    const code = name === "asset" ? "E_NO_ASSET" : "E_NO_ISLAND";
    if (text !== undefined) problems.push(errorAt({ file, line, column }, code, text));
  }
  return sortProblems(problems);
}

export function servesPublicAlone(settings: ProductionSettings): boolean {
  return settings.unread === undefined &&
    ["public", "mounts"].every((path) =>
      settings.possible(path).every(({ source }) => source.kind === "default")
    );
}

async function findAssetFault(
  name: string,
  { root, messages }: Project,
): Promise<ProblemText | undefined> {
  const path = `${publicFolder}/${name.replace(/^\/+/, "")}`;
  return (await statIfThere(join(root, path)))?.isFile ? undefined : messages.build.noAsset(path);
}

async function findIslandFault(src: string, project: Project): Promise<ProblemText | undefined> {
  const texts = project.messages.islands;
  if (!/^\/(?!\/)[^?#\\]*$/.test(src)) return texts.notPublic();
  const file = `${publicFolder}${src}`;
  const module = (await project.sources()).read(file);
  if (module === undefined) {
    if (/\.[cm]?tsx?$|\.jsx$/.test(src)) return texts.isSource(src.replace(/\.\w+$/, ".js"));
    const source = listIslands(project.root).find(({ url }) => url === src)?.source;
    if (source !== undefined) return texts.unbundled(file, source);
    const others = [...walkFiles(join(project.root, publicFolder))]
      .flatMap((path) => /\.m?js$/.test(path) ? [`/${path}`] : []);
    return texts.missing(file, findNearest(src, others));
  }
  const { names, faults } = module.exports;
  return faults.length > 0 || names.has("default") ? undefined : texts.noDefault(file);
}
