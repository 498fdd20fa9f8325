/**
 * `fw gen`: writes the generated file.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { readArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { createGenerator, type GenerateResult, type Generator } from "../project/generate.ts";
import { findRoot } from "../project/manifest.ts";
import { formatProblem } from "../project/problem.ts";

/**
 * Writes the generated file, or with `--check` says whether it is out of date.
 *
 * @param args The arguments after `gen`.
 * @param io The world that the command sees.
 * @returns 0; 1 when the app has problems or, with `--check`, when the file is out of date.
 */
export async function gen(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.gen;
  const outcome = readArgs(args, { booleans: ["check"] }, { command: "gen", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const isCheck = outcome.args.has("check");
  const result = await openProject(io, { write: !isCheck }).generate();
  if (!result.ok) return reportProblems(result, io);
  if (isCheck && result.changed) {
    io.stderr(`${messages.genStale(generatedFile)}\n`);
    return exitCodes.failure;
  }
  const text = result.changed
    ? messages.genWritten(generatedFile, result.routes.length)
    : messages.genFresh(generatedFile);
  io.stdout(`${text}\n`);
  return exitCodes.ok;
}

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
