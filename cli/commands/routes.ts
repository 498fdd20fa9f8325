/**
 * `fw routes`: lists the routes.
 *
 * @module
 */
import { readArgs } from "../args.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import type { RouteEntry } from "../project/generate.ts";
import { openProject, reportProblems } from "./gen.ts";

/**
 * Lists the routes as a table, or with `--json` as an array of
 * `{ methods: string[], pattern: string, kind: "page" | "api", source: string }`.
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
    const entries = result.routes.map(({ methods, pattern, kind, source }) => ({
      methods,
      pattern,
      kind,
      source,
    }));
    io.stdout(`${JSON.stringify(entries, null, 2)}\n`);
  } else if (result.routes.length === 0) io.stdout(`${messages.routesNone}\n`);
  else io.stdout(formatTable(result.routes, { io, headers: messages.routesHeaders }));
  return exitCodes.ok;
}

function formatTable(
  entries: readonly RouteEntry[],
  options: { readonly io: Io; readonly headers: readonly string[] },
): string {
  const paint = paintFor(options.io);
  const rows = entries.map((entry) => [entry.methods.join(","), entry.pattern, entry.source]);
  const widths = options.headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
  return [paint.bold(line(options.headers)), ...rows.map(line)].join("\n") + "\n";
}
