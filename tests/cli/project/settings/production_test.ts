import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { createProject } from "../../../../cli/project/project.ts";
import type { PossibleValue } from "../../../../cli/project/settings/settings.ts";
import { inProject } from "../../support.ts";

/** Formats a setting's possible values: the value and its source. */
function show(value: PossibleValue): string {
  const { source } = value;
  const from = source.kind === "code"
    ? `:${source.place.line}`
    : source.kind === "variable"
    ? source.name
    : "default";
  return `${value.kind === "known" ? JSON.stringify(value.value) ?? "-" : value.kind} ${from}`;
}

const head = "export async function Config(config: Settings): Promise<void> {\n";
const tail =
  '\n}\nimport { Off } from "@fw/fw";\nconst base = "/constant";\nconst alias = base;\nconst circle = other;\nconst other = circle;\n';

const byVariable = `${head}const folder = variable(config, "DATA");${tail}`;

function setupOf(body: string): string {
  return `export async function Setup(app) { ${body} }\n`;
}

/** Returns a body with constants at the top level, each of which names the one before it twice. */
function doublingBody(value: (name: string) => string): string {
  const constants = Array.from({ length: 60 }, (_, at) => `const d${at + 1} = ${value(`d${at}`)};`);
  return `config.languages = d60;\n}\nconst d0 = ["en"];\n${constants.join("\n")}\n{`;
}

/** The body of `Config`, from line 2 on, and the possible values of a setting. */
type Row = readonly [name: string, body: string, want: string, env?: Record<string, string>];

function testSetting(path: string, rows: readonly Row[]): void {
  for (const [name, body, want, env = {}] of rows) {
    Deno.test(`settings: ${name}`, () =>
      inProject({ "app/setup.ts": head + body + tail }, async (root) => {
        const settings = await createProject(root).settings(env);
        assertEquals(settings.possible(path).map(show).join(", "), want);
      }));
  }
}

testSetting("secret", [
  ["nothing", "", "- default"],
  ["the environment", "", '"s" FW_SECRET', { FW_SECRET: "s" }],
  ["an empty variable", "", "- default", { FW_SECRET: "" }],
  ["an assignment wins", 'config.secret = "x";', '"x" :2', { FW_SECRET: "s" }],
  [
    "a long chain of fallbacks, reading each part once",
    `config.secret = ${Array.from({ length: 64 }, (_, at) => `read${at}()`).join(" ?? ")};`,
    "unknown :2",
  ],
  ["a variable", 'config.secret = Deno.env.get("KEY");', '"k" KEY', { KEY: "k" }],
  ["a missing variable", 'config.secret = Deno.env.get("KEY");', "- KEY"],
  ["a variable with a fallback", 'config.secret = Deno.env.get("KEY") ?? "dev";', '"dev" :2'],
  ["code", "config.secret = await readKey();", "unknown :2"],
  ["condition", 'if (isLive()) config.secret = "x";', '"s" FW_SECRET, "x" :2', { FW_SECRET: "s" }],
  [
    "development alone",
    'if (config.env === "dev") config.secret = "dev"; else config.secret = "prod";',
    '"prod" :2',
  ],
  ["not in development", 'if (config.env !== "dev") { config.secret = "prod"; }', '"prod" :2'],
  ["after an if that returns", 'if (isLive()) return;\nconfig.secret = "x";', '- default, "x" :3'],
  ["after a return", 'return;\nconfig.secret = "x";', "- default"],
  [
    "after a return in production",
    'if (config.env === "prod") { config.secret = "p"; return; }\nconfig.secret = "x";',
    '"p" :2',
  ],
  ["after a return in dev", 'if (config.env !== "prod") return;\nconfig.secret = "x";', '"x" :3'],
  ["after a block's return", '{ config.secret = "p"; return; }\nconfig.secret = "x";', '"p" :2'],
  ["after a loop", 'for (const a of b) { return; }\nconfig.secret = "x";', '- default, "x" :3'],
  ["a loop", 'for (const a of b) { config.secret = "x"; }', '- default, "x" :2'],
  ["a fallback for an unset value", 'config.secret ??= "x";', '"x" :2'],
  ["an unused fallback", "config.secret ||= make();", '"s" FW_SECRET', { FW_SECRET: "s" }],
  ["a conditional fallback", 'if (isLive()) config.secret ??= "x";', '- default, "x" :2'],
  [
    "statements of a nested function are not those of Config",
    'config.logRequest = (c) => { config.secret = "x"; return true; };',
    "- default",
  ],
]);

testSetting("allowedHosts", [
  ["a list of the environment", "", '["a.example","b.example"] FW_ALLOWED_HOSTS', {
    FW_ALLOWED_HOSTS: " a.example, ,b.example",
  }],
]);

testSetting("maxBodyBytes", [
  ["a long sum", `config.maxBodyBytes = ${Array(64).fill("1").join(" + ")};`, "64 :2"],
  ["the larger of two", "config.maxBodyBytes = Math.max(1_024, 2 * 1_024);", "2048 :2"],
  ["a condition", "config.maxBodyBytes = isLive() ? 1 : 2;", "unknown :2"],
]);

testSetting("languages", [
  ["branches that double", doublingBody((name) => `a() ? ${name} : ${name}`), "unknown :2"],
  ["lists that double", doublingBody((name) => `[${name}, ${name}]`), "unknown :2"],
]);

