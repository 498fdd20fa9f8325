/**
 * The languages of an application, as its configuration lists them.
 *
 * @module
 */
import type { Project } from "../project.ts";

/** Returns the languages that `Config` lists; none where only a run can tell. */
export async function configuredLanguages(project: Project): Promise<readonly string[]> {
  const lists = (await project.settings({})).possible("languages");
  const tags = lists.flatMap((value) =>
    value.kind === "known" && Array.isArray(value.value) ? value.value.map(String) : []
  );
  return [...new Set(tags)];
}
