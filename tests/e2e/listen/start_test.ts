/** The `start` task of a new project: its permissions, and the messages about missing ones. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { inScratch, listTree, runCli, writeFiles } from "../../cli/support.ts";
import { commandOf } from "../../../cli/project/start_task.ts";
import { App, type Settings } from "../../../mod.ts";
import { listen, listenSettings } from "../../security/raw_client.ts";
import { type RunningApp, startApp } from "../running_app.ts";
import { until } from "../../until.ts";

const routes = {
  "app/api/refused/route.ts": `import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Result {
  return c.text(200, Deno.readTextFileSync("/etc/hostname"));
}
`,
  "app/api/lookup/route.ts": `import { connect } from "node:net";
import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Promise<Result> {
  return new Promise((resolve, reject) => {
    connect(5432, "db.example", () => resolve(c.noContent())).on("error", reject);
  });
}
`,
  "app/api/stray/route.ts": `import type { Ctx, Result } from "@fw/fw";
export function GET(c: Ctx): Result {
  setTimeout(() => fetch("http://payments.example/"), 1);
  return c.noContent();
}
`,
  "app/api/photo/middleware.ts": `import type { Ctx, Next } from "@fw/fw";
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(20_000_000);
  return next();
}
`,
  "app/api/photo/route.ts": `import type { Ctx, Result } from "@fw/fw";
export async function POST(c: Ctx): Promise<Result> {
  const { size } = await c.file("photo");
  return c.json(200, { size });
}
`,
};

/** Creates an application with these files, starts it with its \`start\` task and passes it on. */
async function withStarted(
  files: Readonly<Record<string, string>>,
  work: (app: RunningApp, cwd: string) => Promise<void>,
  options: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  await inScratch(async (folder) => {
    assertEquals((await runCli(["new", "shop"], { cwd: folder })).code, 0);
    const cwd = join(folder, "shop");
    await writeFiles(cwd, files);
    assertEquals((await runCli(["gen"], { cwd })).code, 0);
    const command = commandOf(JSON.parse(await Deno.readTextFile(join(cwd, "deno.json"))), "start");
    await using app = startApp(command ?? "", { cwd, ...options });
    await work(app, cwd);
  });
}

Deno.test("start: a permission missing in a handler is logged with its flag", () =>
  withStarted(routes, async (app) => {
    const cases = [
      ["/api/refused", 500, '"fix":"Add --allow-read=/etc/hostname to the start task'],
      ["/api/lookup", 500, '"fix":"Add --allow-net=db.example to the start task'],
      ["/api/stray", 204, '"fix":"Add --allow-net=payments.example:80 to the start task'],
    ] as const;
    for (const [path, status, said] of cases) {
      const response = await app.get(path);
      const body = await response.text();
      assertEquals(response.status, status, path);
      assert(!body.includes("allow-"), body);
      await app.saw(said);
    }
  }));

Deno.test("start: a large upload is spooled in the only writable folder", () =>
  withStarted(routes, async (app, cwd) => {
    const form = new FormData();
    form.set("photo", new File([new Uint8Array(4_000_000)], "a.bin"));
    const response = await app.get("/api/photo", { method: "POST", body: form });
    assertEquals([response.status, await response.json()], [200, { size: 4_000_000 }]);
    assert((await Deno.stat(join(cwd, ".fw/spool"))).isDirectory);
    // The file is removed shortly after the response.
    await until(async () => (await listTree(join(cwd, ".fw"))).length === 0);
  }));

const boots: readonly [name: string, files: Record<string, string>, says: string][] = [
  [
    "in Setup",
    {
      "app/setup.ts": `export async function Setup(): Promise<void> {
  await Deno.readTextFile("data/prices.json");
}
`,
    },
    'Cannot start: Deno did not allow read access to "data/prices.json". ' +
    "Add --allow-read=data/prices.json to the start task in deno.json.",
  ],
  [
    "for the static files",
    {
      "app/setup.ts": `import type { Config as Settings } from "@fw/fw";
export function Config(config: Settings): void {
  config.public = "site";
}
export function Setup(): void {}
`,
      "site/a.txt": "a",
    },
    "Add --allow-read=",
  ],
  [
    "in Config",
    {
      "app/setup.ts": `import type { Config as Settings } from "@fw/fw";
export function Config(config: Settings): void {
  config.secret = Deno.env.get("SHOP_KEY");
}
export function Setup(): void {}
`,
    },
    "Add --allow-env=SHOP_KEY to the start task",
  ],
];
for (const [name, files, says] of boots) {
  Deno.test(`start: a permission missing at boot ends the process and names the flag: ${name}`, () =>
    withStarted(files, async (app) => {
      assertEquals((await app.ended()).code, 1);
      assertStringIncludes(app.output().replaceAll('\\"', '"'), says);
    }));
}

