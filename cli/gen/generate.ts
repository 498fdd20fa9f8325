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

/** What one generation gave. */
export type GenerateResult =
  | {
    readonly ok: true;
    /** Whether the generated file differs from what was there before. */
    readonly changed: boolean;
    /** The routes in the order of their patterns. */
    readonly routes: readonly Route[];
  }
  | {
    readonly ok: false;
    /** Everything that is wrong, in the order of its places; nothing was written. */
    readonly problems: readonly Problem[];
  };

/**
 * Writes the generated file of a project where its text differs; calls must not overlap.
 *
 * @param project The project.
 * @param options `write`: whether to; otherwise only `changed` says that it would be. @default true
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
 * Compares the generated file with what the project's files say; nothing is written.
 *
 * @returns The routes, and what is wrong: a file that is out of date, too.
 */
export async function checkGenerated(
  project: Project,
): Promise<{ readonly routes: readonly Route[]; readonly problems: readonly Problem[] }> {
  const result = await generate(project, { write: false });
  if (!result.ok) return { routes: [], problems: result.problems };
  const { routes, changed } = result;
  return { routes, problems: changed ? [staleProblem(project)] : [] };
}

/** The problem of a generated file that is out of date. */
export function staleProblem({ messages }: Project): Problem {
  const place = { file: generatedFile, ...startOfFile };
  return errorAt(place, "E_STALE", messages.genStale(generatedFile));
}

/** Writes a file where its text differs; gives whether it does. Line ends do not count. */
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
