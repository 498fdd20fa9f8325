import { assertEquals } from "@std/assert";
import { gatherFacts } from "../../../cli/audit/facts.ts";
import { checkSecret } from "../../../cli/audit/secrets.ts";
import { createProject } from "../../../cli/project/project.ts";
import { inProject } from "../support.ts";

const signing = `import type { Ctx } from "@fw/fw";
export function Page(c: Ctx): void {
  c.setSigned("a", "b");
}
`;

const long = "s".repeat(32);

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
      const verdict = await checkSecret(
        await gatherFacts(createProject(root, { env }), { assumed }),
      );
      const severities = typeof verdict === "string" ? [] : verdict.map(({ severity }) => severity);
      assertEquals(severities.includes("critical"), isCritical);
    });
  });
}
