import { assertStringIncludes } from "@std/assert";
import { checks } from "../../../../cli/audit/checks.ts";
import { type Files, inProject, page } from "../../support.ts";
import { type AuditRow, factsOf, testRows } from "../rows.ts";

function reads(...names: readonly string[]): string {
  return `export const read = [\n${
    names.map((name) => `Deno.env.get("${name}"),`).join("\n")
  }\n];\n`;
}

function project(flags: string, files: Files): Files {
  return {
    "deno.json": JSON.stringify({ tasks: { start: `deno run ${flags} fw_gen.ts` } }),
    ...files,
  };
}

testRows("env-access", checks["env-access"], [
  ["no start task", "ok"],
  [
    "a name that is not allowed, outside of setup.ts",
    "warning The code reads MAIL_KEY, at lib/mail.ts:2:1",
    project("--allow-env=FW_*,PORT", { "lib/mail.ts": reads("MAIL_KEY", "MAIL_KEY") }),
  ],
  ["several names, in order", "warning A, B at lib/a.ts:2:1", {
    ...project("-E=FW_*,PORT", { "lib/a.ts": reads("B"), "app/setup.ts": reads("A", "FW_X") }),
  }],
  ["no flag at all", "warning A at lib/a.ts:1:5", {
    ...project("", { "lib/a.ts": 'if (Deno.env.has("A")) throw 1;\n' }),
  }],
  ...[
    "-A",
    "--allow-env",
    "-E",
    "--allow-env=MAIL_KEY",
    "--allow-env=PORT --allow-env=MAIL_*",
    "--allow-env=PORT --ignore-env=MAIL_KEY",
    "--permission-set",
    "-P=web",
  ].map((flags): AuditRow => [
    `allowed by ${flags}`,
    "ok",
    project(flags, { "lib/mail.ts": reads("MAIL_KEY") }),
  ]),
  ["tests, other objects and computed names do not count", "ok", {
    ...project("--allow-env=PORT", {
      "lib/mail_test.ts": reads("A"),
      "lib/b.ts": 'export const x = [env.get("B"), Deno.env.get(name), map.get("C")];\n',
    }),
  }],
  [
    "files that the application does not import do not count",
    "warning reads USED, at lib/used.ts:2:1",
    project("--allow-env=PORT", {
      "fw_gen.ts": 'import "./lib/used.ts";\n',
      "lib/used.ts": reads("USED"),
      "tools/seed.ts": reads("SEED"),
    }),
  ],
]);

Deno.test("audit: env-access: the fix is the flag with the names added", async () => {
  const files = project("-E=FW_*,PORT", { "app/page.ts": page, "lib/a.ts": reads("B", "A") });
  await inProject(files, async (root) => {
    const [finding] = await checks["env-access"](await factsOf(root));
    assertStringIncludes(finding?.fix ?? "", "Use --allow-env=FW_*,PORT,A,B in the start task");
  });
});
