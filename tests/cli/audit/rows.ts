/** Runs one check of the audit on a project that is made for it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Finding, findingIds, severities } from "../../../cli/audit/finding.ts";
import { type AuditCheck, gatherFacts } from "../../../cli/audit/project_facts.ts";
import type { Io } from "../../../cli/io.ts";
import { type Files, inProject, page } from "../support.ts";

/** The text of a setup.ts whose Config holds these statements, from line 3 on. */
export function setup(config: string, body = ""): string {
  return `import { Off } from "@fw/fw";\nexport function Config(config) {\n${config}\n}\n` +
    `export function Setup(app) {\n${body}\n}\n`;
}

/** One check, and what it must find. */
export interface AuditRow {
  readonly name: string;
  readonly check: AuditCheck;
  readonly files?: Files;
  readonly env?: Record<string, string>;
  /** Each finding as `severity`, or `severity text` that its message holds. */
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
  const all = Object.entries({ "app/page.ts": page, ...files })
    .filter(([, text]) => text !== "-> none");
  await inProject(Object.fromEntries(all), async (root) => {
    const findings = await check(await gatherFacts(root, ioOf(root, env)));
    assertEquals(findings.map(({ severity }) => severity), want.map((text) => text.split(" ")[0]));
    want.forEach((text, index) => {
      assertStringIncludes(findings[index]?.message ?? "", text.replace(/^\w+ ?/, ""));
    });
    findings.forEach(checkForm);
    const [place] = findings[0]?.places ?? [];
    const shown = [place?.file, place?.line, place?.column].filter((part) => part !== undefined);
    assertEquals(shown.length === 0 ? undefined : shown.join(":"), at);
  });
}

/** What holds for every finding. */
function checkForm({ id, severity, message, fix }: Finding): void {
  assert(findingIds.includes(id) && severities.includes(severity) && message !== "");
  assertEquals(fix === undefined, severity === "ok", id);
}

/** A world of which nothing is printed. */
export function ioOf(cwd: string, env: Record<string, string>): Io {
  const signal = new AbortController().signal;
  return { stdout: () => {}, stderr: () => {}, cwd, env, isTerminal: false, signal };
}
