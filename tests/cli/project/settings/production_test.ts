import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { createProject } from "../../../../cli/project/project.ts";
import type { PossibleValue } from "../../../../cli/project/settings/production.ts";
import { type Files, inProject } from "../../support.ts";

/** A setting's possible values as short texts: the value, and what says it. */
function show(value: PossibleValue): string {
  const { source } = value;
  const from = source.kind === "code"
    ? `${source.place.file}:${source.place.line}`
    : source.kind === "variable"
    ? source.name
    : "default";
  return `${value.kind === "known" ? JSON.stringify(value.value) ?? "-" : value.kind} ${from}`;
}

interface Row {
  readonly name: string;
  /** The body of `Config`, from line 2 on. */
  readonly body: string;
  readonly path: string;
  readonly want: readonly string[];
  readonly env?: Record<string, string>;
}

const rows: readonly Row[] = [
  { name: "nothing", body: "", path: "secret", want: ["- default"] },
  {
    name: "the environment",
    body: "",
    path: "secret",
    env: { FW_SECRET: "s" },
    want: ['"s" FW_SECRET'],
  },
  {
    name: "an empty variable",
    body: "",
    path: "secret",
    env: { FW_SECRET: "" },
    want: ["- default"],
  },
  {
    name: "a list of the environment",
    body: "",
    path: "allowedHosts",
    env: { FW_ALLOWED_HOSTS: " a.example, ,b.example" },
    want: ['["a.example","b.example"] FW_ALLOWED_HOSTS'],
  },
  {
    name: "an assignment wins",
    body: 'config.secret = "x";',
    path: "secret",
    env: { FW_SECRET: "s" },
    want: ['"x" app/setup.ts:2'],
  },
  {
    name: "a long chain of fallbacks, without reading each part again for every operator",
    body: `config.secret = ${Array.from({ length: 64 }, (_, at) => `read${at}()`).join(" ?? ")};`,
    path: "secret",
    want: ["unknown app/setup.ts:2"],
  },
  {
    name: "a long sum",
    body: `config.maxBodyBytes = ${Array(64).fill("1").join(" + ")};`,
    path: "maxBodyBytes",
    want: ["64 app/setup.ts:2"],
  },
  {
    name: "a member of a group",
    body: 'config.observability.metrics = "/m";',
    path: "observability.metrics",
    want: ['"/m" app/setup.ts:2'],
  },
  {
    name: "a whole group",
    body: 'config.observability = { metrics: "/m", "trusted": ["10.0.0.0/8"] };',
    path: "observability.trusted",
    want: ['["10.0.0.0/8"] app/setup.ts:2'],
  },
  {
    name: "a whole group resets what was set",
    body: 'config.observability.metrics = "/m";\nconfig.observability = {};',
    path: "observability.metrics",
    want: ["- app/setup.ts:3"],
  },
  {
    name: "a group of unknown members",
    body: "config.observability = { ...defaults };",
    path: "observability.metrics",
    want: ["unknown app/setup.ts:2"],
  },
  {
    name: "Off",
    body: "config.observability.health = Off;",
    path: "observability.health",
    want: ["off app/setup.ts:2"],
  },
  {
    name: "a constant of the file",
    body: "config.basePath = base;",
    path: "basePath",
    want: ['"/constant" app/setup.ts:2'],
  },
  {
    name: "a circle of constants",
    body: "config.basePath = circle;",
    path: "basePath",
    want: ["unknown app/setup.ts:2"],
  },
  {
    name: "a variable",
    body: 'config.secret = Deno.env.get("KEY");',
    path: "secret",
    env: { KEY: "k" },
    want: ['"k" KEY'],
  },
  {
    name: "a variable that is missing",
    body: 'config.secret = Deno.env.get("KEY");',
    path: "secret",
    want: ["- KEY"],
  },
  {
    name: "a variable with a substitute",
    body: 'config.secret = Deno.env.get("KEY") ?? "dev";',
    path: "secret",
    want: ['"dev" app/setup.ts:2'],
  },
  {
    name: "code",
    body: "config.secret = await readKey();",
    path: "secret",
    want: ["unknown app/setup.ts:2"],
  },
  {
    name: "a condition",
    body: 'if (isLive()) config.secret = "x";',
    path: "secret",
    env: { FW_SECRET: "s" },
    want: ['"s" FW_SECRET', '"x" app/setup.ts:2'],
  },
  {
    name: "both branches",
    body: 'if (isLive()) { config.basePath = "/a"; } else config.basePath = "/b";',
    path: "basePath",
    want: ["- default", '"/a" app/setup.ts:2', '"/b" app/setup.ts:2'],
  },
  {
    name: "development alone",
    body: 'if (config.env === "dev") config.secret = "dev"; else config.secret = "prod";',
    path: "secret",
    want: ['"prod" app/setup.ts:2'],
  },
  {
    name: "not in development",
    body: 'if (config.env !== "dev") { config.secret = "prod"; }',
    path: "secret",
    want: ['"prod" app/setup.ts:2'],
  },
  {
    name: "after a return that may happen",
    body: 'if (isLive()) return;\nconfig.secret = "x";',
    path: "secret",
    want: ["- default", '"x" app/setup.ts:3'],
  },
  {
    name: "after a return",
    body: 'return;\nconfig.secret = "x";',
    path: "secret",
    want: ["- default"],
  },
  {
    name: "after a return in production",
    body: 'if (config.env === "prod") { config.secret = "p"; return; }\nconfig.secret = "x";',
    path: "secret",
    want: ['"p" app/setup.ts:2'],
  },
  {
    name: "after a return in development",
    body: 'if (config.env !== "prod") return;\nconfig.secret = "x";',
    path: "secret",
    want: ['"x" app/setup.ts:3'],
  },
  {
    name: "after a block with a return",
    body: '{ config.secret = "p"; return; }\nconfig.secret = "x";',
    path: "secret",
    want: ['"p" app/setup.ts:2'],
  },
  {
    name: "after a loop with a return",
    body: 'for (const a of b) { return; }\nconfig.secret = "x";',
    path: "secret",
    want: ["- default", '"x" app/setup.ts:3'],
  },
  {
    name: "after a try with a return",
    body: 'try { ask(); return; } catch { log(); }\nconfig.secret = "x";',
    path: "secret",
    want: ["- default", '"x" app/setup.ts:3'],
  },
  {
    name: "a loop",
    body: 'for (const a of b) { config.secret = "x"; }',
    path: "secret",
    want: ["- default", '"x" app/setup.ts:2'],
  },
  {
    name: "a substitute where nothing is set",
    body: 'config.secret ??= "x";',
    path: "secret",
    want: ['"x" app/setup.ts:2'],
  },
  {
    name: "a substitute where something is set",
    body: "config.secret ||= make();",
    path: "secret",
    env: { FW_SECRET: "s" },
    want: ['"s" FW_SECRET'],
  },
  {
    name: "a substitute under a condition",
    body: 'if (isLive()) config.secret ??= "x";',
    path: "secret",
    want: ["- default", '"x" app/setup.ts:2'],
  },
  {
    name: "something made of the value before",
    body: 'config.basePath += "/x";',
    path: "basePath",
    want: ["unknown app/setup.ts:2"],
  },
  {
    name: "a list with something unknown in it",
    body: "config.trustedProxies = [proxy()];",
    path: "trustedProxies",
    want: ["unknown app/setup.ts:2"],
  },
  {
    name: "a function's own statements are not those of Config",
    body: 'config.logRequest = (c) => { config.secret = "x"; return true; };',
    path: "secret",
    want: ["- default"],
  },
];

