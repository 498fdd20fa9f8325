import { assertEquals, assertStringIncludes } from "@std/assert";
import { checks } from "../../../../cli/audit/checks.ts";
import { git, inProject } from "../../support.ts";
import { factsOf, setup, testRows } from "../rows.ts";

const start = (flags: string): string =>
  JSON.stringify({ tasks: { start: `deno run ${flags} fw_gen.ts` } });

testRows("incidents", checks.incidents, [
  ["no incidents", "ok"],
  ["incidents in a folder of their own", "ok", { FW_INCIDENTS: ".fw/incidents" }],
  ["incidents in the static files", "critical any client can read at app/setup.ts:3:1", {
    ...setup('config.observability.incidents = "public/x";'),
  }],
  [
    "incidents in the static files, in a folder whose name starts with two dots",
    "critical any client can read",
    { FW_INCIDENTS: "public/..x" },
  ],
  [
    "incidents in another folder of static files",
    "critical any client can read at app/setup.ts:3:1",
    setup('config.observability.incidents = "./web/x/../";\nconfig.public = "web";'),
  ],
  ["incidents behind a link to the static files", "critical any client can read", {
    FW_INCIDENTS: "kept/incidents",
    "public/style.css": "",
    "kept": "-> public",
  }],
  ["a start task that may not write them", "warning may not write to .fw/incidents", {
    FW_INCIDENTS: ".fw/incidents",
    "deno.json": start("--allow-read=. --allow-write=.fw/spool"),
  }],
  ["a start task that may write them", "ok", {
    FW_INCIDENTS: ".fw/incidents",
    "deno.json": start("--allow-read=. --allow-write=.fw/spool,.fw/incidents"),
  }],
  ["a start task with -A", "ok", { FW_INCIDENTS: "/var/incidents", "deno.json": start("-A") }],
]);

Deno.test("audit: incidents that are committed", async () => {
  const name = "fw-incident-1767225600000-00000000-00000000-00000000000000000000000000000000.json";
  const files = { "app/page.ts": "", [`kept/${name}`]: "{}", "kept/.gitignore": "*\n" };
  await inProject(files, async (root) => {
    const env = { FW_INCIDENTS: "kept" };
    await git(root, "init", "--quiet");
    assertEquals(await checks.incidents(await factsOf(root, env)), []);
    await git(root, "add", "--force", `kept/${name}`);
    const [found] = await checks.incidents(await factsOf(root, env));
    assertEquals(found?.severity, "critical");
    assertStringIncludes(found?.message ?? "", "git tracks files of kept");
  });
});
