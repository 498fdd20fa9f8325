/** Writes a project's map within a budget; details that its files show are omitted first. */
import { cutText, escapeLines } from "@fw/fw/addon";
import type { Messages } from "../../messages/catalog.ts";
import { codeSpan, lineText } from "../markdown.ts";
import type { OperationEntry, ProjectMap, RouteMapEntry } from "./map.ts";

const bytesPerRoute = 200;
const leastBytes = 100 * bytesPerRoute;

export function formatMap(map: ProjectMap, texts: Messages["describe"]["ctx"]): string {
  const maxBytes = Math.max(leastBytes, map.routes.length * bytesPerRoute);
  for (const detail of details) {
    const text = format(map, texts, detail);
    if (new TextEncoder().encode(text).length < maxBytes) return text;
  }
  return format(map, texts, least);
}

const least = { typeChars: 0, hasSummaries: false, hasShapes: false, hasTests: false };
const all = { hasSummaries: true, hasShapes: true, hasTests: true };

type Detail = Readonly<typeof least>;

/** The levels of detail, most detailed first. */
const details: readonly Detail[] = [
  { ...all, typeChars: 600 },
  { ...all, typeChars: 200 },
  { ...all, typeChars: 0 },
  { ...least, hasShapes: true, hasTests: true },
  { ...least, hasShapes: true },
];

function format(map: ProjectMap, texts: Messages["describe"]["ctx"], detail: Detail): string {
  const { routes, types, provides, settings, variables, islands } = map;
  // Keeps a line whole and visible: files may have any name, and guards any text.
  const shown = (line: string): string => escapeLines(line.replaceAll(/[\r\n]+/g, " "));
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? "" : `\n## ${title}\n\n${lines.map(shown).join("\n")}\n`;
  const operations = Map.groupBy(map.operations, ({ pattern }) => pattern);
  return [
    `# ${lineText(map.name)}\n\n${texts.intro(map.version, routes.length)}\n`,
    section(
      texts.routes,
      routes.flatMap((route) => routeLines(route, operations.get(route.pattern) ?? [], detail)),
    ),
    section(texts.layouts, sharedFiles(routes, "layouts")),
    section(texts.middleware, sharedFiles(routes, "middleware")),
    section(
      texts.types,
      types.map(({ name, file, line, text }) => {
        const { typeChars } = detail;
        const shown = cutText(text, typeChars);
        return `- ${codeSpan(name)} ${file}:${line}${typeChars === 0 ? "" : ` ${codeSpan(shown)}`}`;
      }),
    ),
    section(
      texts.provides,
      provides.map(({ key, type, file }) =>
        `- ${codeSpan(`use(c, ${key})`)}${type === undefined ? "" : `: ${codeSpan(type)}`} ${file}`
      ),
    ),
    section(
      texts.settings,
      settings.map(({ name, value, file, line }) =>
        `- ${codeSpan(`${name} = ${value.slice(0, 120)}`)} ${file}:${line}`
      ),
    ),
    section(
      texts.variables,
      variables.map(({ name, files }) => `- ${codeSpan(name)} ${files.join(", ")}`),
    ),
    section(texts.islands, islands.map(({ url, file }) => `- ${codeSpan(url)} ${file}`)),
  ].join("");
}

function routeLines(
  { pattern, file, methods, guards, tests }: RouteMapEntry,
  operations: readonly OperationEntry[],
  detail: Detail,
): string[] {
  const head = [
    `- ${codeSpan(`${methods.join(" ")} ${pattern}`)} ${file}`,
    ...(guards.length === 0 ? [] : [`guards ${guards.join(", ")}`]),
    ...(detail.hasTests && tests.length > 0 ? [`tests ${shortened(tests)}`] : []),
  ].join(" · ");
  return [head, ...operations.flatMap((each) => operationText(each, { guards, detail }))];
}

const maxTests = 3;

function shortened(tests: readonly string[]): string {
  const more = tests.length - maxTests;
  return tests.slice(0, maxTests).join(", ") + (more > 0 ? ` +${more}` : "");
}

function operationText(
  { method, action, summary, guards, input, output }: OperationEntry,
  shown: { readonly guards: readonly string[]; readonly detail: Detail },
): string[] {
  const { detail } = shown;
  const parts: string[] = [];
  const own = guards.filter((guard) => !shown.guards.includes(guard));
  if (own.length > 0) parts.push(`guards ${own.join(", ")}`);
  // The pattern already shows parameters without a type.
  const read = input.filter((each) => each.in !== "path" || each.type.includes(":"));
  if (detail.hasShapes && read.length > 0) {
    parts.push(`in ${read.map((each) => `${each.in} ${codeSpan(each.type)}`).join(", ")}`);
  }
  const sent = output.filter(({ type }) => type !== "html" && type !== "redirect");
  if (detail.hasShapes && sent.length > 0) {
    parts.push(
      `out ${
        sent.map(({ status, type }) => `${status ?? ""} ${codeSpan(type)}`.trim()).join(", ")
      }`,
    );
  }
  if (detail.hasSummaries && summary !== undefined) parts.push(lineText(summary));
  if (parts.length === 0 && action === undefined) return [];
  const name = action === undefined ? method : `${method} ?/${action}`;
  return [`  - ${[name, ...parts].join(" · ")}`];
}

function sharedFiles(routes: readonly RouteMapEntry[], member: "layouts" | "middleware"): string[] {
  const files = Map.groupBy(routes.flatMap((route) => route[member]), (file) => file);
  return [...files].map(([file, { length }]) => `- ${file} (${length})`);
}
