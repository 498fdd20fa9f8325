import { assert, assertEquals, assertObjectMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import {
  planSmokeTest,
  type SmokeOutcome,
  type SmokeTest,
  smokeTest,
} from "../../../../cli/build/smoke.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { leastFlags } from "../../../../cli/project/start_task.ts";
import { testUnless } from "../../../../tools/skip.ts";
import { freePort } from "../../../free_port.ts";
import { inProject, inScratch } from "../../support.ts";

const noShell = Deno.build.os === "windows" ? "a stand-in needs a POSIX shell" : undefined;
const server = fromFileUrl(new URL("../smoke_server.ts", import.meta.url));
const file = { path: "/style.css", bytes: new TextEncoder().encode("a{}") };

async function smoke(mode: string, test: Partial<SmokeTest> = {}): Promise<SmokeOutcome> {
  let outcome: SmokeOutcome | undefined;
  await inScratch(async (folder) => {
    const executable = join(folder, "shop");
    const text = `#!/bin/sh\nexec "${Deno.execPath()}" run -A --no-check --no-config "${server}"\n`;
    await Deno.writeTextFile(executable, text, { mode: 0o755 });
    outcome = await smokeTest({
      executable,
      listen: { hostname: "127.0.0.1" },
      env: { SMOKE_MODE: mode, FW_ENV: "prod", NO_COLOR: "1" },
      livePath: "/_fw/health/live",
      file,
      ...test,
    });
  });
  assert(outcome !== undefined);
  return outcome;
}

const passed = { kind: "passed", asked: ["/_fw/health/live", "/style.css"] };
const single = { host: "shop.example" };
const noHealth = { livePath: undefined };
const live = "/_fw/health/live";
const other = { kind: "differs", path: "/style.css" };

const outcomes: readonly (readonly [
  name: string,
  mode: string,
  test: Partial<SmokeTest>,
  want: Readonly<Record<string, unknown>>,
])[] = [
  ["one that answers", "fine", {}, passed],
  ["one that listens elsewhere than it was told", "elsewhere", {}, passed],
  ["one that takes a single host", "picky", single, { ...passed, ...single }],
  ["one without health, whatever it answers", "sick", noHealth, { kind: "passed" }],
  ["one whose first page never ends", "endless", noHealth, { kind: "passed" }],
  ["one that does not stop when asked, which is killed", "stubborn", { graceMs: 200 }, passed],
  ["one that ends, with its code", "ends", {}, { kind: "ended", code: 3 }],
  ["one that never answers", "silent", { timeoutMs: 400 }, { kind: "silent", timeoutMs: 400 }],
  ["a file that never ends", "flood", {}, other],
  ["a file with another content", "stale", {}, other],
  ["one that is not live", "sick", {}, { kind: "refused", path: live, status: 503 }],
  ["one that refuses the host", "picky", {}, { kind: "refused", path: live, status: 400 }],
  ["one without the file", "empty", {}, { kind: "refused", path: "/style.css", status: 404 }],
];
for (const [name, mode, test, want] of outcomes) {
  testUnless(noShell, {
    name: `smokeTest: ${name}`,
    fn: async () => {
      const outcome = await smoke(mode, test);
      assertObjectMatch({ ...outcome }, want);
      if (outcome.kind === "ended") assertStringIncludes(outcome.output, "there is no database");
    },
  });
}

testUnless(noShell, {
  name: "smokeTest: one that never answers is ended when the person asks to stop",
  fn: async () => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 300);
    const outcome = await smoke("silent", { signal: stop.signal, graceMs: 200 });
    clearTimeout(timer);
    assertEquals(outcome.kind, "ended");
  },
});

testUnless(noShell, {
  name: "smokeTest: a file that comes too slowly is told when the time is up",
  fn: async () => {
    const bytes = new Uint8Array(1_000_000);
    let outcome: SmokeOutcome = { kind: "silent", timeoutMs: 0, output: "" };
    // The time must be enough for the start, which takes longer on a busy machine.
    for (let timeoutMs = 3_000; outcome.kind === "silent" && timeoutMs < 60_000; timeoutMs *= 3) {
      outcome = await smoke("flood", { timeoutMs, file: { ...file, bytes } });
    }
    assert(outcome.kind === "refused", JSON.stringify(outcome));
    assertEquals([outcome.path, outcome.status], ["/style.css", 0]);
  },
});

