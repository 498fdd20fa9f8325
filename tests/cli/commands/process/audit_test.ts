import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { checks } from "../../../../cli/audit/checks.ts";
import type { Problem } from "../../../../cli/problem.ts";
import { shareFolder } from "../../shared_folder.ts";
import { deno, inProject, page, runCli } from "../../support.ts";

const shared = shareFolder("audit", (folder) => runCli(["new", "shop"], { cwd: folder }));

const shop = (): string => join(shared(), "shop");

Deno.test("audit of a new app reports nothing critical and lists findings by severity", async () => {
  const { code, stdout, stderr } = await runCli(["audit"], { cwd: shop() });
  assertEquals([code, stderr], [0, ""], stdout);
  assertMatch(
    stdout,
    /^Checking the settings.*\n\nwarning hosts: No allowed .*\n {4}Fix: Set FW_ALLOWED_HOSTS .*\nwarning health: /,
  );
  assertMatch(
    stdout,
    /\nIn order: .*, types.*\.\n\n0 critical, 2 warnings, \d notes?, \d+ in order\.\n$/,
  );
});

Deno.test("audit exits with 1 for a critical finding, in every output format", async () => {
  const cwd = shop();
  const env = { FW_OBS_TOKEN: "short", FW_METRICS: "/m", FW_LANG: "pt" };
  const people = await runCli(["audit"], { cwd, env });
  assertEquals(people.code, 1);
  assertStringIncludes(people.stdout, "crítico token: FW_OBS_TOKEN tem 5 bytes");
  const { code, stdout, stderr } = await runCli(["audit", "--json"], { cwd, env });
  assertEquals([code, stderr], [1, ""]);
  const report = JSON.parse(stdout);
  assertEquals([report.ok, report.counts.critical], [false, 1]);
  const token = report.problems.find(({ code }: Problem) => code === "token");
  assertEquals(token.severity, "critical");
  assertEquals(Object.keys(token), ["code", "severity", "message", "fix"]);
  assertEquals(report.counts.passed, report.passed.length);
  assertEquals(
    new Set([...report.problems.map(({ code }: Problem) => code), ...report.passed]),
    new Set(Object.keys(checks)),
    "every code was looked at",
  );
});

Deno.test("audit runs no code of the app", async () => {
  const boom = 'Deno.writeTextFileSync("ran.txt", "");\n';
  const files = {
    "app/page.ts": boom + page,
    "app/setup.ts": `${boom}export function Config() { ${boom} }\nexport function Setup() {}\n`,
  };
  await inProject(files, async (cwd) => {
    await runCli(["gen"], { cwd });
    await runCli(["audit"], { cwd });
    const { output } = await deno(["eval", 'console.log(Deno.statSync("ran.txt").size)'], cwd);
    assertStringIncludes(output, "NotFound");
  });
});
