import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, type Problem, type ProblemText, sortProblems } from "../problem.ts";
import { statIfThere, walkFiles } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/settings.ts";
import { findNearest } from "@fw/fw/addon";
import { listIslands } from "../project/routes/islands.ts";

/** Checks literal names in `c.asset("…")`, unless the application serves other folders too. */
export async function checkAssets(
  project: Project,
  settings: ProductionSettings,
): Promise<readonly Problem[]> {
  const { root, messages } = project;
  if (!servesPublicAlone(settings)) return [];
  const problems: Problem[] = [];
  for (const call of await project.calls(["asset"])) {
    const { isOnContext, firstText: name, file, line, column } = call;
    if (!isOnContext || name === undefined) continue;
    if ((await statIfThere(join(root, publicFolder, name)))?.isFile) continue;
    const path = `${publicFolder}/${name.replace(/^\/+/, "")}`;
    problems.push(errorAt({ file, line, column }, "E_NO_ASSET", messages.build.noAsset(path)));
  }
  return problems;
}

export function servesPublicAlone(settings: ProductionSettings): boolean {
  return settings.unread === undefined &&
    ["public", "mounts"].every((path) =>
      settings.possible(path).every(({ source }) => source.kind === "default")
    );
}

/** Checks every `c.island("…")` with a literal path: the file must exist and have a default export. */
export async function checkIslandModules(
  project: Project,
  settings: ProductionSettings,
): Promise<readonly Problem[]> {
  if (!servesPublicAlone(settings)) return [];
  const problems: Problem[] = [];
  const known = new Map<string, ProblemText | undefined>();
  for (const call of await project.calls(["island"])) {
    const { isOnContext, firstText: src, file, line, column } = call;
    if (!isOnContext || src === undefined) continue;
    if (!known.has(src)) known.set(src, await findFault(src, project));
    const text = known.get(src);
    if (text !== undefined) problems.push(errorAt({ file, line, column }, "E_NO_ISLAND", text));
  }
  return sortProblems(problems);
}

async function findFault(src: string, project: Project): Promise<ProblemText | undefined> {
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
