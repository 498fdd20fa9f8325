/**
 * `fw build`: makes one executable of the application.
 *
 * @module
 */
import { generatedFile, publicFolder } from "@fw/fw/conventions";
import { basename, dirname, isAbsolute, join, relative, resolve } from "@std/path";
import { readArgs } from "../args.ts";
import { buildChecks } from "../build/checks.ts";
import { type CheckTypes, checkTypes } from "../build/check_types.ts";
import { type Compile, compileApp, type CompileJob } from "../build/compile.ts";
import { reportNoBase, reportSmoke } from "../build/report.ts";
import { chooseSampleFile } from "../build/sample_file.ts";
import { planSmokeTest } from "../build/smoke_plan.ts";
import { type Smoke, type SmokeOutcome, smokeTest } from "../build/smoke.ts";
import { chooseOutput, makeOutputFolder, targets } from "../build/target.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import type { RouteEntry } from "../gen/generator.ts";
import { realPathSoFar, statIfThere } from "../project/files/if_there.ts";
import { refuseLibrary } from "../project/library.ts";
import { findProject, readManifest } from "../project/manifest.ts";
import { formatProblem } from "../project/problem.ts";
import {
  executableFlags,
  leastFlags,
  parseStartTask,
  startCommandOf,
  type StartTask,
} from "../project/start_task.ts";
import { type ProductionSettings, readProductionSettings } from "../project/settings/production.ts";
import { bundleIslands, openProject, reportProblems } from "./gen.ts";

/** The steps of a build that reach out of the project; tests hand in their own. */
export interface BuildSteps {
  /** Checks the types. */
  readonly check: CheckTypes;
  /** Makes the executable. */
  readonly compile: Compile;
  /** Starts it and asks it something. */
  readonly smoke: Smoke;
}

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
  return await buildPlan(plan);

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

interface BuildPlan extends BuildSteps {
  readonly io: Io;
  readonly root: string;
  readonly target: string;
  readonly output: string;
  /** What was asked to be included, absolute. */
  readonly includes: readonly string[];
  readonly isSmoked: boolean;
}

/** What is built, once the project was found to be right. */
interface CheckedProject {
  readonly routes: readonly RouteEntry[];
  readonly settings: ProductionSettings;
  readonly task: StartTask;
}

