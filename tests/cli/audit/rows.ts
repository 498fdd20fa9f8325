/** Runs one check of the audit on a generated project. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type AuditFacts, type Check, gatherFacts } from "../../../cli/audit/facts.ts";
import type { Findings } from "../../../cli/audit/facts.ts";
import { createProject } from "../../../cli/project/project.ts";
import { inProject, page } from "../support.ts";

/** Returns a setup.ts whose Config contains these statements, from line 3 on. */
export function setup(config: string, body = ""): Record<string, string> {
  return {
    "app/setup.ts":
      `import { Off } from "@fw/fw";\nexport function Config(config) {\n${config}\n}\n` +
      `export function Setup(app) {\n${body}\n}\n`,
  };
}

/**
 * The expected findings for a project. A finding is a severity and part of its message, and the
 * first one its place after ` at `; `ok` means none. Names in capitals are variables, and others
 * are files.
 */
export type AuditRow = readonly [
  name: string,
  want: string | readonly string[],
  given?: Readonly<Record<string, string>>,
];

export function testRows(subject: string, check: Check, rows: readonly AuditRow[]): void {
  for (const row of rows) {
    Deno.test(`audit: ${subject}: ${row[0]}`, async () => await checkRow(check, row));
  }
}

async function checkRow(check: Check, [, want, given = {}]: AuditRow): Promise<void> {
  const findings = [want].flat();
  const at = / at (\S+)$/.exec(findings[0] ?? "")?.[1];
  const texts = findings.map((text, index) => index === 0 ? text.replace(/ at \S+$/, "") : text);
  const isVariable = (name: string): boolean => /^[A-Z_]+$/.test(name);
  const env = Object.entries(given).filter(([name]) => isVariable(name));
  const manifest = JSON.stringify({ imports: { "@/": "./" } });
  const files = Object.entries({ "deno.json": manifest, "app/page.ts": page, ...given })
    // A link to a missing target removes the page.
    .filter(([name, text]) => !isVariable(name) && text !== "-> none");
  await inProject(Object.fromEntries(files), async (root) => {
    const found = await check(await factsOf(root, Object.fromEntries(env)));
    const severities = found.length === 0 ? ["ok"] : found.map(({ severity }) => severity);
    assertEquals(severities, texts.map((text) => text.split(" ")[0]));
    texts.forEach((text, index) => {
      assertStringIncludes(found[index]?.message ?? "", text.replace(/^\w+ ?/, ""));
    });
    assert(found.every(({ message, fix }) => message !== "" && fix !== ""));
    const [place] = found[0]?.places ?? [];
    const shown = [place?.file, place?.line, place?.column].filter((part) => part !== undefined);
    assertEquals(shown.length === 0 ? undefined : shown.join(":"), at);
  });
}

/** Returns the severity of the first finding, or `ok` without findings. */
export function severityOf([first]: Findings): string {
  return first?.severity ?? "ok";
}

export function factsOf(root: string, env: Record<string, string> = {}): Promise<AuditFacts> {
  return gatherFacts(createProject(root, { env }));
}
