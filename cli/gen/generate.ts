/**
 * Writes the generated file of a project.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { join } from "@std/path";
import { errorAt, type Problem, startOfFile } from "../problem.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { replaceFile } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import type { Route } from "../project/routes/table.ts";
import { emitModule } from "./emit.ts";

export type GenerateResult =
  | {
    readonly ok: true;
    /** Whether the generated file differs from the previous one. */
    readonly changed: boolean;
    readonly routes: readonly Route[];
  }
  | {
    readonly ok: false;
    /** The problems, sorted by place. Nothing was written. */
    readonly problems: readonly Problem[];
  };

/**
 * Writes the generated file of a project if its text differs. Calls must not overlap.
 *
 * @param project The project.
 * @param options `write`: whether to write; otherwise only `changed` is determined. @default true
 */
export async function generate(
  project: Project,
  options: { readonly write?: boolean } = {},
): Promise<GenerateResult> {
  const { write = true } = options;
  const { routes, rootFiles, islands, problems } = await project.routes();
  if (problems.length > 0) return { ok: false, problems };
  const isLibrary = await project.isLibrary();
  const text = emitModule({ routes, rootFiles, islands, isLibrary });
  const changed = await updateFile(join(project.root, generatedFile), { text, write });
  return { ok: true, changed, routes };
}

/**
 * Checks that the generated file is up to date, without writing.
 *
 * @returns The routes, and the problems, including a stale file.
 */
export async function checkGenerated(
  project: Project,
): Promise<{ readonly routes: readonly Route[]; readonly problems: readonly Problem[] }> {
  const result = await generate(project, { write: false });
  if (!result.ok) return { routes: [], problems: result.problems };
  const { routes, changed } = result;
  return { routes, problems: changed ? [staleProblem(project)] : [] };
}

/** Returns the problem of a stale generated file. */
export function staleProblem({ messages }: Project): Problem {
  const place = { file: generatedFile, ...startOfFile };
  return errorAt(place, "E_STALE", messages.genStale(generatedFile));
}

/** Writes a file if its text differs, ignoring line ends; returns whether it differs. */
async function updateFile(
  path: string,
  options: { readonly text: string; readonly write: boolean },
): Promise<boolean> {
  const { text, write } = options;
  const before = await readTextIfThere(path);
  if (before?.replaceAll("\r\n", "\n") === text) return false;
  if (write) await replaceFile(path, text);
  return true;
}
