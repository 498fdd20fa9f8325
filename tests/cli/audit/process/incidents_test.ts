import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkIncidents } from "../../../../cli/audit/incidents.ts";
import { inProject } from "../../support.ts";
import { type AuditRow, factsOf, setup, testRows } from "../rows.ts";

const start = (flags: string): string =>
  JSON.stringify({ tasks: { start: `deno run ${flags} fw_gen.ts` } });

const rows: readonly AuditRow[] = [
  { name: "no incidents", check: checkIncidents, want: ["ok"] },
  {
    name: "incidents in a folder of their own",
    check: checkIncidents,
    env: { FW_INCIDENTS: ".fw/incidents" },
    want: ["ok"],
  },
  {
    name: "incidents in the static files",
    check: checkIncidents,
    files: { "app/setup.ts": setup('config.observability.incidents = "public/x";') },
    want: ["critical any client can read"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "incidents in the static files, in a folder whose name starts with two dots",
    check: checkIncidents,
    env: { FW_INCIDENTS: "public/..x" },
    want: ["critical any client can read"],
  },
  {
    name: "incidents in another folder of static files",
    check: checkIncidents,
    files: {
      "app/setup.ts": setup(
        'config.observability.incidents = "./web/x/../";\nconfig.public = "web";',
      ),
    },
    want: ["critical any client can read"],
    at: "app/setup.ts:3:1",
  },
  {
    name: "incidents behind a link to the static files",
    check: checkIncidents,
    files: { "public/style.css": "", "kept": "-> public" },
    env: { FW_INCIDENTS: "kept/incidents" },
    want: ["critical any client can read"],
  },
  {
    name: "a start task that may not write them",
    check: checkIncidents,
    files: { "deno.json": start("--allow-read=. --allow-write=.fw/spool") },
    env: { FW_INCIDENTS: ".fw/incidents" },
    want: ["warning may not write to .fw/incidents"],
  },
  {
    name: "a start task that may write them",
    check: checkIncidents,
    files: { "deno.json": start("--allow-read=. --allow-write=.fw/spool,.fw/incidents") },
    env: { FW_INCIDENTS: ".fw/incidents" },
    want: ["ok"],
  },
  {
    name: "a start task that may do everything",
    check: checkIncidents,
    files: { "deno.json": start("-A") },
    env: { FW_INCIDENTS: "/var/incidents" },
    want: ["ok"],
  },
];

testRows(rows);

Deno.test("audit: incidents that are committed", async () => {
  const name = "fw-incident-1767225600000-00000000-00000000-00000000000000000000000000000000.json";
  const files = { "app/page.ts": "", [`kept/${name}`]: "{}", "kept/.gitignore": "*\n" };
  await inProject(files, async (root) => {
    const env = { FW_INCIDENTS: "kept" };
    const git = async (...args: string[]): Promise<void> => {
      const { success } = await new Deno.Command("git", { args, cwd: root }).output();
      assert(success, args.join(" "));
    };
    await git("init", "--quiet");
    assertEquals(await checkIncidents(await factsOf(root, env)), []);
    await git("add", "--force", `kept/${name}`);
    const [found] = await checkIncidents(await factsOf(root, env));
    assertEquals(found?.severity, "critical");
    assertStringIncludes(found?.message ?? "", "git tracks files of kept");
  });
});
