/**
 * `fw build`: makes one executable of the application.
 *
 * @module
 */
import { publicFolder } from "@fw/fw/conventions";
import { isAbsolute, join, relative, resolve } from "@std/path";
import { readArgs } from "../args.ts";
import { buildExecutable, type BuildPlan, type BuildSteps } from "../build/build.ts";
import { checkTypes } from "../build/checks.ts";
import { compileApp } from "../build/compile.ts";
import { smokeTest } from "../build/smoke.ts";
import { chooseOutput, targets } from "../build/target.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { realPathSoFar, statIfThere } from "../project/files/if_there.ts";
import { refuseLibrary } from "../project/library.ts";
import { findProject } from "../project/manifest.ts";

/**
 * Makes one executable of the application, with its static files inside and its permissions fixed,
 * and starts it once.
 *
 * @param args The arguments after `build`.
 * @param io The world that the command sees.
 * @returns 0; 1 when something is wrong with the project or the executable; 2 for a wrong command line.
 */
export function build(args: readonly string[], io: Io): Promise<number> {
  return runBuild(args, { io, check: checkTypes, compile: compileApp, smoke: smokeTest });
}

/** The same, with steps of one's own. */
export async function runBuild(
  args: readonly string[],
  options: BuildSteps & { readonly io: Io },
): Promise<number> {
  const { io } = options;
  const messages = messagesOf(io);
  const outcome = readArgs(args, {
    booleans: ["skip-smoke"],
    strings: ["target", "output"],
    lists: ["include"],
    shorts: { output: "o" },
  }, { command: "build", help: messages.help.build, messages, io });
  if (!outcome.ok) return outcome.code;
  const found = findProject(io.cwd);
  if (found === undefined) return fail(messages.noProject(io.cwd));
  const refusal = await refuseLibrary(found, { command: "build", io });
  if (refusal !== undefined) return refusal;
  const { args: given } = outcome;
  const root = await Deno.realPath(found);
  const target = given.value("target") ?? Deno.build.target;
  if (!targets.includes(target)) {
    return fail(messages.build.badTarget(target, targets.join(", ")), exitCodes.usage);
  }
  const output = await chooseOutput(root, { output: given.value("output"), cwd: io.cwd, target });
  if ((await statIfThere(output))?.isDirectory) {
    return fail(messages.build.outputIsFolder(output), exitCodes.usage);
  }
  const includes = given.values("include").map((path) => resolve(io.cwd, path));
  const holder = await findHolder(output, [join(root, publicFolder), ...includes]);
  if (holder !== undefined) {
    const folder = relative(root, holder) || holder;
    return fail(messages.build.outputIsHeld(output, folder), exitCodes.usage);
  }
  const plan: BuildPlan = {
    ...options,
    root,
    target,
    output,
    includes,
    isSmoked: !given.has("skip-smoke"),
  };
  return await buildExecutable(plan);

  function fail(message: string, code: number = exitCodes.failure): number {
    io.stderr(`${message}\n`);
    return code;
  }
}

/** The folder that the executable would be written to and holds: it would hold what is half written. */
async function findHolder(output: string, held: readonly string[]): Promise<string | undefined> {
  const path = await realPathSoFar(output);
  for (const folder of held) {
    const way = relative(await realPathSoFar(folder), path);
    if (!isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way)) return folder;
  }
  return undefined;
}