testSetting("observability.metrics", [
  ["a member of a group", 'config.observability.metrics = "/m";', '"/m" :2'],
  ["a new group", 'config.observability.metrics = "/m";\nconfig.observability = {};', "- :3"],
  ["a group of unknown members", "config.observability = { ...defaults };", "unknown :2"],
]);

testSetting("observability.trusted", [
  [
    "a whole group",
    'config.observability = { metrics: "/m", "trusted": ["10.0.0.0/8"] };',
    '["10.0.0.0/8"] :2',
  ],
]);

testSetting("observability.health", [["Off", "config.observability.health = Off;", "off :2"]]);

testSetting("basePath", [
  ["a constant of the file", "config.basePath = base;", '"/constant" :2'],
  ["a constant of a constant", "config.basePath = alias;", '"/constant" :2'],
  ["a circle of constants", "config.basePath = circle;", "unknown :2"],
  [
    "both branches",
    'if (isLive()) { config.basePath = "/a"; } else config.basePath = "/b";',
    '- default, "/a" :2, "/b" :2',
  ],
  ["a value computed from the previous one", 'config.basePath += "/x";', "unknown :2"],
  ["a value that reads it", "config.basePath = clean(config.basePath);", "unknown :2"],
  [
    "behind another one in a chain",
    'config.secret = config.basePath = "/x";',
    '- default, "/x" :2',
  ],
]);

testSetting("trustedProxies", [
  ["a list with an unknown element", "config.trustedProxies = [proxy()];", "unknown :2"],
]);

/** An `app/setup.ts`, and the possible values of `secret`, or the line of an unsupported form. */
const setups: readonly (readonly [name: string, setup: string, want: string | number])[] = [
  ["no Config", "export function Setup() {}", "- default"],
  ["no parameter", "export function Config() {}", "- default"],
  ["an arrow", 'export const Config = (c) => { c.secret = "x"; };', '"x" :1'],
  ["an expression", 'export const Config = (c) => (c.secret = "x");', '"x" :1'],
  ["a list of exports", 'function Config(c) { c.secret = "x"; }\nexport { Config };', '"x" :1'],
  [
    "Setup overrides Config",
    'export const Config = (c) => { c.secret = "x"; };\n' +
    'export function Setup(app) { app.config.secret = "y"; }\n',
    '"y" :2',
  ],
  ["a setting of Setup", setupOf('app.config.secret = "x";'), '"x" :1'],
  ["in development", setupOf('if (app.env === "dev") app.config.secret = "x";'), "- default"],
  ["a call with the application", setupOf("provide(app, Db, open());"), "- default"],
  ["other objects", setupOf('app.secret = "x"; other.config.secret = "y";'), "- default"],
  ["properties of the same name", setupOf("provide(app, Db, { app: 1, config: 2 });"), "- default"],
  ["the library's variable()", `import { variable } from "@fw/fw";\n${byVariable}`, "- default"],
  ["another variable()", `const variable = (c, name) => c.addr = name;\n${byVariable}`, 3],
  ["a call with the configuration", `${head}apply(config);${tail}`, 2],
  ["a call with a group", `${head}apply(config.cors);${tail}`, 2],
  ["a call inside a value", `${head}const x = make(1, config);${tail}`, 2],
  ["an alias of a group", `${head}const o = config.cors;\no.origins = [];${tail}`, 2],
  ["a pattern", `${head}const { cors } = config;${tail}`, 2],
  ["a destructured parameter", "export function Config({ cors }) {}", 1],
  ["brackets", `${head}config["cors"] = Off;${tail}`, 2],
  ["a deleted setting", `${head}delete config.secret;${tail}`, 2],
  ["reads of single settings", `${head}console.log(config.addr);${tail}`, "- default"],
  ["a chained assignment", `${head}config.secret = config.basePath = "/x";${tail}`, "unknown :2"],
  [
    "an assignment behind &&",
    `${head}isLive() && (config.secret = "x");${tail}`,
    '- default, "x" :2',
  ],
  ["an object merged in", `${head}Object.assign(config, more());${tail}`, 2],
  ["a function from another file", 'export { Config } from "../lib/settings.ts";', 1],
  ["a computed function", "export const Config = make();", 1],
  ["a call of Setup", "export const Setup = (app) => harden(app.config);", 1],
  ["a pattern of Setup", "export function Setup({ config }) {}", 1],
];
for (const [name, setup, want] of setups) {
  Deno.test(`settings: ${typeof want === "number" ? "not read" : "read"}: ${name}`, () =>
    inProject({ "app/setup.ts": setup }, async (root) => {
      const { unread, possible } = await createProject(root).settings({});
      const shown = possible("secret").map(show).join(", ");
      assertEquals(unread === undefined ? shown : unread.line, want);
      assertEquals(unread?.file ?? "app/setup.ts", "app/setup.ts");
    }));
}

Deno.test("settings: reads the example application's settings", async () => {
  const demo = fromFileUrl(new URL("../../../../examples/events", import.meta.url));
  const settings = await createProject(demo).settings({});
  assertEquals(settings.unread, undefined);
  const shown = (path: string): string[] =>
    settings.possible(path).map((value) => show(value).replace(/\d+$/, ""));
  assertEquals(shown("observability.metrics"), ['"/metrics" :']);
  assertEquals(shown("secret"), ["unknown :"]);
});
