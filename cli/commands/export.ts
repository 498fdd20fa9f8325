/**
 * `fw export`: writes the application's pages as a static site.
 *
 * @module
 */
import { isPlainPath } from "@fw/fw/conventions";
import { join, resolve } from "@std/path";
import { type CommandArgs, readArgs } from "../args.ts";
import { checkProject, exportProject, type ExportRequest } from "../export/export.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { realPathSoFar } from "../project/files/if_there.ts";
import { outputFolder, siteFolder } from "../project/files/output_folder.ts";
import { refuseLibrary } from "../project/library.ts";
import { findProject } from "../project/manifest.ts";

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
  return await exportProject({ ...asked, root, dir, io, isJson });
}

function fail(message: string, options: { readonly io: Io; readonly code?: number }): number {
  options.io.stderr(`${message}\n`);
  return options.code ?? exitCodes.failure;
}

/** Reads the flags; gives the message where one cannot be. */
function readOptions(args: CommandArgs, io: Io): ExportRequest | string {
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
