import { isPlainPath } from "@fw/fw/addon";
import { join, relative, resolve } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { type ExportOutcome, exportProject, type ExportRequest } from "../export/export.ts";
import { printReport } from "../export/export.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
import { hasErrors } from "../problem.ts";
import { realPathSoFar } from "../project/files/look.ts";
import { outputFolder, refuseOutputLink, siteFolder } from "../project/files/output_folder.ts";
import { requireApp } from "../project/project.ts";
import { formatFailure } from "../project/process/failure.ts";
import { UsageError } from "../stop.ts";

export async function exportSite(args: CommandArgs, io: Io): Promise<number> {
  const asked = readOptions(args, io);
  const project = await requireApp("export", io);
  const isJson = args.has("json");
  const given = args.value("out");
  const target = given === undefined
    ? join(project.root, outputFolder, siteFolder)
    : resolve(io.cwd, given);
  // Permissions apply to the real path.
  const dir = await realPathSoFar(target);
  if (given === undefined) {
    await refuseOutputLink(project, { folder: join(outputFolder, siteFolder), flag: "--out" });
  }
  const startMs = performance.now();
  const onStep = (text: string): void => isJson ? undefined : io.stdout(`${text}\n`);
  const made = await exportProject({ ...asked, project, dir, io, hasProgress: !isJson, onStep });
  const isOk = !hasErrors(made.problems);
  const { problems, report } = made;
  if (isJson) printJson({ ok: isOk, problems, ...(report && { report }) }, io);
  else print(made, { io, dir, durationMs: performance.now() - startMs });
  return isOk ? exitCodes.ok : exitCodes.failure;
}

function print(
  { problems, report, failure }: ExportOutcome,
  options: { readonly io: Io; readonly dir: string; readonly durationMs: number },
): void {
  const { io, dir, durationMs } = options;
  const shown = failure?.problems ?? [];
  printProblems(problems.filter((problem) => !shown.some((other) => other === problem)), io);
  if (report !== undefined) {
    const near = relative(io.cwd, dir) || ".";
    printReport(report, { folder: near.length < dir.length ? near : dir, durationMs, io });
  }
  if (failure !== undefined) {
    io.stderr(formatFailure(failure, { messages: messagesOf(io), paint: paintFor(io) }));
  }
}

function readOptions(args: CommandArgs, io: Io): ExportRequest {
  const { export: texts } = messagesOf(io);
  const layout = args.value("layout");
  if (layout !== undefined && layout !== "folder" && layout !== "file") {
    throw new UsageError(texts.badLayout(layout));
  }
  const concurrency = args.value("concurrency");
  if (concurrency !== undefined && !/^[1-9]\d{0,3}$/.test(concurrency)) {
    throw new UsageError(texts.badNumber("--concurrency", concurrency));
  }
  for (const flag of ["exclude", "elsewhere"]) {
    const wrong = args.values(flag).find((path) => !/^\/(?:.*[^/])?$/.test(path));
    if (wrong !== undefined) throw new UsageError(texts.badPath(`--${flag}`, wrong));
  }
  const address = readAddress(args, io);
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

/** Returns the base URL and the base path. The path of the base URL is the default base path. */
function readAddress(
  args: CommandArgs,
  io: Io,
): { readonly baseUrl: string | undefined; readonly basePath: string | undefined } {
  const { export: texts } = messagesOf(io);
  const baseUrl = args.value("base-url");
  const basePath = args.value("base-path");
  if (basePath !== undefined && !isBase(basePath)) {
    throw new UsageError(texts.badBase("--base-path", basePath));
  }
  if (baseUrl === undefined) return { baseUrl, basePath };
  const url = URL.parse(baseUrl);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  if (!isWeb || `${url.username}${url.password}${url.search}${url.hash}` !== "") {
    throw new UsageError(texts.badUrl(baseUrl));
  }
  if (!isBase(url.pathname)) throw new UsageError(texts.badBase("--base-url", baseUrl));
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "") return { baseUrl, basePath };
  if (basePath !== undefined && basePath.replace(/\/+$/, "") !== path) {
    throw new UsageError(texts.badBasePath(basePath, path));
  }
  return { baseUrl, basePath: path };
}

/** Reports whether the paths of a site can start with this one. */
function isBase(path: string): boolean {
  const base = path.replace(/\/+$/, "");
  return base === "" || isPlainPath(base);
}