const head = "export async function Config(config: Settings): Promise<void> {\n";
const tail =
  '\n}\nimport { Off } from "@fw/fw";\nconst base = "/constant";\nconst circle = other;\nconst other = circle;\n';

for (const { name, body, path, want, env = {} } of rows) {
  Deno.test(`settings: ${name}`, async () => {
    await inProject({ "app/setup.ts": head + body + tail }, async (root) => {
      const settings = await createProject(root).settings(env);
      assertEquals(settings.possible(path).map(show), want);
    });
  });
}

const forms: readonly [name: string, files: Files, want: readonly string[]][] = [
  ["no setup.ts", {}, ["- default"]],
  ["no Config", { "app/setup.ts": "export function Setup() {}" }, ["- default"]],
  ["no parameter", { "app/setup.ts": "export function Config() {}" }, ["- default"]],
  [
    "an arrow function",
    { "app/setup.ts": 'export const Config = (c) => { c.secret = "x"; };' },
    ['"x" app/setup.ts:1'],
  ],
  [
    "an expression",
    { "app/setup.ts": 'export const Config = (c) => (c.secret = "x");' },
    ['"x" app/setup.ts:1'],
  ],
  [
    "a list of exports",
    { "app/setup.ts": 'function Config(c) { c.secret = "x"; }\nexport { Config };' },
    ['"x" app/setup.ts:1'],
  ],
  [
    "Setup has the last word",
    {
      "app/setup.ts": 'export const Config = (c) => { c.secret = "x"; };\n' +
        'export function Setup(app) { app.config.secret = "y"; }\n',
    },
    ['"y" app/setup.ts:2'],
  ],
];
for (const [name, files, want] of forms) {
  Deno.test(`settings: the form of Config: ${name}`, async () => {
    await inProject(files, async (root) => {
      const settings = await createProject(root).settings({});
      assertEquals(settings.possible("secret").map(show), want);
      assertEquals(settings.unread, undefined);
    });
  });
}