const setupThat = (statement: string): string =>
  `import type { Config as Settings } from "@fw/fw";
import { fail } from "../lib/fail.ts";
export function Config(config: Settings): void {
  ${statement}
}
export function Setup(): void {}
`;
const fail = "export function fail(): void {\n  throw new Error('from lib');\n}\n";

const failures: [
  name: string,
  options: { env?: Record<string, string>; config?: string },
  want: RegExp,
][] = [
  [
    "a setting",
    { env: { FW_ENV: "dev", ADDR: "localhost" } },
    /^error: Cannot listen on "localhost:0": Deno was not allowed to\. [^\n]*\n$/,
  ],
  [
    "its own code",
    { env: { FW_ENV: "dev" }, config: "fail();" },
    /Error: from lib\n[^]*lib\/fail\.ts:2:9/,
  ],
];

for (const [name, { env = {}, config = "void [config, fail];" }, want] of failures) {
  Deno.test(`start: a boot failure prints one sentence, with a stack only for the application's code: ${name}`, () =>
    withStarted({ "app/setup.ts": setupThat(config), "lib/fail.ts": fail }, async (app) => {
      assertEquals((await app.ended()).code, 1);
      assertMatch(app.output().replace(/^Task start [^\n]*\n/, ""), want);
    }, { env }));
}

const lineFailures: readonly [
  name: string,
  options: { env?: Record<string, string>; config?: string },
  want: { readonly message: string; readonly place?: RegExp; readonly fix?: string },
][] = [
  ["a variable", { env: { FW_ENV: "staging" } }, {
    message: 'Cannot read FW_ENV "staging": write "dev" or "prod".',
  }],
  ["an address", { env: { ADDR: "localhost" } }, {
    message: 'Cannot listen on "localhost:0": Deno was not allowed to. ' +
      "Add --allow-net=localhost to the start task in deno.json.",
  }],
  ["its own code", { config: "fail();" }, { message: "from lib", place: /\/lib\/fail\.ts:2:9$/ }],
  ["a server that is down", {
    config: 'throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });',
  }, {
    message: "refused",
    place: /\/app\/setup\.ts:4:/,
    fix: "start the server that Setup uses, or correct its address",
  }],
];

for (const [name, { env = {}, config = "void [config, fail];" }, want] of lineFailures) {
  Deno.test(`start: a boot failure in production is one line of the log: ${name}`, () =>
    withStarted({ "app/setup.ts": setupThat(config), "lib/fail.ts": fail }, async (app) => {
      assertEquals((await app.ended()).code, 1);
      const { level, msg, error, place, fix } = JSON.parse(
        app.output().replace(/^Task start [^\n]*\n/, ""),
      );
      assertEquals([level, msg, error.message], [
        "error",
        "the application cannot start",
        want.message,
      ]);
      assertMatch(place ?? "", want.place ?? /^$/);
      // The framework's own stack would not help.
      assertEquals("stack" in error, want.place !== undefined);
      assertEquals(fix, want.fix);
    }, { env }));
}

const headLimits: readonly [name: string, settings: Settings, warned: boolean][] = [
  ["the default", {}, false],
  ["a limit that Deno's listener does not support", { timeouts: { maxHeaderBytes: 4_096 } }, true],
  ["a limit of node:http", { listener: "node", timeouts: { maxHeaderBytes: 4_096 } }, false],
  ["more than node takes", { listener: "node", timeouts: { maxHeaderBytes: 2_000_000 } }, true],
];

for (const [name, settings, isWarned] of headLimits) {
  Deno.test(`listenAndServe with ${name} of timeouts.maxHeaderBytes ${isWarned ? "warns" : "is silent"}`, async () => {
    const lines: string[] = [];
    const base = listenSettings(lines);
    const timeouts = { ...base.timeouts, ...settings.timeouts };
    await using _server = await listen(new App({ ...base, ...settings, timeouts }), lines);
    assertEquals(lines.some((line) => line.includes("config.timeouts.maxHeaderBytes")), isWarned);
  });
}
