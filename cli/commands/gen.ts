/**
 * `fw gen`: writes the generated file and the bundles of islands.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { readArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { createGenerator, type GenerateResult, type Generator } from "../gen/generator.ts";
import { createBundler } from "../islands/bundler.ts";
import { findRoot } from "../project/manifest.ts";
import { formatProblem } from "../project/problem.ts";

/**
 * Writes the generated file and the bundles of islands, or with `--check` says whether they are out of
 * date.
 *
 * @param args The arguments after `gen`.
 * @param io The world that the command sees.
 * @returns 0; 1 when the app has problems, when its islands cannot be bundled or, with `--check`, when
 * something is out of date.
 */
export async function gen(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.gen;
  const outcome = readArgs(args, { booleans: ["check"] }, { command: "gen", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const isCheck = outcome.args.has("check");
  const project = openProject(io, { write: !isCheck });
  const result = await project.generate();
  if (!result.ok) return reportProblems(result, io);
  if (isCheck && result.changed) {
    io.stderr(`${messages.genStale(generatedFile)}\n`);
    return exitCodes.failure;
  }
  const text = result.changed
    ? messages.genWritten(generatedFile, result.routes.length)
    : messages.genFresh(generatedFile);
  io.stdout(`${text}\n`);
  return await bundleIslands(project.root, { io, write: !isCheck });
}

/**
 * Brings the bundles of islands up to date for production, and says what became of them.
 *
 * @param options `write`: whether to, instead of saying which are out of date.
 * @returns 0; 1 when they are not up to date afterwards.
 */
export async function bundleIslands(
  root: string,
  options: { readonly io: Io; readonly write: boolean },
): Promise<number> {
  const { io, write } = options;
  const messages = messagesOf(io);
  const texts = messages.islands;
  const outcome = await createBundler(root, { write, messages }).bundle();
  switch (outcome.kind) {
    case "fresh":
      if (outcome.islands > 0) io.stdout(`${texts.fresh(outcome.islands)}\n`);
      // Not a failure: they are made again with every save while the development server runs.
      if (outcome.form === "development") io.stderr(`${texts.freshInDevelopment}\n`);
      return exitCodes.ok;
    case "written":
      for (const file of outcome.written) io.stdout(`${texts.written(file)}\n`);
      for (const file of outcome.removed) io.stdout(`${texts.removed(file)}\n`);
      return exitCodes.ok;
    case "stale":
      io.stderr(`${texts.stale(outcome.files.join(", "))}\n`);
      return exitCodes.failure;
    case "unavailable":
      io.stderr(`${texts.unavailable(outcome.files.join(", "), outcome.reason)}\n`);
      return exitCodes.failure;
    case "failed":
      for (const problem of outcome.problems) io.stderr(formatProblem(problem));
      io.stderr(`${texts.count(outcome.problems.length)}\n`);
      return exitCodes.failure;
  }
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
