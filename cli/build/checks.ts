/**
 * What must be right before an executable is made, besides the generated file and the types.
 *
 * @module
 */
import type { Problem } from "../project/problem.ts";
import { checkAssets } from "./assets.ts";
import type { BuildProject } from "./build_project.ts";
import { checkIslandModules } from "./islands.ts";

/** Looks for one kind of problem. */
export type BuildCheck = (project: BuildProject) => Promise<readonly Problem[]>;

/** Every check, in the order in which problems are listed. */
export const buildChecks: readonly BuildCheck[] = [checkAssets, checkIslandModules];
