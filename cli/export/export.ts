/**
 * Writes the pages of a project as a static site.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import type { ExportOptions, ExportReport } from "@fw/fw";
import { isAbsolute, relative } from "@std/path";
import { openProject, reportProblems } from "../gen/open.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { bundleIslands } from "../islands/report.ts";
import { messagesOf } from "../messages/catalog.ts";
import { makeOutputFolder } from "../project/files/output_folder.ts";
import { readManifest } from "../project/manifest.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import { endFailure, howEnded } from "../project/process/failure.ts";
import { formatFailure } from "../project/process/failure_text.ts";
import {
  isAllowAll,
  leastFlags,
  parseStartTask,
  programFlags,
  startCommandOf,
} from "../project/start_task.ts";
import { runExport } from "./process.ts";
import type { ExportMessage } from "./program.ts";
import { printReport } from "./report.ts";

/** What was asked for on the command line. */
export interface ExportRequest {
  readonly basePath: string | undefined;
  readonly options: ExportOptions;
}

/** What is exported, and how. */
export interface ExportPlan extends ExportRequest {
  readonly root: string;
  readonly dir: string;
  readonly io: Io;
  readonly isJson: boolean;
}

function fail(message: string, options: { readonly io: Io; readonly code?: number }): number {
  options.io.stderr(`${message}\n`);
  return options.code ?? exitCodes.failure;
}

/** Checks the generated file and bundles the islands; gives the exit code where something is wrong. */
export async function checkProject(root: string, io: Io): Promise<number | undefined> {
  const result = await openProject(io, { write: false }).generate();
  if (!result.ok) return reportProblems(result, io);
  if (result.changed) return fail(messagesOf(io).genStale(generatedFile), { io });
  const code = await bundleIslands(root, { io, write: true });
  return code === exitCodes.ok ? undefined : code;
}

/** What the process has said. */
interface ExportState {
  report?: ExportReport;
  refused?: string;
  hasStarted: boolean;
  isStuck: boolean;
}

/**
 * Writes the site in a process of its own, and says what became of it.
 *
 * @returns The exit code.
 */
export async function exportProject(plan: ExportPlan): Promise<number> {
  const { root, dir, io, isJson, options, basePath } = plan;
  const startMs = performance.now();
  const { export: texts } = messagesOf(io);
  const task = parseStartTask(startCommandOf(await readManifest(root)) ?? "");
  const [separate] = task?.separate ?? [];
  if (separate !== undefined) {
    return fail(messagesOf(io).build.separateFlag(separate.flag, separate.value), { io });
  }
  // From the project's folder, where that is shorter: a list of permissions can hold no comma.
  const way = relative(root, dir);
  const granted = way === "" || way.startsWith("..") || isAbsolute(way) ? dir : way;
  if (granted.includes(",")) return fail(texts.comma(granted), { io });
  try {
    // Here, since the process may write in the site's own folder alone.
    await makeOutputFolder(dir);
  } catch {
    // A file is in the way: the export says so.
  }
  const state: ExportState = { hasStarted: false, isStuck: false };
  const progress = progressLine(io, { isShown: io.isTerminal && !isJson });
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
  const { report, refused, hasStarted } = state;
  if (refused !== undefined) return fail(refused, { io });
  if (report === undefined) return explainEnd(end, { root, io, hasStarted });
  const near = relative(io.cwd, dir) || ".";
  const folder = near.length < dir.length ? near : dir;
  const isDone = report.errors.length === 0 && report.brokenLinks.length === 0;
  const durationMs = performance.now() - startMs;
  if (!isJson) printReport(report, { folder, durationMs, io });
  else io.stdout(`${JSON.stringify(report, null, 2)}\n`);
  if (state.isStuck) io.stderr(`\n${texts.stuck}\n`);
  // The export is done, but the application could not end as it should.
  if (end.code !== 0) return explainEnd(end, { root, io, hasStarted });
  return isDone ? exitCodes.ok : exitCodes.failure;

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

/** Says why a process ended before it had exported, or before it could end as it should. */
function explainEnd(
  end: ProcessEnd,
  options: { readonly root: string; readonly io: Io; readonly hasStarted: boolean },
): number {
  const { root, io, hasStarted } = options;
  const messages = messagesOf(io);
  const { export: texts } = messages;
  if (io.signal.aborted) return fail(texts.stopped, { io });
  if (end.message === "") return fail(texts.died(howEnded(end, messages)), { io });
  // The program itself is no file of the project.
  const message = end.message.split("\n").filter((line) => !line.includes("$deno$stdin")).join(
    "\n",
  );
  const failure = endFailure({ ...end, message }, { root, messages, hasServed: hasStarted });
  const isRefused = /\bNotCapable\b/.test(message);
  const problems = failure.problems.map((problem) => ({
    ...problem,
    fix: isRefused ? texts.permission : hasStarted ? texts.fix : problem.fix,
  }));
  io.stderr(formatFailure({ ...failure, problems }, { messages, paint: paintFor(io) }));
  return exitCodes.failure;
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
