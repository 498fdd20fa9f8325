/**
 * Writes the instructions for coding agents: `AGENTS.md`, which the framework owns until it is
 * edited, and `CLAUDE.md`, which the application owns.
 */
import { basename, join } from "@std/path";
import type { Language } from "../../messages/catalog.ts";
import { type OwnedOutcome, writeOnce, writeOwned } from "../../project/files/owned_file.ts";
import { formatText } from "../../project/process/tools.ts";
import type { Project } from "../../project/project.ts";
import { describeTasks } from "../ctx/map.ts";
import { cellText, codeSpan, lineText } from "../markdown.ts";
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
    // The ownership line is written above it.
    body: `\n${await formatText(project.root, await agentsText(project, language), "md")}`,
    comment: { open: "<!--", close: "-->" },
    command: "agents",
    force,
  });
  return { agents, claude: await writeOnce(join(project.root, "CLAUDE.md"), "@AGENTS.md\n") };
}

/** Maximum rows of the table: an agent reads the whole file in each session. */
const maxTasks = 30;

async function agentsText(project: Project, language: Language): Promise<string> {
  const tasks = describeTasks(await project.manifest()).slice(0, maxTasks).map(({ name, text }) =>
    `| ${cellText(codeSpan(`deno task ${name}`))} | ${
      cellText(lineText(text).slice(0, maxCellChars))
    } |`
  );
  return (language === "pt" ? portuguese : english)
    .replaceAll(
      /\{\{(name|tasks)\}\}/g,
      (_, key) => key === "name" ? lineText(basename(project.root)) : tasks.join("\n"),
    );
}

const maxCellChars = 200;