const setups: readonly [name: string, body: string, want: readonly string[]][] = [
  ["a setting", 'app.config.secret = "x";', ['"x" app/setup.ts:1']],
  ["development alone", 'if (app.env === "dev") app.config.secret = "x";', ["- default"]],
  ["a call with the application", "provide(app, Db, open());", ["- default"]],
  ["a setting of another object", 'app.secret = "x"; other.config.secret = "y";', ["- default"]],
  ["a property of that name", "provide(app, Db, { app: 1, config: 2 });", ["- default"]],
];
for (const [name, body, want] of setups) {
  Deno.test(`settings: Setup: ${name}`, async () => {
    const setup = `export async function Setup(app) { ${body} }\n`;
    await inProject({ "app/setup.ts": setup }, async (root) => {
      const settings = await createProject(root).settings({});
      assertEquals(settings.possible("secret").map(show), want);
      assertEquals(settings.unread, undefined);
    });
  });
}

/** Forms that are not understood: the settings count as not read, from this line on. */
const unread: readonly [name: string, setup: string, line: number][] = [
  ["a call with the configuration", `${head}apply(config);${tail}`, 2],
  ["a call with a group", `${head}apply(config.cors);${tail}`, 2],
  ["a call inside a value", `${head}const x = make(1, config);${tail}`, 2],
  ["a group under another name", `${head}const o = config.cors;\no.origins = [];${tail}`, 2],
  ["a pattern", `${head}const { cors } = config;${tail}`, 2],
  ["a pattern as the parameter", "export function Config({ cors }) {}", 1],
  ["brackets", `${head}config["cors"] = Off;${tail}`, 2],
  ["a setting that is deleted", `${head}delete config.secret;${tail}`, 2],
  ["what is merged in", `${head}Object.assign(config, more());${tail}`, 2],
  ["a function of another file", 'export { Config } from "../lib/settings.ts";', 1],
  ["a made function", "export const Config = make();", 1],
  ["a call of Setup", "export const Setup = (app) => harden(app.config);", 1],
  ["a pattern of Setup", "export function Setup({ config }) {}", 1],
];
for (const [name, setup, line] of unread) {
  Deno.test(`settings: not read: ${name}`, async () => {
    await inProject({ "app/setup.ts": setup }, async (root) => {
      const settings = await createProject(root).settings({});
      assertEquals([settings.unread?.file, settings.unread?.line], ["app/setup.ts", line]);
    });
  });
}

Deno.test("settings: two settings at once, and one behind &&", async () => {
  const body = 'config.secret = config.basePath = "/x";\nisLive() && (config.addr = ":80");';
  await inProject({ "app/setup.ts": head + body + tail }, async (root) => {
    const settings = await createProject(root).settings({});
    assertEquals(settings.possible("secret").map(show), ["unknown app/setup.ts:2"]);
    assertEquals(settings.possible("basePath").map(show), ["- default", '"/x" app/setup.ts:2']);
    assertEquals(settings.possible("addr").map(show), ["- default", '":80" app/setup.ts:3']);
  });
});

Deno.test("settings: reading a single setting hands nothing out", async () => {
  const body = "console.log(config.addr); config.basePath = clean(config.basePath);";
  await inProject({ "app/setup.ts": head + body + tail }, async (root) => {
    const settings = await createProject(root).settings({});
    assertEquals(settings.unread, undefined);
    assertEquals(settings.possible("basePath").map(show), ["unknown app/setup.ts:2"]);
  });
});

const variableCalls: [name: string, start: string, isRead: boolean][] = [
  ["the library's", 'import { variable } from "@fw/fw";\n', true],
  [
    "one of the project",
    "const variable = (config: Settings, name: string) => config.addr = name;\n",
    false,
  ],
];

for (const [name, start, isRead] of variableCalls) {
  Deno.test(`settings: variable(config, "X") is ${name}`, async () => {
    const body = 'const folder = variable(config, "DATA");\nconfig.spoolDir = folder;';
    await inProject({ "app/setup.ts": start + head + body + tail }, async (root) => {
      assertEquals((await createProject(root).settings({})).unread === undefined, isRead);
    });
  });
}

Deno.test("settings: reads the demo's settings", async () => {
  const demo = fromFileUrl(new URL("../../../../examples/events", import.meta.url));
  const settings = await createProject(demo).settings({});
  assertEquals(settings.unread, undefined);
  const shown = (path: string): string[] =>
    settings.possible(path).map((value) => show(value).replace(/:\d+$/, ""));
  assertEquals(shown("observability.metrics"), ['"/metrics" app/setup.ts']);
  assertEquals(shown("secret"), ["unknown app/setup.ts"]);
});
