/**
 * Opens the project of a command with its generator, and prints what it refuses.
 *
 * @module
 */
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { findRoot } from "../project/manifest.ts";
import { createGenerator, type GenerateResult, type Generator } from "./generator.ts";
import { formatProblem } from "../problem.ts";

/** A generator together with the folder that it reads. */
export interface OpenProject extends Generator {
  /** The project's folder, absolute. */
  readonly root: string;
}

/** Opens the project above the working directory; where there is none, its generator says so. */
export function openProject(io: Io, options: { readonly write: boolean }): OpenProject {
  const root = findRoot(io.cwd);
  return { root, ...createGenerator(root, { messages: messagesOf(io), write: options.write }) };
}

/** Prints every generation error and how many there are. */
export function reportProblems(result: GenerateResult & { readonly ok: false }, io: Io): number {
  const { problems } = result;
  for (const problem of problems) io.stderr(formatProblem(problem));
  io.stderr(`${messagesOf(io).problemCount(problems.length)}\n`);
  return exitCodes.failure;
}
