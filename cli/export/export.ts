import { checkGenerated } from "../gen/generate.ts";
import { type Io, paintFor } from "../io.ts";
import { bundleIslands, bundleLines } from "../islands/bundles.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { errorAt, hasErrors, type Problem, type ProblemText } from "../problem.ts";
import { makeOutputFolder } from "../project/files/write_inside.ts";
import { runAppProgram } from "../project/process/app_program.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import { endFailure, howEnded } from "../project/process/failure.ts";
import type { Project } from "../project/project.ts";
import { isAllowAll, leastFlags, programFlags } from "../project/start_task.ts";
import type { ExportOptions, ExportProblem, ExportProgress, ExportReport } from "@fw/fw";
import { generatedFile } from "@fw/fw/conventions";
import { isAbsolute, relative } from "@std/path";

export interface ExportRequest {
  readonly basePath: string | undefined;
  readonly options: ExportOptions;
}

export interface ExportPlan extends ExportRequest {
  readonly project: Project;
  readonly dir: string;
  readonly io: Io;
  readonly onStep: (text: string) => void;
}

export interface ExportOutcome {
  readonly problems: readonly Problem[];
  readonly report?: ExportReport;
}

export async function exportProject(plan: ExportPlan): Promise<ExportOutcome> {
  const { project } = plan;
  const stale = await checkGenerated(project);
  if (stale.length > 0) return { problems: stale };
  const bundles = await bundleIslands(project);
  const { problems: found } = bundles;
  for (const line of bundleLines(bundles, project.messages)) plan.onStep(line);
  if (hasErrors(found)) return { problems: found };
  const outcome = await run(plan);
  return { ...outcome, problems: [...found, ...outcome.problems] };
}

async function run(plan: ExportPlan): Promise<ExportOutcome> {
  const { project, dir, io, options, basePath } = plan;
  const { root, messages } = project;
  const task = await project.startTask();
  const [detached] = task?.detached ?? [];
  if (detached !== undefined) {
    const text = messages.build.detachedList(detached, detached.replace(" ", "="));
    return { problems: [errorAt({ file: "deno.json" }, "E_START_TASK", text)] };
  }
  // Relative to the project if that is shorter: a permission list cannot contain a comma.
  const way = relative(root, dir);
  const granted = way === "" || way.startsWith("..") || isAbsolute(way) ? dir : way;
  if (granted.includes(",")) return exportError(messages.export.comma(granted));
  try {
    // Created here, because the process may write only inside the output folder.
    await makeOutputFolder(dir);
  } catch {
    // The export reports the file that is in the way.
  }
  const showProgress = (text: string): void => {
    if (io.isTerminal) io.stdout(`\r\u001b[K${text.slice(0, maxColumns)}`);
  };
  const end = await runAppProgram((say) => exportProgram({ dir, basePath, options }, say), {
    root,
    flags: withFolder(programFlags(task?.flags ?? leastFlags), granted),
    env: { ...io.env, ...task?.env, FW_ENV: io.env["FW_ENV"] || "prod" },
    signal: io.signal,
    onOutput: (text) => {
      showProgress("");
      io.stderr(text);
    },
    onMessage: (given) => {
      const message = given as ExportMessage;
      if (message.kind !== "progress") return;
      const { done, total, path } = message.progress;
      showProgress(messages.export.progress(done, total, path));
    },
  });
  showProgress("");
  const said: { readonly [K in ExportMessage["kind"]]?: ExportMessage & { readonly kind: K } } =
    Object.fromEntries((end.said as ExportMessage[]).map((message) => [message.kind, message]));
  const hasStarted = said.started !== undefined;
  if (said.refused !== undefined) return exportError({ message: said.refused.message });
  const ended = end.code === 0 && said.report !== undefined
    ? { problems: [] }
    : explainEnd(end, { project, hasStarted, isStopped: io.signal.aborted });
  if (said.report === undefined) return ended;
  const { report } = said.report;
  // If only the shutdown failed, the site is complete.
  return { report, problems: [...reportProblems(report, messages), ...ended.problems] };
}

function exportError(text: Pick<Problem, "message"> & Partial<ProblemText>): ExportOutcome {
  return { problems: [{ code: "E_EXPORT", severity: "error", ...text }] };
}

