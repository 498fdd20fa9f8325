import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { checks } from "../../../../cli/audit/checks.ts";
import {
  checkDenoVersion,
  checkVulnerabilities,
  oldestDeno,
} from "../../../../cli/audit/toolchain.ts";
import type { Findings } from "../../../../cli/audit/facts.ts";
import { messagesIn } from "../../../../cli/messages/catalog.ts";
import { type Files, inProject, inScratch, page, runCli, writeFiles } from "../../support.ts";
import { factsOf, severityOf } from "../rows.ts";
import { serveLocal } from "../../../serve_local.ts";

const versions: readonly [version: string, severity: string][] = [
  ["2.9.6", "ok"],
  [`${oldestDeno}.0`, "ok"],
  ["3.0.0", "ok"],
  ["2.8.9", "critical"],
  ["1.46.3", "critical"],
];
for (const [text, want] of versions) {
  Deno.test(`audit: Deno ${text} is ${want}`, () => {
    assertEquals(severityOf(checkDenoVersion(text, messagesIn("en").audit)), want);
  });
}

Deno.test("audit: accepts the running Deno", () => {
  assertEquals(severityOf(checkDenoVersion(Deno.version.deno, messagesIn("en").audit)), "ok");
});

Deno.test("audit: reports the version of the library that the application loads", () =>
  inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const root = join(folder, "shop");
    const check = async (): Promise<Findings> => await checks.versions(await factsOf(root));
    assertEquals(await check(), []);
    await writeFiles(root, {
      "deno.json": '{"imports":{"@fw/fw/conventions":"./old.ts"}}',
      "old.ts": 'export const version = "0.0.9";\n',
    });
    const old = await check();
    assertEquals(severityOf(old), "warning");
    assertStringIncludes(old[0]?.message ?? "", "The library is 0.0.9");
    await writeFiles(root, { "deno.json": "{}" });
    assertEquals(severityOf(await check()), "info");
  }));

Deno.test("audit: reports lint and type errors with their places", async () => {
  const files = { "lib/a.ts": "export const a: number = '';\nvar b = 1;\n" };
  await inProject({ "app/page.ts": page, ...files }, async (root) => {
    const facts = await factsOf(root);
    const lints = await checks.lint(facts);
    const lint = lints.find(({ places }) => places[0]?.line === 2);
    assertEquals([lint?.severity, lint?.places?.[0]], [
      "warning",
      { file: "lib/a.ts", line: 2, column: 1 },
    ]);
    const [types] = await checks.types(facts);
    assertEquals([types?.severity, types?.places?.[0]], [
      "critical",
      { file: "lib/a.ts", line: 1, column: 14 },
    ]);
    assertStringIncludes(types?.message ?? "", "TS2322");
    await writeFiles(root, { "lib/a.ts": "export const a = 1;\n" });
    assertEquals(severityOf(await checks.lint(facts)), "ok");
    assertEquals(severityOf(await checks.types(facts)), "ok");
  }, { name: "toolchain" });
});

Deno.test("audit: reports the project's lint plugins without running them", () =>
  inProject({
    "deno.json": '{ "lint": { "plugins": ["./evil.js"] } }',
    "evil.js": "for (;;);\n",
    "app/page.ts": page,
  }, async (root) => {
    const found = await checks.lint(await factsOf(root));
    const [last] = found.slice(-1);
    assertEquals(last?.severity, "info");
    assertStringIncludes(last?.message ?? "", "lint plugins of deno.json did not run");
  }));

/** Responds as the registry's audit service does; a severity adds one vulnerability. */
function startRegistry(severity: string | undefined): Deno.HttpServer<Deno.NetAddr> {
  const found = {
    id: 1,
    title: "a hole",
    url: "https://advisories.example/1",
    severity,
    vulnerable_versions: "<2.0.0",
  };
  return serveLocal(async (request) => {
    await request.arrayBuffer();
    return Response.json(severity === undefined ? {} : { "left-pad": [found] });
  });
}

const scans: readonly [severity: string | undefined, want: string, says: string][] = [
  [undefined, "ok", ""],
  ["moderate", "warning", "(0 low, 1 moderate, 0 high, 0 critical): left-pad"],
  ["high", "critical", "1 high"],
  ["critical", "critical", "left-pad"],
];
for (const [severity, want, says] of scans) {
  Deno.test(`audit: a scan that finds ${severity ?? "nothing"} is ${want}`, async () => {
    const registry = startRegistry(severity);
    try {
      await inProject(scanned(), async (root) => {
        const verdict = await checkVulnerabilities(await factsOf(root), {
          env: { NPM_CONFIG_REGISTRY: `http://127.0.0.1:${registry.addr.port}` },
        });
        assertEquals(severityOf(verdict), want);
        const message = verdict[0]?.message;
        assertStringIncludes(message ?? "", says);
      });
    } finally {
      await registry.shutdown();
    }
  });
}

Deno.test("audit: reports an unreachable service without counting it against the project", async () => {
  const registry = startRegistry(undefined);
  const { port } = registry.addr;
  await registry.shutdown();
  await inProject(scanned(), async (root) => {
    const [finding] = await checkVulnerabilities(await factsOf(root), {
      env: { NPM_CONFIG_REGISTRY: `http://127.0.0.1:${port}` },
    });
    assertEquals(finding?.severity, "info");
    assertStringIncludes(finding?.message ?? "", "service is unreachable");
  });
});

function scanned(): Files {
  return {
    "deno.json": '{"imports":{"left-pad":"npm:left-pad@1.3.0"}}',
    "deno.lock": JSON.stringify({
      version: "5",
      specifiers: { "npm:left-pad@1.3.0": "1.3.0" },
      npm: { "left-pad@1.3.0": { integrity: "sha512-AAAA" } },
      workspace: { dependencies: ["npm:left-pad@1.3.0"] },
    }),
    "app/page.ts": page,
  };
}
