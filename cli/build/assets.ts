import { findNearest } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, type Problem, type ProblemText, sortProblems } from "../problem.ts";
import { statIfThere, walkFiles } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { writtenText } from "../project/sources/syntax.ts";
import type { ProductionSettings } from "../project/settings/settings.ts";

/** Checks the literal paths of `c.asset` and `c.island`, unless the application serves other folders too. */
export async function checkAssets(
  project: Project,
  settings: ProductionSettings,
): Promise<readonly Problem[]> {
  if (!servesPublicAlone(settings)) return [];
  const problems: Problem[] = [];
  for (const call of await project.calls(["asset", "island"])) {
    const { isOnContext, node, name, file, line, column } = call;
    const path = writtenText(node.arguments[0]);
    if (!isOnContext || path === undefined) continue;
    const find = name === "asset" ? findAssetFault : findIslandFault;
    const text = await find(path, project);
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
  const { root, messages } = project;
  const file = `${publicFolder}${src}`;
  const isModule = /^\/(?!\/)[^?#\\]*\.m?js$/.test(src);
  const module = isModule ? (await project.sources()).read(file) : undefined;
  if (module !== undefined) {
    const { faults, names } = module.exports;
    const isMountable = faults.length > 0 || names.has("default");
    return isMountable ? undefined : messages.problems.noIslandFunction(file, undefined);
  }
  const others = [...walkFiles(join(root, publicFolder))]
    .flatMap((path) => /\.m?js$/.test(path) ? [`/${path}`] : []);
  return messages.islands.missing(src, findNearest(src, others));
}
