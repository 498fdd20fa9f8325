import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import {
  planSmokeTest,
  type SmokeOutcome,
  type SmokeTest,
  smokeTest,
} from "../../../../cli/build/smoke.ts";
import { messagesIn } from "../../../../cli/messages/catalog.ts";
import { createProject } from "../../../../cli/project/project.ts";
import { leastFlags } from "../../../../cli/project/start_task.ts";
import { testUnless } from "../../../../tools/skip.ts";
import { inProject, inScratch, routeWith } from "../../support.ts";

const noShell = Deno.build.os === "windows" ? "a stand-in needs a POSIX shell" : undefined;
const server = fromFileUrl(new URL("../smoke_server.ts", import.meta.url));
const texts = messagesIn("en").build;
const filePath = "/style.css";

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
      filePath,
      texts,
      ...test,
    });
  });
  assert(outcome !== undefined);
  return outcome;
}

const passed = "passed /_fw/health/live /style.css";
const single = { host: "shop.example" };
const noHealth = { livePath: undefined };

const outcomes: readonly (readonly [
  name: string,
  mode: string,
  test: Partial<SmokeTest>,
  want: string,
])[] = [
  ["an executable that responds", "fine", {}, passed],
  ["an executable that listens on another port than configured", "elsewhere", {}, passed],
  ["an executable that accepts a single host", "picky", single, passed],
  ["an executable without a health check, whatever its status", "sick", noHealth, "passed /"],
  ["an executable whose first page never ends", "endless", noHealth, "passed /"],
  [
    "an executable that ignores the stop signal and is killed",
    "stubborn",
    { graceMs: 200 },
    passed,
  ],
  [
    "an executable that exits, with its code",
    "ends",
    {},
    "failed the executable ended with exit code 3",
  ],
  [
    "an executable that never responds",
    "silent",
    { timeoutMs: 400 },
    "did not respond within 0.4 seconds",
  ],
  ["an executable that is not live", "sick", {}, "responded to /_fw/health/live with 503"],
  ["an executable that refuses the host", "picky", {}, "responded to /_fw/health/live with 400"],
  ["an executable without the file", "empty", {}, "responded to /style.css with 404"],
];
for (const [name, mode, test, want] of outcomes) {
  testUnless(noShell, {
    name: `smokeTest: ${name}`,
    fn: async () => {
      const outcome = await smoke(mode, test);
      assertStringIncludes(shown(outcome), want);
      if (mode === "ends" && outcome.kind === "failed") {
        assertStringIncludes(outcome.output, "there is no database");
      }
    },
  });
}

function shown(outcome: SmokeOutcome): string {
  const said = outcome.kind === "passed" ? outcome.asked.join(" ") : outcome.text;
  return `${outcome.kind} ${said}`;
}

testUnless(noShell, {
  name: "smokeTest: an executable that never responds is stopped when the user aborts",
  fn: async () => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 300);
    const outcome = await smoke("silent", { signal: stop.signal, graceMs: 200 });
    clearTimeout(timer);
    assertStringIncludes(shown(outcome), "ended with exit code");
  },
});

testUnless(noShell, {
  name: "smokeTest: an executable that the system cannot run",
  fn: () =>
    inScratch(async (folder) => {
      const executable = join(folder, "shop");
      await Deno.writeTextFile(executable, "no program");
      const test = { executable, listen: { hostname: "127.0.0.1" }, env: {}, livePath: "/", texts };
      assertStringIncludes(shown(await smokeTest(test)), "cannot be started here");
    }),
});

type PlanRow = readonly [
  name: string,
  want: Partial<SmokeTest>,
  given?: { readonly config?: string; readonly env?: Record<string, string> },
];

const plans: readonly PlanRow[] = [
  ["the defaults", { livePath: "/_fw/health/live", filePath }],
  [
    "a base path",
    { livePath: "/shop/_fw/health/live", filePath: "/shop/style.css" },
    { env: { FW_BASE_PATH: "/shop/" } },
  ],
  ["a computed base path", { livePath: undefined }, { config: "config.basePath = base();" }],
  ["health", { livePath: "/up/live", filePath }, {
    config: 'config.observability.health = "/up";',
  }],
  ["health off", { livePath: undefined, filePath }, {
    config: "config.observability.health = Off;",
  }],
  ["allowed hosts", { livePath: "/_fw/health/live", filePath, host: "smoke-test.shop.example" }, {
    env: { FW_ALLOWED_HOSTS: "*.shop.example,shop.example" },
  }],
  ["computed hosts", { livePath: undefined }, { config: "config.allowedHosts = hosts();" }],
  ["settings passed to code that is not read", { livePath: undefined }, {
    config: "harden(config);",
  }],
  ["other public folder", { livePath: "/_fw/health/live" }, { config: 'config.public = "site";' }],
];
for (const [name, want, { config = "", env = {} } = {}] of plans) {
  Deno.test(`planSmokeTest: ${name}`, async () => {
    const setup = `import { Off } from "@fw/fw";\nexport function Config(config) { ${config} }\n`;
    const others = { "public/a b.css": "", "public/b.css": "" };
    const files = { "app/setup.ts": setup, "public/style.css": "a{}", ...others };
    await inProject({ ...files, "app/b.css/route.ts": routeWith("GET") }, async (root) => {
      const project = createProject(root);
      const plan = await planSmokeTest(project, await project.settings(env), leastFlags);
      const own = { listen: { hostname: "127.0.0.1" }, livePath: undefined, texts };
      assertEquals(plan, { ...own, ...want });
    });
  });
}
