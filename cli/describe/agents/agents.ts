/**
 * The files that tell coding agents how to work in a project: `AGENTS.md`, which belongs to the
 * framework until it is edited, and `CLAUDE.md`, which belongs to the application.
 */
import { join } from "@std/path";
import type { Language } from "../../messages/catalog.ts";
import { compareText } from "../../problem.ts";
import { type OwnedOutcome, writeOnce, writeOwned } from "../../project/files/owned_file.ts";
import { formatText } from "../../project/process/tools.ts";
import type { Project } from "../../project/project.ts";
import { type ProjectMap, readMap } from "../ctx/map.ts";
import { cellText, codeSpan, lineText } from "../markdown.ts";
import claude from "./claude.md.tmpl" with { type: "text" };
import english from "./agents.md.tmpl" with { type: "text" };
import portuguese from "./agents_pt.md.tmpl" with { type: "text" };

export async function writeAgentFiles(
  project: Project,
  { language = "en", force = false }: {
    readonly language?: Language;
    readonly force?: boolean;
  } = {},
): Promise<{ readonly agents: OwnedOutcome; readonly claude: "made" | "kept" }> {
  const agents = await writeOwned(join(project.root, "AGENTS.md"), {
    // The first line stands above it.
    body: `\n${await formatText(project.root, agentsText(await readMap(project), language), "md")}`,
    comment: { open: "<!--", close: "-->" },
    command: "agents",
    force,
  });
  return { agents, claude: await writeOnce(join(project.root, "CLAUDE.md"), claude) };
}

/** The maximum size of `AGENTS.md`: an agent reads all of it, each time. */
const maxBytes = 12 * 1_024;

/** The most rows of a table: fewer where the text would be too long. */
const rowCounts = [30, 16, 8, 4] as const;

function agentsText(map: ProjectMap, language: Language): string {
  const texts = rowCounts.map((rows) => fill(map, language, rows));
  return texts.find((text) => new TextEncoder().encode(text).length < maxBytes - reservedBytes) ??
    texts.at(-1) ?? "";
}

// The first line, and the padding of tables by the formatter.
const reservedBytes = 2_048;

function fill(map: ProjectMap, language: Language, rows: number): string {
  const table = (lines: readonly string[]): string => lines.slice(0, rows).join("\n");
  const middleware = new Map(
    map.routes.flatMap(({ pattern, middleware }) =>
      middleware.map((file) => [file, urlOf(file, pattern)] as const)
    ),
  );
  const guarded = Map.groupBy(
    map.routes.filter(({ guards }) => guards.length > 0),
    ({ guards }) => guards.join(", "),
  );
  const values: Readonly<Record<string, string>> = {
    name: lineText(map.name),
    tasks: table(
      map.tasks.map(({ name, text }) => `| ${codeCell(`deno task ${name}`)} | ${cell(text)} |`),
    ),
    routes: String(map.routes.length),
    entries: map.packages.map(codeSpan).join(", ") || "–",
    middleware: table(
      [...middleware].sort(([, a], [, b]) => compareText(a, b))
        .map(([file, url]) =>
          `| ${isInGroup(file) ? routesWith(map, file) : codeCell(url)} | ${codeCell(file)} |`
        ),
    ),
    guards: table(
      [...guarded].map(([guards, routes]) =>
        `| ${codeCell(guards)} | ${shortList(routes.map(({ pattern }) => pattern))} |`
      ),
    ),
    variables: map.variables.map(({ name }) => codeSpan(name)).slice(0, rows).join(", ") || "–",
  };
  const text = language === "pt" ? portuguese : english;
  return text
    // A table without rows is left out, with the sentence above it.
    .replaceAll(
      /\{\{#(\w+)\}\}([^]*?)\{\{\/\1\}\}/g,
      (_, name: string, part: string) => values[name] === "" ? "" : part,
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}

function isInGroup(file: string): boolean {
  return file.split("/").at(-2)?.endsWith("-") ?? false;
}

function routesWith({ routes }: ProjectMap, file: string): string {
  return shortList(
    routes.filter(({ middleware }) => middleware.includes(file)).map(({ pattern }) => pattern),
  );
}

const maxListed = 8;

function shortList(patterns: readonly string[]): string {
  const more = patterns.length - maxListed;
  return patterns.slice(0, maxListed).map(codeCell).join(", ") +
    (more > 0 ? ` +${more}` : "");
}

/** Returns the part of a route's pattern that a middleware's folder stands for, such as `/account`. */
function urlOf(file: string, pattern: string): string {
  const folders = file.split("/").slice(1, -1).filter((part) => !part.endsWith("-"));
  return `/${pattern.split("/").slice(1, folders.length + 1).join("/")}`;
}

const maxCellChars = 200;

function cell(text: string): string {
  return cellText(lineText(text).slice(0, maxCellChars));
}

function codeCell(name: string): string {
  return cellText(codeSpan(name));
}
