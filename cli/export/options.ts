/** Reads the options of `export` from its command line. */
import { isPlainPath } from "@fw/fw/addon";
import type { CommandArgs } from "../args.ts";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { UsageError } from "../stop.ts";
import type { ExportRequest } from "./export.ts";

export function parseOptions(args: CommandArgs, io: Io): ExportRequest {
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
