/**
 * `fw export`: writes the application's pages as a static site.
 *
 * @module
 */
import { generatedFile, isPlainPath } from "@fw/fw/conventions";
import type { ExportOptions, ExportReport } from "@fw/fw";
import { isAbsolute, join, relative, resolve } from "@std/path";
import { type CommandArgs, readArgs } from "../args.ts";
import { makeOutputFolder, outputFolder, siteFolder } from "../build/target.ts";
import { runExport } from "../export/process.ts";
import type { ExportMessage } from "../export/program.ts";
import { printReport } from "../export/report.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import type { ChildEnd } from "../dev/child.ts";
import { endFailure, howEnded } from "../project/process/failure.ts";
import { realPathSoFar } from "../project/files/if_there.ts";
import { refuseLibrary } from "../project/library.ts";
import { findProject, readManifest } from "../project/manifest.ts";
import {
  isAllowAll,
  leastFlags,
  parseStartTask,
  programFlags,
  startCommandOf,
} from "../project/start_task.ts";
import { bundleIslands, openProject, reportProblems } from "./gen.ts";

const spec = {
  booleans: ["force", "json"],
  strings: ["out", "base-url", "base-path", "layout", "concurrency"],
  lists: ["exclude", "elsewhere"],
  shorts: { out: "o" },
} as const;

/**
 * Writes the pages, files and redirects of the application into a folder, in a process that has the
 * permissions of the `start` task and the right to write there.
 *
 * @param args The arguments after `export`.
 * @param io The world that the command sees.
 * @returns 0; 1 when a page fails, a link leads nowhere, or the project is wrong; 2 for a wrong command
 * line.
 */
export async function exportSite(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.export;
  const outcome = readArgs(args, spec, { command: "export", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const asked = readOptions(outcome.args, io);
  if (typeof asked === "string") return fail(asked, { io, code: exitCodes.usage });
  const found = findProject(io.cwd);
  if (found === undefined) return fail(messages.noProject(io.cwd), { io });
  const refusal = await refuseLibrary(found, { command: "export", io });
  if (refusal !== undefined) return refusal;
  const root = await Deno.realPath(found);
  const isJson = outcome.args.has("json");
  // Standard output is the report then, and nothing else.
  const fault = await checkProject(root, isJson ? { ...io, stdout: io.stderr } : io);
  if (fault !== undefined) return fault;
  const given = outcome.args.value("out");
  const target = given === undefined
    ? join(root, outputFolder, siteFolder)
    : resolve(io.cwd, given);
  // Permissions are given for the real path.
  const dir = await realPathSoFar(target);
  return await run({ ...asked, root, dir, io, isJson });
}

interface Asked {
  readonly basePath: string | undefined;
  readonly options: ExportOptions;
}

interface Plan extends Asked {
  readonly root: string;
  readonly dir: string;
  readonly io: Io;
  readonly isJson: boolean;
}

function fail(message: string, options: { readonly io: Io; readonly code?: number }): number {
  options.io.stderr(`${message}\n`);
  return options.code ?? exitCodes.failure;
}

/** Reads the flags; gives the message where one cannot be. */
function readOptions(args: CommandArgs, io: Io): Asked | string {
  const { export: texts } = messagesOf(io);
  const layout = args.value("layout");
  if (layout !== undefined && layout !== "folder" && layout !== "file") {
    return texts.badLayout(layout);
  }
  const concurrency = args.value("concurrency");
  if (concurrency !== undefined && !/^[1-9]\d{0,3}$/.test(concurrency)) {
    return texts.badNumber("--concurrency", concurrency);
  }
  for (const flag of ["exclude", "elsewhere"]) {
    const wrong = args.values(flag).find((path) => !/^\/(?:.*[^/])?$/.test(path));
    if (wrong !== undefined) return texts.badPath(`--${flag}`, wrong);
  }
  const address = readAddress(args, io);
  if (typeof address === "string") return address;
  return {
    basePath: address.basePath,
    options: {
      ...(address.baseUrl === undefined ? {} : { baseUrl: address.baseUrl }),
      ...(layout === undefined ? {} : { layout }),
      ...(concurrency === undefined ? {} : { concurrency: Number(concurrency) }),
      exclude: args.values("exclude"),
      elsewhere: args.values("elsewhere"),
      force: args.has("force"),
    },
  };
}

/** The path of the site's address is the base path, unless that is given. */
function readAddress(
  args: CommandArgs,
  io: Io,
): { readonly baseUrl: string | undefined; readonly basePath: string | undefined } | string {
  const { export: texts } = messagesOf(io);
  const baseUrl = args.value("base-url");
  const basePath = args.value("base-path");
  if (basePath !== undefined && !isBase(basePath)) return texts.badBase("--base-path", basePath);
  if (baseUrl === undefined) return { baseUrl, basePath };
  const url = URL.parse(baseUrl);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  if (!isWeb || `${url.username}${url.password}${url.search}${url.hash}` !== "") {
    return texts.badUrl(baseUrl);
  }
  if (!isBase(url.pathname)) return texts.badBase("--base-url", baseUrl);
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "") return { baseUrl, basePath };
  if (basePath !== undefined && basePath.replace(/\/+$/, "") !== path) {
    return texts.badBasePath(basePath, path);
  }
  return { baseUrl, basePath: path };
}

/** Whether every path of a site can start with this. */
function isBase(path: string): boolean {
  const base = path.replace(/\/+$/, "");
  return base === "" || isPlainPath(base);
}

/** Checks the generated file and bundles the islands; gives the exit code where something is wrong. */
async function checkProject(root: string, io: Io): Promise<number | undefined> {
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

async function run(plan: Plan): Promise<number> {
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
  if (report === undefined) return await explainEnd(end, { root, io, hasStarted });
  const near = relative(io.cwd, dir) || ".";
  const folder = near.length < dir.length ? near : dir;
  const isDone = report.errors.length === 0 && report.brokenLinks.length === 0;
  const durationMs = performance.now() - startMs;
  if (!isJson) printReport(report, { folder, durationMs, io });
  else io.stdout(`${JSON.stringify(report, null, 2)}\n`);
  if (state.isStuck) io.stderr(`\n${texts.stuck}\n`);
  // The export is done, but the application could not end as it should.
  if (end.code !== 0) return await explainEnd(end, { root, io, hasStarted });
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
async function explainEnd(
  end: ChildEnd,
  options: { readonly root: string; readonly io: Io; readonly hasStarted: boolean },
): Promise<number> {
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
    mend: isRefused ? texts.permission : hasStarted ? texts.mend : problem.mend,
  }));
  const { formatFailure } = await import("../dev/error_page.ts");
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
