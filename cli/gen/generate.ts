import { generatedFile } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, isError, type Problem, sortProblems, startOfFile } from "../problem.ts";
import { type FileLimit, findFileLimits } from "../facts/file_limits.ts";
import { reachOperations } from "../facts/operations.ts";
import { configuredBodyBytes } from "../project/settings/settings.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { findStaleSchema, findUnlisted, readMigrationList } from "../project/migrations.ts";
import { Stop } from "../stop.ts";
import { emitModule } from "./emit.ts";
import { findHints } from "./hints.ts";
import { findApiReads } from "../facts/api_reads.ts";

export interface Generated {
  /** `false` if the routes could not be read, so that no file was generated. */
  readonly ok: boolean;
  /** The generated file, or the list of migrations, differs from the previous one. */
  readonly changed: boolean;
  readonly routes: readonly Route[];
  /** The errors and warnings; without `write`, one for a file that differs. */
  readonly problems: readonly Problem[];
}

/** Writes the generated file of a project if its text differs. Calls must not overlap. */
export async function runGenerators(
  project: Project,
  { write = true }: { readonly write?: boolean } = {},
): Promise<Generated> {
  const { routes, rootFiles, islands, problems } = await project.routes();
  const list = problems.length > 0 ? undefined : await readMigrationList(project);
  const faults = [...problems, ...list?.problems ?? []];
  if (faults.length > 0) return { ok: false, changed: false, routes: [], problems: faults };
  const isLibrary = await project.isLibrary();
  const fileLimits = await readFileLimits(project);
  const reads = findApiReads(await project.sources(), routes);
  const text = emitModule({ routes, rootFiles, islands, isLibrary, reads, fileLimits });
  const path = join(project.root, generatedFile);
  const before = (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
  const isOther = before !== text;
  const isOtherList = list !== undefined && list.before !== list.text;
  if (isOther && write) await replaceFile(path, text);
  if (isOtherList && write) await replaceFile(list.path, list.text);
  const changed = isOther || isOtherList;
  const place = { file: generatedFile, ...startOfFile };
  const stale = changed && !write
    ? [errorAt(place, "E_STALE", project.messages.stale(generatedFile, "gen"))]
    : [];
  return {
    ok: true,
    changed,
    routes,
    problems: [...stale, ...await warningsOf(project, fileLimits)],
  };
}

/** Updates the generated file. @throws {Stop} for problems of the application. */
export async function regenerate(project: Project): Promise<void> {
  project.refresh();
  const result = await runGenerators(project);
  if (!result.ok) throw new Stop(result.problems);
}

type FileLimits = ReadonlyMap<Route, readonly FileLimit[]>;

/** Only projects with such a rule pay for analysing their handlers. */
async function readFileLimits(project: Project): Promise<FileLimits> {
  const sources = await project.sources();
  const hasRules = sources.list().some((path) => sources.read(path)?.text.includes("maxSizeBytes"));
  return hasRules ? findFileLimits(await reachOperations(project)) : new Map();
}

async function warningsOf(project: Project, fileLimits: FileLimits): Promise<readonly Problem[]> {
  const schema = await findStaleSchema(project);
  const stale = schema.map((each) => ({ ...each, severity: "warning" } as const));
  const others = [...stale, ...await findUnlisted(project), ...await findHints(project)];
  if (fileLimits.size === 0) return others;
  const settings = await project.settings(await project.environment());
  const maxBytes = configuredBodyBytes(settings) ?? Infinity;
  const above = [...fileLimits].flatMap(([{ pattern }, limits]) =>
    limits.filter(({ maxSizeBytes }) => maxSizeBytes > maxBytes).map(({ field, place }) => ({
      code: "E_FILE_LIMIT",
      severity: "warning",
      place,
      ...project.messages.problems.fileLimit(field, pattern),
    } as const))
  );
  return sortProblems([...above, ...others]);
}

/** Returns the errors of the generation, and one for a stale file. */
export async function checkGenerated(project: Project): Promise<readonly Problem[]> {
  return (await runGenerators(project, { write: false })).problems.filter(isError);
}
