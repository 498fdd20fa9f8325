/** Runs one check of the audit on a project that is made for it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type AuditFacts, type Check, gatherFacts } from "../../../cli/audit/facts.ts";
import type { Findings, Found } from "../../../cli/audit/facts.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, page } from "../support.ts";

/** The text of a setup.ts whose Config holds these statements, from line 3 on. */
export function setup(config: string, body = ""): string {
  return `import { Off } from "@fw/fw";\nexport function Config(config) {\n${config}\n}\n` +
    `export function Setup(app) {\n${body}\n}\n`;
}

/** One check, and what it must find. */
export interface AuditRow {
  readonly name: string;
  readonly check: Check;
  readonly files?: Files;
  readonly env?: Record<string, string>;
  /** Each finding as `severity`, or `severity text` that its message holds; `ok` passes. */
  readonly want: readonly string[];
  /** Where the first finding is. @default nowhere */
  readonly at?: string;
}

/** Registers a test for each row. */
export function testRows(rows: readonly AuditRow[]): void {
  for (const row of rows) Deno.test(`audit: ${row.name}`, async () => await checkRow(row));
}

async function checkRow(row: AuditRow): Promise<void> {
  const { check, files = {}, env = {}, want, at } = row;
  // A link to nowhere takes the page away.
  const manifest = JSON.stringify({ imports: { "@/": "./" } });
  const all = Object.entries({ "deno.json": manifest, "app/page.ts": page, ...files })
    .filter(([, text]) => text !== "-> none");
  await inProject(Object.fromEntries(all), async (root) => {
    const found = await check(await factsOf(root, env));
    const severities = found.length === 0 ? ["ok"] : found.map(({ severity }) => severity);
    assertEquals(severities, want.map((text) => text.split(" ")[0]));
    want.forEach((text, index) => {
      assertStringIncludes(found[index]?.message ?? "", text.replace(/^\w+ ?/, ""));
    });
    found.forEach(checkForm);
    const [place] = found[0]?.places ?? [];
    const shown = [place?.file, place?.line, place?.column].filter((part) => part !== undefined);
    assertEquals(shown.length === 0 ? undefined : shown.join(":"), at);
  });
}

/** What holds for every finding. */
function checkForm({ message, fix }: Found): void {
  assert(message !== "" && fix !== "");
}

/** The severity of the first finding; `ok` where all is in order. */
export function severityOf([first]: Findings): string {
  return first?.severity ?? "ok";
}

/** The facts about a project, in English. */
export function factsOf(root: string, env: Record<string, string> = {}): Promise<AuditFacts> {
  return gatherFacts(createProject(root, { env }));
}
