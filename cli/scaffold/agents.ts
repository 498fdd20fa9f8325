/**
 * The files that tell coding agents how to work in a project: `AGENTS.md`, which belongs to the
 * framework until it is edited, and `CLAUDE.md`, which belongs to the application.
 *
 * @module
 */
import { basename, join } from "@std/path";
import type { Language } from "../messages/catalog.ts";
import { compareText } from "../problem.ts";
import { type OwnedOutcome, writeOwned } from "../project/files/owned_file.ts";
import { runDeno } from "../project/process/deno.ts";
import type { Project } from "../project/project.ts";
import claude from "./claude.md.tmpl" with { type: "text" };
import english from "./agents.md.tmpl" with { type: "text" };
import portuguese from "./agents_pt.md.tmpl" with { type: "text" };

/** What became of the two files. */
export interface AgentFiles {
  readonly agents: OwnedOutcome;
  readonly claude: "made" | "kept";
}

export interface AgentOptions {
  /** The language of the text. @default "en" */
  readonly language?: Language;
  /** Whether to replace an edited `AGENTS.md`. @default false */
  readonly force?: boolean;
}

/**
 * Writes `AGENTS.md`, unless it was edited, and `CLAUDE.md`, if there is none.
 *
 * @param project The project that `AGENTS.md` describes.
 * @param options Language, and whether an edited file is replaced.
 */
export async function writeAgentFiles(
  project: Project,
  options: AgentOptions = {},
): Promise<AgentFiles> {
  const { language = "en", force = false } = options;
  const agents = await writeOwned(join(project.root, "AGENTS.md"), {
    body: await formatted(project.root, agentsText(await gatherFacts(project), language)),
    comment: { open: "<!--", close: "-->" },
    command: "agents",
    force,
  });
  try {
    await Deno.writeTextFile(join(project.root, "CLAUDE.md"), claude, { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return { agents, claude: "kept" };
  }
  return { agents, claude: "made" };
}

/** Formats a text as the project formats its Markdown; the first line stands above it. */
async function formatted(root: string, text: string): Promise<string> {
  const run = await runDeno(["fmt", "--ext", "md", "-"], { cwd: root, input: text });
  return `\n${run.code === 0 ? run.stdout : text}`;
}

interface AgentFacts {
  readonly name: string;
  /** The tasks with what they do, in the order of `deno.json`. */
  readonly tasks: readonly (readonly [name: string, description: string])[];
  /** The entries of the library that the sources import, such as `@fw/fw/ui`. */
  readonly entries: readonly string[];
  /** The middleware files, each with the URL below which it runs. */
  readonly middleware: readonly (readonly [pattern: string, file: string])[];
  readonly routes: number;
}

async function gatherFacts(project: Project): Promise<AgentFacts> {
  const { tasks } = await project.manifest();
  const { routes } = await project.routes();
  const sources = await project.sources();
  const entries = new Set<string>();
  for (const path of sources.list()) {
    const text = sources.read(path)?.text ?? "";
    for (const [, entry = ""] of text.matchAll(/ from "(@fw\/fw\/[a-z/]+)"/g)) entries.add(entry);
  }
  const middleware = new Map<string, string>();
  for (const route of routes) {
    for (const { path } of route.middleware) middleware.set(path, urlOf(path));
  }
  return {
    name: basename(project.root),
    tasks: Object.entries(tasks ?? {}).map(([name, task]) => [name, describe(task)] as const),
    entries: [...entries].sort(compareText),
    middleware: [...middleware].map(([path, url]) => [url, path] as const)
      .sort(([a], [b]) => compareText(a, b)),
    routes: routes.length,
  };
}

/** The URL of a middleware's folder, such as `/account`. */
function urlOf(path: string): string {
  const parts = path.split("/").slice(1, -1).filter((part) => !part.endsWith("-"));
  return `/${parts.map((part) => part.replace(/^(\w+?)_+$/, "{$1}")).join("/")}`;
}

function describe(task: unknown): string {
  if (typeof task === "string") return `\`${task}\``;
  if (typeof task !== "object" || task === null) return "";
  const { description, command } = task as { description?: unknown; command?: unknown };
  if (typeof description === "string") return description;
  return typeof command === "string" ? `\`${command}\`` : "";
}

// More would hide what is general.
const maxRows = 30;

function agentsText(facts: AgentFacts, language: Language): string {
  const { name, tasks, entries, middleware, routes } = facts;
  const taskRows = tasks.slice(0, maxRows).map(([task, text]) =>
    `| \`deno task ${task}\` | ${cell(text)} |`
  );
  const middlewareRows = middleware.slice(0, maxRows).map(([url, file]) =>
    `| \`${url}\` | \`${cell(file)}\` |`
  );
  const text = language === "pt" ? portuguese : english;
  return text
    .replaceAll("{{name}}", name)
    .replace("{{tasks}}", taskRows.join("\n"))
    .replace("{{routes}}", String(routes))
    .replace("{{entries}}", entries.map((entry) => `\`${entry}\``).join(", ") || "–")
    .replace("{{middleware}}", middlewareRows.join("\n") || "| – | – |");
}

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 200);
}
