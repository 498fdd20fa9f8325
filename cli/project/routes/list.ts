import type { Messages } from "../../messages/catalog.ts";
import type { RouteEntry } from "./routes.ts";

export function routeList(
  entries: readonly RouteEntry[],
  options: { readonly messages: Messages; readonly paint?: (text: string) => string },
): string {
  const { messages, paint = (text: string): string => text } = options;
  const { routesHeaders: headers, routesNoCsrf, routesSiteCsrf } = messages;
  const rows = entries.flatMap(({ methods, pattern, actions = [], source, csrf }) => {
    const note = csrf === false ? routesNoCsrf : routesSiteCsrf;
    const place = csrf === undefined ? source : `${source} (${note})`;
    return [
      [methods.join(","), pattern, place],
      // As the log and the metrics call them.
      ...actions.map((name) => ["POST", `${pattern}?/${name}`, place]),
    ];
  });
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
  return [paint(line(headers)), ...rows.map(line)].join("\n") + "\n";
}
