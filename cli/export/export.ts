/**
 * Writes the pages of a project as a static site.
 *
 * @module
 */
import type { ExportOptions, ExportReport } from "@fw/fw";
import { isAbsolute, relative } from "@std/path";
import { checkGenerated } from "../gen/generate.ts";
import type { Io } from "../io.ts";
import { bundleIslands, bundleLines } from "../islands/report.ts";
import { errorAt, hasErrors, type Problem, type ProblemText } from "../problem.ts";
import { makeOutputFolder } from "../project/files/output_folder.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import { endFailure, type Failure, howEnded } from "../project/process/failure.ts";
import type { Project } from "../project/project.ts";
import { isAllowAll, leastFlags, programFlags } from "../project/start_task.ts";
import { runExport } from "./process.ts";
import type { ExportMessage } from "./program.ts";
import { reportProblems } from "./report.ts";

/** What was asked for on the command line. */
export interface ExportRequest {
  /** The URL prefix of the application, where it is to be another. */
  readonly basePath: string | undefined;
  /** What is exported, and how. */
  readonly options: ExportOptions;
}

/** What is exported, and how. */
export interface ExportPlan extends ExportRequest {
  /** The project. */
  readonly project: Project;
  /** The folder of the site, absolute. */
  readonly dir: string;
  /** The environment, the terminal, and the signal that ends the export. */
  readonly io: Io;
  /** Whether the progress is shown. */
  readonly hasProgress: boolean;
  /** Takes a line for each file that is written before the site. */
  readonly onStep: (text: string) => void;
}

/** What became of an export. */
export interface ExportOutcome {
  /** What is wrong, warnings included. */
  readonly problems: readonly Problem[];
  /** What the site consists of; `undefined` where the export did not come so far. */
  readonly report?: ExportReport;
  /** How the application failed, with the code around the place, for people. */
  readonly failure?: Failure;
}

/** Checks a project, then writes its site in a process of its own. */
export async function exportProject(plan: ExportPlan): Promise<ExportOutcome> {
  const { project } = plan;
  const { problems: stale } = await checkGenerated(project);
  if (stale.length > 0) return { problems: stale };
  const bundles = await bundleIslands(project);
  const { problems: found } = bundles;
  for (const line of bundleLines(bundles, project.messages)) plan.onStep(line);
  if (hasErrors(found)) return { problems: found };
  const outcome = await run(plan);
  return { ...outcome, problems: [...found, ...outcome.problems] };
}

/** What the process has said. */
interface ExportState {
  report?: ExportReport;
  refused?: string;
  hasStarted: boolean;
  isStuck: boolean;
}

async function run(plan: ExportPlan): Promise<ExportOutcome> {
  const { project, dir, io, options, basePath } = plan;
  const { root, messages } = project;
  const { export: texts } = messages;
  const task = await project.startTask();
  const [separate] = task?.separate ?? [];
  if (separate !== undefined) {
    const text = messages.build.separateFlag(separate.flag, separate.value);
    return { problems: [errorAt({ file: "deno.json" }, "E_START_TASK", text)] };
  }
  // From the project's folder, where that is shorter: a list of permissions can hold no comma.
  const way = relative(root, dir);
  const granted = way === "" || way.startsWith("..") || isAbsolute(way) ? dir : way;
  if (granted.includes(",")) return exportError(texts.comma(granted));
  try {
    // Here, since the process may write in the site's own folder alone.
    await makeOutputFolder(dir);
  } catch {
    // A file is in the way: the export says so.
  }
  const state: ExportState = { hasStarted: false, isStuck: false };
  const progress = progressLine(io, { isShown: io.isTerminal && plan.hasProgress });
  const end = await runExport({ dir, basePath, options }, {
    root,
    flags: withFolder(programFlags(task?.flags ?? leastFlags), granted),
    env: { ...ownVariables(io), ...task?.env, FW_ENV: io.env["FW_ENV"] || "prod" },
    signal: io.signal,
    onOutput: (text) => {
      progress.clear();
      io.stderr(text);
    },
    onMessage: (message) => take(message),
  });
  progress.clear();
  return outcomeOf(state, { end, project, isStopped: io.signal.aborted });

  function take(message: ExportMessage): void {
    if (message.kind === "started") state.hasStarted = true;
    if (message.kind === "report") state.report = message.report;
    if (message.kind === "stuck") state.isStuck = true;
    if (message.kind === "refused") state.refused = message.message;
    if (message.kind !== "progress") return;
    const { done, total, path } = message.progress;
    progress.show(texts.progress(done, total, path));
  }
}