function explainEnd(
  end: ProcessEnd,
  state: {
    readonly project: Project;
    readonly hasStarted: boolean;
    readonly isStopped: boolean;
  },
): ExportOutcome {
  const { project: { root, messages }, hasStarted, isStopped } = state;
  const { export: texts } = messages;
  if (isStopped) return exportError({ message: texts.stopped });
  if (end.message === "") return exportError({ message: texts.died(howEnded(end, messages)) });
  const { problems } = endFailure(end, { root, messages, hasServed: hasStarted });
  return {
    problems: problems.map((problem) => hasStarted ? { ...problem, fix: texts.fix } : problem),
  };
}

function withFolder(flags: readonly string[], folder: string): string[] {
  if (flags.some(isAllowAll)) return [...flags];
  // A flag without a list allows more than one with a list.
  const missing = [["read", "-R"], ["write", "-W"]].filter(([name, short = ""]) =>
    !flags.includes(`--allow-${name}`) && !flags.includes(short)
  );
  return [...flags, ...missing.map(([name]) => `--allow-${name}=${folder}`)];
}

type ExportMessage =
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly progress: ExportProgress }
  | { readonly kind: "report"; readonly report: ExportReport }
  | { readonly kind: "refused"; readonly message: string };

const maxColumns = 79;
const progressMs = 50;
const shutdownMs = 3_000;

function exportProgram(job: {
  readonly dir: string;
  readonly basePath: string | undefined;
  readonly options: Omit<ExportOptions, "signal" | "onProgress">;
}, say: string): string {
  return `import { newApp } from "./${generatedFile}";

const { dir, basePath, options } = ${JSON.stringify(job)};

${say}

let toldMs = 0;
function onProgress(progress: { done: number; total: number }): void {
  const now = performance.now();
  if (now - toldMs < ${progressMs} && progress.done < progress.total) return;
  toldMs = now;
  say({ kind: "progress", progress });
}

const app = await newApp(basePath === undefined ? {} : { basePath });
say({ kind: "started" });
try {
  const report = await app.export(dir, { ...options, onProgress });
  say({ kind: "report", report });
} catch (error) {
  const { name, report, message } = error as { name?: string; report?: unknown; message?: string };
  if (name === "ExportError" && report !== undefined) say({ kind: "report", report });
  else if (/^Cannot export /.test(message ?? "")) say({ kind: "refused", message });
  else throw error;
} finally {
  // Neither a shutdown that hangs nor open handles, such as timers, may delay the command.
  await Promise.race([app.shutdown(), new Promise((end) => setTimeout(end, ${shutdownMs}))]);
}
Deno.exit(0);
`;
}

function reportProblems(report: ExportReport, { export: texts }: Messages): Problem[] {
  const shown = (severity: "error" | "warning") => ([first, count]: Group): Problem => ({
    code: first.code,
    severity,
    ...first.source === undefined ? {} : { place: { file: first.source } },
    message: texts.problem(first) + (count === 0 ? "" : ` (${texts.more(count)})`),
  });
  const isLink = ({ code }: ExportProblem): boolean => code.startsWith("link_");
  return [
    ...report.errors.filter((error) => !isLink(error)).map((error) => shown("error")([error, 0])),
    ...grouped(report.errors.filter(isLink)).map(shown("error")),
    ...grouped(report.warnings).map(shown("warning")),
  ];
}

export function printReport(
  report: ExportReport,
  options: { readonly folder: string; readonly durationMs: number; readonly io: Io },
): void {
  const { io, folder, durationMs } = options;
  const { export: texts, problemCount } = messagesOf(io);
  const paint = paintFor(io);
  const { errors, skipped, files } = report;
  if (errors.length === 0) {
    const seconds = (durationMs / 1_000).toFixed(1);
    const pages = files.filter(({ kind }) => kind === "page").length;
    const redirects = files.filter(({ kind }) => kind === "redirect").length;
    const others = files.length - pages - redirects;
    io.stdout(`${paint.green(texts.made(pages, redirects, others, folder, seconds))}\n`);
  } else {
    io.stderr(`${paint.red(problemCount(errors.length))}\n`);
  }
  if (skipped.length === 0) return;
  const lines = skipped.map(({ pattern, source, reason }) =>
    `  ${pattern}${source === "" ? "" : ` (${source})`}: ${texts.skipped[reason]}\n`
  );
  io.stdout(`\n${texts.skippedTitle}\n${lines.join("")}`);
}

type Group = readonly [first: ExportProblem, others: number];

/** A layout repeats a problem on every page, and a list for every query, so keep the first. */
function grouped(problems: readonly ExportProblem[]): Group[] {
  const groups = Map.groupBy(
    problems,
    ({ code, subject, detail }) =>
      `${code} ${subject.startsWith("/") ? detail.replace(/\?.*/, "") : subject}`,
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, others.length] as const]
  );
}
