import { join, relative, resolve } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { exportProject, type ExportRequest, printReport } from "../export/export.ts";
import { exitCodes, type Io } from "../io.ts";
import { printProblems } from "../printer.ts";
import { hasErrors } from "../problem.ts";
import { realPathSoFar } from "../project/files/look.ts";
import { outputFolder, refuseOutputLink, siteFolder } from "../project/files/write_inside.ts";
import { requireApp } from "../project/project.ts";
import { UsageError } from "../stop.ts";

export async function exportSite(args: CommandArgs, io: Io): Promise<number> {
  const asked = readOptions(args);
  const project = await requireApp("export", io);
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
  const onStep = (text: string): void => io.stdout(`${text}\n`);
  const made = await exportProject({ ...asked, project, dir, io, onStep });
  const isOk = !hasErrors(made.problems);
  printProblems(made.problems, io);
  if (made.report !== undefined) {
    const near = relative(io.cwd, dir) || ".";
    const folder = near.length < dir.length ? near : dir;
    printReport(made.report, { folder, durationMs: performance.now() - startMs, io });
  }
  return isOk ? exitCodes.ok : exitCodes.failure;
}

/** Reads the options; `app.export` checks their values. The path of the base URL is the base path. */
function readOptions(args: CommandArgs): ExportRequest {
  const baseUrl = args.value("base-url");
  const url = URL.parse(baseUrl ?? "http://localhost");
  if (url === null) throw new UsageError(({ export: texts }) => texts.badUrl(baseUrl ?? ""));
  const path = url.pathname.replace(/\/+$/, "");
  return {
    basePath: path === "" ? undefined : path,
    options: {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      only: args.values("only"),
      exclude: args.values("exclude"),
      elsewhere: args.values("elsewhere"),
    },
  };
}