const races: readonly [
  name: string,
  races: number,
  test: Partial<SmokeTest>,
  kind: SmokeOutcome["kind"],
  starts: number,
][] = [
  ["that another program took first is replaced", 1, {}, "passed", 2],
  ["that is taken each time is given up", 9, {}, "ended", 3],
  [
    "that was asked for is not replaced",
    9,
    { listen: { hostname: "127.0.0.1", port: freePort() } },
    "ended",
    1,
  ],
];
for (const [name, count, test, kind, starts] of races) {
  testUnless(noShell, {
    name: `smokeTest: a port ${name}`,
    fn: async () => {
      const mark = await Deno.makeTempFile();
      try {
        const variables = { SMOKE_MARK: mark, SMOKE_RACES: String(count) };
        const env = { SMOKE_MODE: "raced", FW_ENV: "prod", NO_COLOR: "1", ...variables };
        const outcome = await smoke("raced", { ...test, env });
        assertEquals(outcome.kind, kind, JSON.stringify(outcome));
        const ports = (await Deno.readTextFile(mark)).trimEnd().split("\n");
        assertEquals([ports.length, new Set(ports).size], [starts, starts], ports.join());
        if (test.listen?.port !== undefined) assertEquals(ports, [String(test.listen.port)]);
      } finally {
        await Deno.remove(mark);
      }
    },
  });
}

testUnless(noShell, {
  name: "smokeTest: what the system cannot run",
  fn: async () => {
    await inScratch(async (folder) => {
      const executable = join(folder, "shop");
      await Deno.writeTextFile(executable, "no program");
      const test = { executable, listen: { hostname: "127.0.0.1" }, env: {}, livePath: "/" };
      assertEquals((await smokeTest(test)).kind, "unstartable");
    });
  },
});

type PlanRow = readonly [
  name: string,
  want: Partial<SmokeTest>,
  given?: { readonly config?: string; readonly env?: Record<string, string> },
];

const plans: readonly PlanRow[] = [
  ["the defaults", { livePath: "/_fw/health/live", file }],
  [
    "a base path",
    { livePath: "/shop/_fw/health/live", file: { ...file, path: "/shop/style.css" } },
    { env: { FW_BASE_PATH: "/shop/" } },
  ],
  ["a base path that code makes", { livePath: undefined }, { config: "config.basePath = base();" }],
  ["health", { livePath: "/up/live", file }, { config: 'config.observability.health = "/up";' }],
  ["health off", { livePath: undefined, file }, { config: "config.observability.health = Off;" }],
  ["allowed hosts", { livePath: "/_fw/health/live", file, host: "smoke-test.shop.example" }, {
    env: { FW_ALLOWED_HOSTS: "*.shop.example,shop.example" },
  }],
  ["hosts that code makes", { livePath: undefined }, { config: "config.allowedHosts = hosts();" }],
  ["settings that are handed to code that is not read", { livePath: undefined }, {
    config: "harden(config);",
  }],
  ["other public folder", { livePath: "/_fw/health/live" }, { config: 'config.public = "site";' }],
];
for (const [name, want, { config = "", env = {} } = {}] of plans) {
  Deno.test(`planSmokeTest: ${name}`, async () => {
    const setup = `import { Off } from "@fw/fw";\nexport function Config(config) { ${config} }\n`;
    const files = { "app/setup.ts": setup, "public/style.css": "a{}", "public/a b.css": "" };
    await inProject(files, async (root) => {
      const project = createProject(root);
      const plan = await planSmokeTest(project, await project.settings(env), leastFlags);
      assertEquals(plan, { listen: { hostname: "127.0.0.1" }, livePath: undefined, ...want });
    });
  });
}
