import { assertEquals } from "@std/assert";
import { checks } from "../../../../cli/audit/checks.ts";
import { gatherFacts } from "../../../../cli/audit/facts.ts";
import { runStep } from "../../../../cli/check/steps.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { inProject } from "../../support.ts";

const signing = `import type { Ctx } from "@fw/fw";
export function Page(c: Ctx): void {
  c.setSigned("a", "b");
}
`;

const long = "s".repeat(32);

const steps: readonly [string, Record<string, string>, string, string | undefined][] = [
  ["signs", {}, signing, "FW_SECRET is assumed; `deno task audit` requires it"],
  ["signs and has a key", { FW_SECRET: long }, signing, undefined],
  ["signs nothing", {}, "export function Page(): void {}\n", undefined],
];

for (const [what, env, page, note] of steps) {
  Deno.test(`check: the audit of an application that ${what} ${note ? "has a" : "has no"} note`, () =>
    inProject({ "app/page.ts": page }, async (root) => {
      const options = { fix: false, isOwn: true, signal: AbortSignal.any([]), pages: root };
      const result = await runStep("audit", createProject(root, { env }), {
        ...options,
        changed: undefined,
      });
      assertEquals(result.note, note);
    }));
}

const rows: readonly [
  what: string,
  env: Record<string, string>,
  assumed: Record<string, string>,
  isCritical: boolean,
][] = [
  ["no key", {}, {}, true],
  ["a key that production is assumed to have", {}, { FW_SECRET: long }, false],
  ["a short key in the place of the assumed one", { FW_SECRET: "x" }, { FW_SECRET: long }, true],
];

for (const [what, env, assumed, isCritical] of rows) {
  Deno.test(`gatherFacts: ${what} ${isCritical ? "is critical" : "passes"}`, async () => {
    await inProject({ "app/page.ts": signing }, async (root) => {
      const verdict = await checks.secret(
        await gatherFacts(createProject(root, { env }), { assumed }),
      );
      const severities = verdict.map(({ severity }) => severity);
      assertEquals(severities.includes("critical"), isCritical);
    });
  });
}
