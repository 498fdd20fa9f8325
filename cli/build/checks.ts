/**
 * What must be right before an executable is made.
 *
 * @module
 */
import { runDeno } from "../project/process/deno.ts";
import { type BuildProject, checkAssets } from "./assets.ts";
import { checkIslandModules } from "./islands.ts";
import type { Problem } from "../problem.ts";

/** Looks for one kind of problem. */
export type BuildCheck = (project: BuildProject) => Promise<readonly Problem[]>;

/** Every check, in the order in which problems are listed. */
export const buildChecks: readonly BuildCheck[] = [checkAssets, checkIslandModules];

/** Checks the types of a file and of all that it imports; tests hand in their own. */
export type CheckTypes = (root: string, file: string) => Promise<string | undefined>;

/**
 * Checks the types with `deno check`.
 *
 * @param root The project's folder, absolute.
 * @param file The file at which to start, relative to the project.
 * @returns What the compiler says, or `undefined` where it finds nothing.
 */
export async function checkTypes(root: string, file: string): Promise<string | undefined> {
  const { code, stdout, stderr } = await runDeno(["check", "--quiet", file], { cwd: root });
  return code === 0 ? undefined : `${stdout}${stderr}`;
}
