/**
 * Checks a project and makes one executable of it.
 *
 * @module
 */
import { generatedFile, publicFolder } from "@fw/fw/conventions";
import { basename, dirname, join, relative } from "@std/path";
import { openProject, reportProblems } from "../gen/open.ts";
import type { RouteEntry } from "../gen/generator.ts";
import { exitCodes, type Io } from "../io.ts";
import { bundleIslands } from "../islands/report.ts";
import { messagesOf } from "../messages/catalog.ts";
import { statIfThere } from "../project/files/if_there.ts";
import { makeOutputFolder } from "../project/files/output_folder.ts";
import { readManifest } from "../project/manifest.ts";
import { type ProductionSettings, readProductionSettings } from "../project/settings/production.ts";
import {
  executableFlags,
  leastFlags,
  parseStartTask,
  startCommandOf,
  type StartTask,
} from "../project/start_task.ts";
import { buildChecks, type CheckTypes } from "./checks.ts";
import type { Compile, CompileJob } from "./compile.ts";
import { reportNoBase, reportSmoke } from "./report.ts";
import { chooseSampleFile } from "./sample_file.ts";
import { planSmokeTest } from "./smoke_plan.ts";
import type { Smoke, SmokeOutcome } from "./smoke.ts";
import { formatProblem } from "../problem.ts";

/** The steps of a build that reach out of the project; tests hand in their own. */
export interface BuildSteps {
  /** Checks the types. */
  readonly check: CheckTypes;
  /** Makes the executable. */
  readonly compile: Compile;
  /** Starts it and asks it something. */
  readonly smoke: Smoke;
}

/** What is built, and how. */
export interface BuildPlan extends BuildSteps {
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

/**
 * Checks a project, makes its executable and starts it once; says what is wrong.
 *
 * @returns The exit code.
 */
export async function buildExecutable(plan: BuildPlan): Promise<number> {
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
  // That the generated file is missing is said later, with its own fix.
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
