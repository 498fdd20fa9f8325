/**
 * Looks for static files that are named in the code and are not there.
 *
 * @module
 */
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { statIfThere } from "../project/files/if_there.ts";
import { findCalls } from "../project/sources/calls.ts";
import type { ProductionSettings } from "../project/settings/production.ts";
import type { Messages } from "../messages/catalog.ts";
import type { RouteEntry } from "../gen/generator.ts";
import type { Problem } from "../problem.ts";

/** A project that is about to become an executable. */
export interface BuildProject {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Its routes. */
  readonly routes: readonly RouteEntry[];
  /** Its settings in production. */
  readonly settings: ProductionSettings;
  /** The catalogue in which problems are worded. */
  readonly messages: Messages;
}

/**
 * Checks every `c.asset("…")` whose name is written out: in the executable a file that is missing now
 * stays missing. Where the application serves other folders too, nothing is checked.
 */
export async function checkAssets(project: BuildProject): Promise<readonly Problem[]> {
  const { root, settings, messages } = project;
  if (!servesPublicAlone(settings)) return [];
  const problems: Problem[] = [];
  for (const call of await findCalls(root, ["asset"])) {
    const { isOnContext, firstText: name, file, line, column } = call;
    if (!isOnContext || name === undefined) continue;
    if ((await statIfThere(join(root, publicFolder, name)))?.isFile) continue;
    const path = `${publicFolder}/${name.replace(/^\/+/, "")}`;
    problems.push({ file, line, column, code: "E_NO_ASSET", ...messages.build.noAsset(path) });
  }
  return problems;
}

/** Whether every static file of the application lies in the project's public folder. */
export function servesPublicAlone(settings: ProductionSettings): boolean {
  return settings.unread === undefined &&
    ["public", "mounts"].every((path) =>
      settings.possible(path).every(({ source }) => source.kind === "default")
    );
}
