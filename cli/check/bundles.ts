/**
 * Bundles the islands of a project for `fw check`.
 *
 * @module
 */
import { keepsOwnIgnoreFile } from "../islands/outputs.ts";
import { bundleIslands } from "../islands/report.ts";
import { hasErrors, type Problem } from "../problem.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions } from "./step.ts";

/**
 * Updates bundles that are missing or out of date. Without `fix`, bundles that git may keep are only
 * compared.
 *
 * @returns Why a bundle is not up to date.
 */
export async function updateBundles(
  project: Project,
  { fix }: Pick<StepOptions, "fix">,
): Promise<readonly Problem[]> {
  // The form that the development server writes is as good for a check.
  const { problems } = await bundleIslands(project, { write: false });
  if (!hasErrors(problems)) return [];
  if (!fix && await keepsOwnIgnoreFile(project.root)) return problems;
  const report = await bundleIslands(project);
  project.refresh();
  return report.problems;
}