function exportError(text: Pick<Problem, "message"> & Partial<ProblemText>): ExportOutcome {
  return { problems: [{ code: "E_EXPORT", severity: "error", ...text }] };
}

interface ProcessOutcome {
  readonly end: ProcessEnd;
  readonly project: Project;
  /** Whether the person asked to stop. */
  readonly isStopped: boolean;
}

function outcomeOf(state: ExportState, process: ProcessOutcome): ExportOutcome {
  const { end, project: { messages } } = process;
  const { report, refused, isStuck, hasStarted } = state;
  if (refused !== undefined) return exportError({ message: refused });
  if (report === undefined) return explainEnd(process, { hasStarted });
  const problems = [
    ...reportProblems(report, messages),
    ...(isStuck
      ? [{ code: "E_EXPORT", severity: "warning", ...messages.export.stuck() } as const]
      : []),
  ];
  if (end.code === 0) return { problems, report };
  // The export is done, but the application could not end as it should.
  const ended = explainEnd(process, { hasStarted });
  return { ...ended, report, problems: [...problems, ...ended.problems] };
}

/** Explains why a process ended before it had exported, or before it could end as it should. */
function explainEnd(
  { end, project: { root, messages }, isStopped }: ProcessOutcome,
  { hasStarted }: { readonly hasStarted: boolean },
): ExportOutcome {
  const { export: texts } = messages;
  if (isStopped) return exportError({ message: texts.stopped });
  if (end.message === "") return exportError({ message: texts.died(howEnded(end, messages)) });
  // The program itself is no file of the project.
  const message = end.message.split("\n").filter((line) => !line.includes("$deno$stdin")).join(
    "\n",
  );
  const failure = endFailure({ ...end, message }, { root, messages, hasServed: hasStarted });
  const isRefused = /\bNotCapable\b/.test(message);
  const fix = isRefused ? texts.permission : hasStarted ? texts.fix : undefined;
  const problems = fix === undefined
    ? failure.problems
    : failure.problems.map((problem) => ({ ...problem, fix }));
  return { problems, failure: { ...failure, problems } };
}

/** What the process may do: what the application may, and write the site. */
function withFolder(flags: readonly string[], folder: string): string[] {
  if (flags.some(isAllowAll)) return [...flags];
  // A flag without list allows more than one with a list.
  const isOpen = (name: string, short: string): boolean =>
    flags.includes(`--allow-${name}`) || flags.includes(short);
  return [
    ...flags,
    ...(isOpen("read", "-R") ? [] : [`--allow-read=${folder}`]),
    ...(isOpen("write", "-W") ? [] : [`--allow-write=${folder}`]),
  ];
}

function ownVariables(io: Io): Record<string, string> {
  return Object.fromEntries(
    Object.entries(io.env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
}

/** A line of the terminal that is written over. */
function progressLine(
  io: Io,
  options: { readonly isShown: boolean },
): { show(text: string): void; clear(): void } {
  let isThere = false;
  return {
    show: (text) => {
      if (!options.isShown) return;
      isThere = true;
      io.stdout(`\r\u001b[K${text.slice(0, maxColumns)}`);
    },
    clear: () => {
      if (isThere) io.stdout("\r\u001b[K");
      isThere = false;
    },
  };
}

const maxColumns = 79;
