/**
 * `fw routes`: lists the routes.
 *
 * @module
 */
import { readArgs } from "../args.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import type { RouteEntry } from "../gen/generator.ts";
import { openProject, reportProblems } from "../gen/open.ts";

/**
 * Lists the routes as a table, or with `--json` as an array of
 * `{ methods: string[], pattern: string, kind: "page" | "api", source: string, kindSource?: string,
 * csrf?: false }`.
 *
 * @param args The arguments after `routes`.
 * @param io The world that the command sees.
 * @returns 0; 1 when the app has problems.
 */
export async function routes(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.routes;
  const outcome = readArgs(args, { booleans: ["json"] }, { command: "routes", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const result = await openProject(io, { write: false }).generate();
  if (!result.ok) return reportProblems(result, io);
  if (outcome.args.has("json")) {
    io.stdout(`${JSON.stringify(result.routes, null, 2)}\n`);
  } else if (result.routes.length === 0) io.stdout(`${messages.routesNone}\n`);
  else io.stdout(formatTable(result.routes, io));
  return exitCodes.ok;
}

function formatTable(entries: readonly RouteEntry[], io: Io): string {
  const paint = paintFor(io);
  const { routesHeaders: headers, routesNoCsrf } = messagesOf(io);
  const rows = entries.map(({ methods, pattern, source, csrf }) => [
    methods.join(","),
    pattern,
    csrf === false ? `${source} (${routesNoCsrf})` : source,
  ]);
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
  return [paint.bold(line(headers)), ...rows.map(line)].join("\n") + "\n";
}
