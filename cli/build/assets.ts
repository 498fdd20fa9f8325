import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, type Problem } from "../problem.ts";
import { statIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/production.ts";

/**
 * Checks every `c.asset("…")` with a literal name: a file missing now is missing in the executable.
 * Nothing is checked if the application serves other folders too.
 */
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
