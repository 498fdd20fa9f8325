/**
 * Finds what the handlers of the API read: the schemas of `bind`, `bindJson` and `bindQuery`, and fields
 * that they read one by one. `type Api` of the generated file names them, so that the compiler checks
 * what callers send.
 *
 * The syntax decides, as for the routes: a schema counts if the generated file can name it, so if its
 * file exports it.
 */
import { routeMethods } from "@fw/fw/conventions";
import type { ConventionFile } from "../project/routes/convention_file.ts";
import type { Route } from "../project/routes/table.ts";
import { findFunction } from "../project/sources/functions.ts";
import type { Sources } from "../project/sources/sources.ts";
import { handlerReadsOf } from "./handler_reads.ts";
import type { HandlerReads } from "./reads_draft.ts";

/** What the handlers of the API read, by route file and method. */
export type ApiReads = ReadonlyMap<ConventionFile, ReadonlyMap<string, HandlerReads>>;

/** Reads what the handlers of the API read. */
export function findApiReads(sources: Sources, routes: readonly Route[]): ApiReads {
  const files = routes.filter(({ file }) => file.base === "route").map(({ file }) => file);
  return new Map(files.map((file) => [file, readRouteFile(sources, file)]));
}

function readRouteFile(
  sources: Sources,
  file: ConventionFile,
): ReadonlyMap<string, HandlerReads> {
  const found = new Map<string, HandlerReads>();
  for (const [name, exported] of file.names) {
    if (!routeMethods.includes(name as typeof routeMethods[number])) continue;
    const lookup = sources.follow(file.path, exported);
    if (lookup.kind !== "found" || lookup.path === undefined) continue;
    const source = sources.read(lookup.path);
    // A renamed re-export keeps the name of its own file there.
    const own = exported.from?.name ?? name;
    const handler = source && findFunction(sources.ts, source.tree, own);
    if (source === undefined || handler === undefined) continue;
    found.set(name, handlerReadsOf(sources, source, handler));
  }
  return found;
}
