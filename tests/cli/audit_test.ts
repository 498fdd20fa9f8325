// test: child, runs `deno check` and `deno lint`
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Finding, findingIds, severities } from "../../cli/audit/finding.ts";
import { shareFolder } from "./shared_folder.ts";
import { deno, inProject, inScratch, page, runCli } from "./support.ts";

const shared = shareFolder((folder) => runCli(["new", "shop"], { cwd: folder }));

Deno.test("audit of a new app: nothing critical; findings for people, the worst first", async () => {
  const { code, stdout, stderr } = await runCli(["audit"], { cwd: join(shared(), "shop") });
  assertEquals([code, stderr], [0, ""], stdout);
  assertMatch(
    stdout,
    /^Looking at .*\n\nwarning hosts: No allowed .*\n {4}Set FW_ALLOWED_HOSTS .*\n\nwarning health: /,
  );
  assertMatch(
    stdout,
    /\nIn order: .*; deno check.*\.\n\n0 critical, 2 warnings, \d notes?, \d+ in order\.\n$/,
  );
});

Deno.test("audit ends with 1 when something is critical, in every form", async () => {
  const cwd = join(shared(), "shop");
  const env = { FW_OBS_TOKEN: "short", FW_METRICS: "/m", FW_LANG: "pt" };
  const people = await runCli(["audit"], { cwd, env });
  assertEquals(people.code, 1);
  assertStringIncludes(people.stdout, "crítico token: FW_OBS_TOKEN tem 5 bytes");
  const { code, stdout, stderr } = await runCli(["audit", "--json"], { cwd, env });
  assertEquals([code, stderr], [1, ""]);
  const report = JSON.parse(stdout);
  assertEquals([report.ok, report.counts.critical], [false, 1]);
  const token = report.items.find(({ id }: Finding) => id === "token");
  assertEquals(token.severity, "critical");
  assertEquals(Object.keys(token), ["id", "severity", "message", "mend"]);
  const counted = severities.reduce((sum, severity) => sum + report.counts[severity], 0);
  assertEquals(counted, report.items.length);
  assertEquals(
    new Set(report.items.map(({ id }: Finding) => id)),
    new Set(findingIds),
    "every finding has its row",
  );
});

Deno.test("audit outside a project says so, with 1", async () => {
  await inScratch(async (cwd) => {
    const { code, stdout, stderr } = await runCli(["audit"], { cwd });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "deno.json beside an app/ folder");
  });
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
