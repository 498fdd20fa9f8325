/** Runs one check of the audit on a project that is made for it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type AuditFacts, type Check, gatherFacts } from "../../../cli/audit/facts.ts";
import type { Found, Verdict } from "../../../cli/audit/facts.ts";
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
    const verdict = await check(await factsOf(root, env));
    const found = typeof verdict === "string" ? [] : verdict;
    const severities = typeof verdict === "string" ? ["ok"] : found.map(({ severity }) => severity);
    assertEquals(severities, want.map((text) => text.split(" ")[0]));
    want.forEach((text, index) => {
      const message = typeof verdict === "string" ? verdict : found[index]?.message;
      assertStringIncludes(message ?? "", text.replace(/^\w+ ?/, ""));
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

/** What a check found; nothing where all is in order. */
export function foundIn(verdict: Verdict): readonly Found[] {
  return typeof verdict === "string" ? [] : verdict;
}

/** The severity of the first finding; `ok` where all is in order. */
export function severityOf(verdict: Verdict): string | undefined {
  return typeof verdict === "string" ? "ok" : verdict[0]?.severity;
}

/** The facts about a project, in English. */
export function factsOf(root: string, env: Record<string, string> = {}): Promise<AuditFacts> {
  return gatherFacts(createProject(root, { env }));
}