async function buildPlan(plan: BuildPlan): Promise<number> {
  const { io, root, output, target } = plan;
  const messages = messagesOf(io);
  const task = await readTask(plan);
  if (task === undefined) return exitCodes.failure;
  const project = await checkProject(plan, task);
  if (project === undefined) return exitCodes.failure;
  io.stdout(`${messages.build.compiling(task.file, target)}\n`);
  // Looked at first here: until now a stop of the person had nothing to clean up.
  const { signal } = io;
  await makeOutputFolder(output);
  // The same name in another folder: what is there stays until the new one has shown that it works,
  // and Deno keeps the storage of an executable by its name.
  const folder = await Deno.makeTempDir({ dir: dirname(output), prefix: ".fw-build-" });
  try {
    const made = join(folder, basename(output));
    const job = await makeJob(plan, task, made);
    const compiled = await plan.compile(job, { signal });
    if (signal.aborted) return exitCodes.failure;
    if (compiled.kind === "no-base") return await reportNoBase(compiled, { io, target, root });
    if (compiled.kind === "failed") {
      io.stderr(`${messages.build.compileFailed}\n${compiled.output}\n`);
      return exitCodes.failure;
    }
    const tested = await testExecutable(plan, project, made);
    if (signal.aborted) return exitCodes.failure;
    if (tested !== undefined && tested.kind !== "passed") return reportSmoke(tested, io);
    await Deno.rename(made, output);
    await reportBuilt(plan, { tested, job, task });
    return exitCodes.ok;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What the `start` task says; what a new project has where it runs no file. */
async function readTask(plan: BuildPlan): Promise<StartTask | undefined> {
  const command = startCommandOf(await readManifest(plan.root)) ?? "";
  const task: StartTask = parseStartTask(command) ??
    { file: generatedFile, env: {}, flags: leastFlags, args: [], unread: [], separate: [] };
  const fault = await findTaskFault(plan, task);
  if (fault === undefined) return task;
  plan.io.stderr(`${fault}\n`);
  return undefined;
}

/** Why a project cannot be built as its `start` task and the command line say. */
async function findTaskFault(plan: BuildPlan, task: StartTask): Promise<string | undefined> {
  const { io, root, includes } = plan;
  const { build: texts } = messagesOf(io);
  const [unread] = task.unread;
  if (unread !== undefined) return texts.unreadFlag(unread);
  const [separate] = task.separate;
  if (separate !== undefined) return texts.separateFlag(separate.flag, separate.value);
  for (const path of includes) {
    if (await statIfThere(path) === undefined) return texts.noInclude(path);
  }
  // That the generated file is missing is said later, with its own mend.
  const isThere = await statIfThere(join(root, task.file)) !== undefined;
  return isThere || task.file === generatedFile ? undefined : texts.noEntry(task.file);
}

/** Checks the generated file, what the code names, and the types; says what is wrong. */
async function checkProject(
  plan: BuildPlan,
  task: StartTask,
): Promise<CheckedProject | undefined> {
  const { io, root } = plan;
  const messages = messagesOf(io);
  io.stdout(`${messages.build.checking}\n`);
  const result = await openProject(io, { write: false }).generate();
  if (!result.ok) {
    reportProblems(result, io);
    return undefined;
  }
  if (result.changed) {
    io.stderr(`${messages.genStale(generatedFile)}\n`);
    return undefined;
  }
  if (await bundleIslands(root, { io, write: true }) !== exitCodes.ok) return undefined;
  const settings = await readProductionSettings(root, { ...io.env, ...task.env });
  const { routes } = result;
  const found = await Promise.all(
    buildChecks.map((check) => check({ root, routes, settings, messages })),
  );
  const problems = found.flat();
  for (const problem of problems) io.stderr(formatProblem(problem));
  if (problems.length > 0) {
    io.stderr(`${messages.build.faults(problems.length)}\n`);
    return undefined;
  }
  io.stdout(`${messages.build.checkingTypes}\n`);
  const wrong = await plan.check(root, task.file);
  if (wrong === undefined) return { routes, settings, task };
  io.stderr(`${wrong}\n${messages.build.typesWrong}\n`);
  return undefined;
}

async function makeJob(plan: BuildPlan, task: StartTask, output: string): Promise<CompileJob> {
  const { root, target, includes } = plan;
  const hasPublic = (await statIfThere(join(root, publicFolder)))?.isDirectory;
  return {
    root,
    entry: task.file,
    output,
    target: target === Deno.build.target ? undefined : target,
    includes: [
      ...(hasPublic ? [publicFolder] : []),
      ...includes.map((path) => relative(root, path)),
    ],
    flags: executableFlags(task.flags).flags,
    args: task.args,
  };
}

/** Starts the executable; gives nothing where it cannot or must not be started. */
async function testExecutable(
  plan: BuildPlan,
  project: CheckedProject,
  executable: string,
): Promise<SmokeOutcome | undefined> {
  const { io, root, target, isSmoked } = plan;
  if (!isSmoked || target !== Deno.build.target) return undefined;
  const { routes, settings, task } = project;
  io.stdout(`${messagesOf(io).build.testing}\n`);
  const file = await chooseSampleFile(root, routes);
  return await plan.smoke({
    ...planSmokeTest(settings, { flags: task.flags, file }),
    executable,
    signal: io.signal,
    env: { ...task.env, FW_ENV: "prod", FW_DEV_READY: "", NO_COLOR: "1" },
  });
}

async function reportBuilt(
  plan: BuildPlan,
  done: {
    readonly tested: SmokeOutcome | undefined;
    readonly job: CompileJob;
    readonly task: StartTask;
  },
): Promise<void> {
  const { io, output, target, isSmoked } = plan;
  const { tested, job, task } = done;
  const { build: texts } = messagesOf(io);
  const { size } = await Deno.stat(output);
  const { dropped } = executableFlags(task.flags);
  const names = Object.keys(task.env);
  const lines = [
    texts.built(relative(io.cwd, output) || output, formatSize(size), target),
    tested?.kind === "passed"
      ? texts.started(Math.round(tested.startMs), tested.asked.join(` ${texts.and} `), tested.host)
      : isSmoked
      ? texts.notTested(target)
      : texts.skipped,
    texts.permissions(job.flags.join(" ")),
    ...(dropped.length === 0 ? [] : [texts.dropped(dropped.join(" "))]),
    ...(names.length === 0 ? [] : [texts.variables(names.join(", "))]),
  ];
  io.stdout(`${lines.join("\n")}\n`);
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
