import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import {
  diffPolicies,
  formatPolicy,
  parsePolicy,
  type PolicyField,
  type PolicyLine,
  readPolicy,
} from "../../../cli/describe/policy/policy.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { createProject } from "../../../cli/project/project.ts";
import { isShared } from "../../../cli/facts/protection.ts";
import { cpuMs } from "../../cpu_time.ts";
import { type Files, inProject, runCli, writeFiles } from "../support.ts";

const app: Files = {
  "lib/sign_in.ts": `import { createSessions } from "@fw/fw/auth";
export const sessions = createSessions({});
export const { requireAdmin: adminOnly } = sessions;
`,
  "lib/limits.ts": `import { limit as cap } from "@fw/fw";
const perSecond = 2 * 2;
export const slow = cap(perSecond, 10, { name: "account" });
`,
  "app/page.ts": `export function Page() {}\n`,
  "app/editor/middleware.ts": `import { sessions } from "../../lib/sign_in.ts";
import { slow } from "../../lib/limits.ts";
const guard = sessions.requireRole("editor", "owner");
export function Middleware(c, next) { return guard(c, next); }
export function MiddlewarePOST(c, next) { c.allowBody(4 * 1024 * 1024); return slow(c, next); }
`,
  "app/editor/page.ts": `import { adminOnly } from "../../lib/sign_in.ts";
export function Page(c) { c.cacheControl("private, max-age=60"); }
async function remove(c) { const user = await adminOnly(c); }
export const Actions = { remove, keep() {} };
`,
  "app/api/open/route.ts":
    `export const CORS = { origins: ["https://a.example", "https://b.example"] };
export function GET(c) { return c.stream(() => {}); }
export function POST() {}
`,
  "app/api/keys/middleware.ts": `import { httpError } from "@fw/fw";
export function Middleware(c, next) {
  if (!c.request.headers.get("Authorization")) throw httpError(401, "no");
  return next();
}
`,
  "app/api/keys/route.ts": `export const CSRF = false;
export function DELETE(c) { c.noReadDeadline(); }
`,
};

const policy = `# Who may call what, and how much. Written by \`fw policy\`; commit it.
GET / kind=page write=60s
DELETE /api/keys kind=api csrf=off body=1MiB read=off write=60s guards=app/api/keys/middleware.ts:Middleware?# middleware=app/api/keys/middleware.ts
GET /api/open kind=api cors=route:https://a.example,https://b.example write=off
POST /api/open kind=api csrf=site cors=route:https://a.example,https://b.example body=1MiB read=60s write=60s
GET /editor kind=page write=60s cache=private,max-age=60 guards=requireRole(editor,owner)+app/editor/middleware.ts:Middleware?# middleware=app/editor/middleware.ts
POST /editor?/remove kind=page csrf=token body=4MiB rate=limit(4,10,account) read=60s write=60s guards=requireRole(editor,owner)+app/editor/middleware.ts:Middleware?#+requireAdmin middleware=app/editor/middleware.ts
POST /editor?/keep kind=page csrf=token body=4MiB rate=limit(4,10,account) read=60s write=60s guards=requireRole(editor,owner)+app/editor/middleware.ts:Middleware?# middleware=app/editor/middleware.ts
`;

async function read(cwd: string): Promise<string> {
  return await Deno.readTextFile(join(cwd, "policy.txt"));
}

async function guardsOf(files: Files): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await inProject(files, async (cwd) => {
    const lines = await readPolicy(createProject(cwd));
    found = lines.map(({ name, fields }) => `${name} ${fields.guards}`);
  });
  return found;
}

Deno.test("policy: token guards count, and guards in a method of a provided object where that method is called", async () => {
  const lib = `import { key } from "@fw/fw";
import { sessions } from "./sign_in.ts";
export class Desk {
  async editor(c) { return await this.#look(c); }
  #look = async (c) => { return await sessions.requireRole("editor")(c); };
  open() {}
}
export const Door = key<Desk>("desk");
`;
  const route = (method: string, use: string): string =>
    `import { use } from "@fw/fw";
import { Door as Way } from "../../lib/desk.ts";
import { tokens } from "../../lib/tokens.ts";
export async function ${method}(c) { ${use} }
`;
  const tokens = 'import { createTokens } from "@fw/fw/auth";\n' +
    "export const tokens = createTokens({ stored: true });\n";
  const files = {
    "lib/sign_in.ts": app["lib/sign_in.ts"] ?? "",
    "lib/tokens.ts": tokens,
    "lib/desk.ts": lib,
    "app/a/route.ts": route("POST", "await use(c, Way).editor(c);"),
    "app/b/route.ts": route("POST", "const desk = use(c, Way); await desk.editor(c);"),
    "app/c/route.ts": route("POST", "use(c, Way).open();"),
    "app/d/route.ts": route("POST", "other(c, Way).editor(c); this.editor(c);"),
    "app/e/middleware.ts":
      'import { tokens } from "../../lib/tokens.ts";\nexport const Middleware = tokens.require;\n',
    "app/e/route.ts": route("POST", 'await tokens.requireScope("loans:write")(c);'),
  };
  assertEquals(await guardsOf(files), [
    "POST /a requireRole(editor)",
    "POST /b requireRole(editor)",
    "POST /c -",
    "POST /d -",
    "POST /e require+requireScope(loans:write)",
  ]);
});

Deno.test("policy writes a line for each method and action, deterministically", () =>
  inProject(app, async (cwd) => {
    assertEquals((await runCli(["policy"], { cwd })).stdout, "Wrote policy.txt.\n");
    assertEquals((await read(cwd)).replaceAll(/\?[0-9a-f]{8}/g, "?#"), policy);
    const env = { FW_RATE: "1", FW_ALLOWED_HOSTS: "a.example", FW_BASE_PATH: "/x" };
    assertEquals((await runCli(["policy"], { cwd, env })).stdout, "policy.txt is up to date.\n");
    assertEquals((await runCli(["policy", "--check"], { cwd })).code, 0);
  }));

Deno.test("policy has the settings of the application", async () => {
  const files = {
    ...app,
    "app/setup.ts": `import { NoTimeout } from "@fw/fw";
export function Config(config) {
  config.maxBodyBytes = 2048;
  config.csrfForApi = true;
  config.rateLimit = { rate: 5, burst: 20 };
  config.timeouts.readMs = 1500;
  config.timeouts.writeMs = NoTimeout;
  config.cors.origins = ["https://c.example"];
}
export function Setup() {}
`,
  };
  await inProject(files, async (cwd) => {
    await runCli(["policy"], { cwd });
    const text = await read(cwd);
    assertStringIncludes(text, "GET / kind=page cors=https://c.example rate=app(5,20) write=off\n");
    assertStringIncludes(text, "POST /api/open kind=api csrf=token");
    assertStringIncludes(text, "body=2KiB rate=app(5,20) read=1500ms write=off");
    assertStringIncludes(text, "rate=app(5,20)+limit(4,10,account)");
  });
});

async function fieldsOf(files: Files, method = "POST"): Promise<PolicyLine["fields"]> {
  let found: PolicyLine | undefined;
  await inProject(files, async (cwd) => {
    const lines = await readPolicy(createProject(cwd));
    found = lines.find(({ name }) => name.startsWith(method));
  });
  if (found === undefined) throw new TypeError(`Cannot find a line of ${method}.`);
  return found.fields;
}

const configOf = (bytes: string): string =>
  `export function Config(config) { config.maxBodyBytes = ${bytes}; }\nexport function Setup() {}\n`;

/** Constants that each use the previous one, the first one `value`. */
function constants(value: string, next: (name: string) => string): string {
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
  return names.map((name, index) =>
    `const ${name} = ${index === 0 ? value : next(`a${index - 1}`)};\n`
  ).join("");
}

/** A limit in the code, its text in the line, the code before it, and the limit in the settings. */
const writtenLimits: readonly (readonly [
  limit: string,
  body: string | RegExp,
  given?: { readonly code?: string; readonly config?: string },
])[] = [
  ["Math.max(c.app.config.maxBodyBytes, 2_113 * 1_024)", "2113KiB"],
  ["Math.max(c.app.config.maxBodyBytes, 2_113 * 1_024)", "8MiB", { config: "8 * 1024 * 1024" }],
  ["Math.min(c.app.config.maxBodyBytes, 2_113 * 1_024)", "1MiB"],
  ["(c.app.config.maxBodyBytes + 2048) - 1024", "1025KiB"],
  ["1_024 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2", "2MiB"],
  ["a39", "2MiB", { code: constants("2_097_152", (name) => name) }],
  ["a39", "2KiB", { code: constants("2_048", (a) => `${a} + ${a} - ${a}`) }],
  ...["a", "b", "a + b"].map((limit) =>
    [limit, /^\?/, { code: "const a = b;\nconst b = a;\n" }] as const
  ),
];

for (const [limit, body, { code = "", config } = {}] of writtenLimits) {
  Deno.test(`policy: the body limit of ${limit} is ${body}`, async () => {
    const found = (await fieldsOf({
      "app/a/route.ts": `${code}export function POST(c) { c.allowBody(${limit}); }\n`,
      ...config !== undefined && { "app/setup.ts": configOf(config) },
    })).body;
    if (typeof body === "string") assertEquals(found, body);
    else assertMatch(found, body);
  });
}

Deno.test("policy: reads constants and both values of a condition", async () => {
  const files: Files = {
    "app/a/route.ts": `const day = "private, max-age=86400";
export function GET(c) { c.cacheControl(c.query("v") === "1" ? day : "private, no-cache"); }
`,
  };
  assertEquals((await fieldsOf(files, "GET")).cache, "private,max-age=86400+private,no-cache");
});

const guarded = (code: string): Files => ({
  "lib/sign_in.ts": app["lib/sign_in.ts"] ?? "",
  "app/a/route.ts": `import { sessions } from "../../lib/sign_in.ts";\n${code}`,
});

/** Code that only runs can evaluate, and a change of its value. */
const unread: [field: PolicyField, change: [string, string], files: Files][] = [
  ["body", ["* 2", "* 880"], {
    "app/a/route.ts": "export function POST(c) { c.allowBody(c.user.plan * 2); }\n",
  }],
  ["body", ["2_048", "880_000"], {
    "app/a/route.ts": `import { roomOf } from "../../lib/room.ts";
export function POST(c) { c.allowBody(roomOf(c)); }
`,
    "lib/room.ts": "const most = 2_048;\nexport const roomOf = (c) => c.user.plan * most;\n",
  }],
  ["body", ["2_048", "880_000"], {
    "app/a/route.ts":
      "export function POST(c) {\n  let room = 2_048;\n  room *= c.plan;\n  c.allowBody(room);\n}\n",
  }],
  ["body", ["2_048", "880_000"], {
    "app/a/middleware.ts": `import { allow } from "../../lib/allow.ts";
export const Middleware = allow({ bytes: 2_048 });
`,
    "app/a/route.ts": "export function POST(c) {}\n",
    "lib/allow.ts": `export const allow = ({ bytes }) => (c, next) => {
  c.allowBody(bytes);
  return next();
};
`,
  }],
  ["cache", ["private", "public"], {
    "app/a/route.ts": "export function POST(c) { c.cacheControl(`private, ${c.age}`); }\n",
  }],
  ["rate", ["Number(5)", "Number(500)"], {
    "app/a/route.ts": `import { limit } from "@fw/fw";
const slow = limit(Number(5), 10);
export function POST(c) { return slow(c); }
`,
  }],
  ["cors", ["https://a.example", "https://b.example"], {
    "app/a/route.ts": `const main = "https://a.example";
export const CORS = { origins: [main] };
export function POST(c) {}
`,
  }],
  [
    "guards",
    ['"owner"', '"owner", "guest"'],
    guarded(`const roles = ["owner"];
const guard = sessions.requireRole(...roles);
export function POST(c) { return guard(c); }
`),
  ],
  [
    "guards",
    ['"admin"', '"viewer"'],
    guarded(`export async function POST(c) {
  const context = { role: "admin" };
  return await sessions.requireRole(context.role)(c);
}
`),
  ],
  [
    "guards",
    ['"admin"', '"viewer"'],
    guarded(`const check = (context, c) => sessions.requireRole(context.role)(c);
export const POST = (c) => check({ role: "admin" }, c);
`),
  ],
  [
    "guards",
    ['"viewer"', '"vie wer"'],
    guarded(`const roles = ["viewer"];
export const POST = (c) => sessions.requireRole(...roles)(c);
`),
  ],
  ["body", ["2_048", "880_000"], {
    "app/a/route.ts": "export function POST(c) {}\n",
    "app/setup.ts": `import { room } from "../lib/room.ts";\n${configOf("room()")}`,
    "lib/room.ts": "export const room = () => 2_048;\n",
  }],
];

Deno.test("policy: notices changes in code that it cannot evaluate, and ignores whitespace and comments", async () => {
  for (const [field, [before, after], files] of unread) {
    const changed = (edit: (text: string) => string): Files =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, edit(String(text))]));
    const [first, same, noted, other] = await Promise.all([
      fieldsOf(files),
      fieldsOf(changed((text) => text.replaceAll("; }", ";\n }"))),
      fieldsOf(
        changed((text) =>
          text.replaceAll("; }", "; // why\n }").replaceAll(/ = (?=[\w"[{])/g, " = /* it */ ")
        ),
      ),
      fieldsOf(changed((text) => text.replace(before, after))),
    ]);
    const shown = Object.values(files).join("");
    assertMatch(first[field], /\?[0-9a-f]{8}/, shown);
    assertEquals(first[field], same[field], shown);
    assertEquals(first[field], noted[field], shown);
    assertNotEquals(first[field], other[field], shown);
    assert(!/\s/.test(other[field]));
  }
});

const shown = (text: string): string => text.replaceAll(/\?[0-9a-f]{8}/g, "?#");

/** Replaces a text in a file of the application. */
const edited = (file: string, from: string, to: string): Files => ({
  [file]: app[file]?.replace(from, to) ?? "",
});

/** Consecutive changes of the code, and the output of `policy --check`. */
const changes: [name: string, place: string, says: readonly string[], files: Files][] = [
  [
    "a guard is removed",
    "app/editor/page.ts:2",
    ["GET /editor: guards requireRole(editor,owner)+app/editor/middleware.ts:Middleware?# → -"],
    edited("app/editor/middleware.ts", "return guard(c, next)", "return next()"),
  ],
  [
    "a guard names another role",
    "app/editor/page.ts:2",
    [
      "GET /editor: guards requireRole(editor,owner)+app/editor/middleware.ts:Middleware?# → " +
      "requireRole(editor)+app/editor/middleware.ts:Middleware?#",
    ],
    edited("app/editor/middleware.ts", ', "owner"', ""),
  ],
  [
    "the CSRF check is turned off",
    "app/api/open/route.ts:4",
    ["POST /api/open: csrf site → off"],
    edited("app/api/open/route.ts", "", "export const CSRF = false;\n"),
  ],
  [
    "another origin and a removed limit",
    "app/api/open/route.ts:2",
    [
      "GET /api/open: cors route:https://a.example,https://b.example → " +
      "route:https://evil.example,https://b.example",
      "POST /editor?/keep: rate limit(4,10,account) → -",
    ],
    {
      ...edited("app/api/open/route.ts", "https://a.example", "https://evil.example"),
      "lib/limits.ts": "export const slow = (c, next) => next();\n",
    },
  ],
  [
    "limits move",
    "app/api/keys/route.ts:2",
    ["POST /editor?/remove: body 4MiB → 8MiB", "DELETE /api/keys: read off → 60s"],
    {
      ...edited("app/editor/middleware.ts", "4 * 1024", "8 * 1024"),
      ...edited("app/api/keys/route.ts", " c.noReadDeadline(); ", ""),
    },
  ],
  [
    "shared caches may store a page",
    "app/editor/page.ts:2",
    ["GET /editor: cache private,max-age=60 → public,max-age=60"],
    edited("app/editor/page.ts", "private, max", "public, max"),
  ],
  [
    "a route comes",
    "app/new/page.ts:1",
    ["GET /new: new, with the guards -", "POST /new: new, with the guards -"],
    { "app/new/page.ts": "export function Page() {}\nexport function POST() {}\n" },
  ],
];

Deno.test("policy --check reports the fields that differ, with the handler's place", async (t) => {
  for (const [name, place, says, files] of changes) {
    await t.step(name, () =>
      inProject(app, async (cwd) => {
        await runCli(["policy"], { cwd });
        await writeFiles(cwd, files);
        const { code, stderr } = await runCli(["policy", "--check"], { cwd });
        assertEquals(code, 1);
        for (const text of says) {
          const lines = shown(stderr).split("\n");
          const at = lines.findIndex((line) => line.includes(`: ${text}`));
          assertMatch(lines[at + 1] ?? stderr, /^ {4}Fix: .*deno task policy/);
        }
        assertStringIncludes(stderr, `${place}:`);
        // The other way to apply the fix.
        assertStringIncludes(shown((await runCli(["policy"], { cwd })).stdout), says[0] ?? "");
        assertEquals((await runCli(["policy", "--check"], { cwd })).code, 0);
      }));
  }
});

Deno.test("policy --check names a removed route by its line, and a missing file by the command", () =>
  inProject(
    { "app/page.ts": app["app/page.ts"] ?? "", "policy.txt": policy },
    async (cwd) => {
      const { stderr } = await runCli(["policy", "--check"], { cwd });
      assertStringIncludes(stderr, "policy.txt:3 E_POLICY: DELETE /api/keys: removed");
      const hostile = "GET / kind=\u001b[31m\n";
      await writeFiles(cwd, { "policy.txt": hostile });
      const { stdout } = await runCli(["policy"], { cwd });
      assertStringIncludes(stdout, "GET /: kind \\u001b[31m → page; write - → 60s\n");
      const many = Array.from({ length: 20_000 }, (_, at) => `GET /a${at}\n`).join("");
      await writeFiles(cwd, { "policy.txt": many });
      const startMs = cpuMs();
      await runCli(["policy", "--check"], { cwd });
      assert(cpuMs() - startMs < 4_000);
      await Deno.remove(join(cwd, "policy.txt"));
      const missing = await runCli(["policy", "--check"], { cwd, env: { FW_LANG: "pt" } });
      assertEquals(missing.code, 1);
      assertStringIncludes(missing.stderr, "policy.txt falta ou está desatualizado");
    },
  ));

Deno.test("policy: reads repeated origins of CORS in linear time", async () => {
  const route = `export const CORS = { a: "${"origins:[".repeat(30_000)}" };
export function POST(c) {}
`;
  const startMs = cpuMs();
  await fieldsOf({ "app/a/route.ts": route });
  assert(cpuMs() - startMs < 4_000);
});

Deno.test("parsePolicy reads the output of formatPolicy and skips malformed lines", () => {
  const lines = parsePolicy(policy);
  assertEquals(lines.length, 7);
  assertEquals(formatPolicy(lines), policy);
  assertEquals(diffPolicies(lines, parsePolicy(policy), messagesIn("en").describe.policy), []);
  assertEquals(parsePolicy("# x\n\nnothing\nGET\nGET x a=b\n"), []);
  assertEquals(parsePolicy("GET /x __proto__=1 kind=page\r\n")[0]?.fields.kind, "page");
});

Deno.test("policy: escapes what a terminal interprets in the text of a guard", async () => {
  const handler =
    'export async function POST(c) { await sessions.requireRole("a\\u001b[31m")(c); }\n';
  assertEquals((await fieldsOf(guarded(handler))).guards, "requireRole(a\\u001b[31m)");
});

Deno.test("isShared: reports responses that a shared cache may store", () => {
  const shared = ["public", "public,max-age=1", "no-cache+public", "max-age=1,s-maxage=5"];
  const own = ["-", "private", "no-store", "max-age=60", "s-maxage=0", "?", "private,x=public"];
  assertEquals(shared.filter((text) => !isShared(text)), []);
  assertEquals(own.filter(isShared), []);
});

/** Independent changes by file: the old text and the new one. */
type Edits = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;

/** An application that imports guards in every way and awaits them in different functions. */
const spread: Files = {
  "lib/sessions.ts":
    'import { createSessions } from "@fw/fw/auth";\nexport const sessions = createSessions({});\n',
  "lib/rights.json": '{ "open": ["ada"] }\n',
  "lib/least.txt": "5\n",
  "lib/roles.ts": `export const roles = ["editor"];
export const limits: Record<string, number> = { key: 3 };
roles.push("owner");
`,
  "lib/keys.ts": `import { httpError } from "@fw/fw";
import rights from "./rights.json" with { type: "json" };
import least from "./least.txt" with { type: "text" };
import { limits, roles } from "./roles.ts";
let isOpen = false;
export function close() { isOpen = false; }
export default function (key) {
  if (isOpen) return;
  const isKnown = rights.open.includes(key) || roles.includes(key);
  if (!isKnown || key.length < limits.key || key < least) throw httpError(401, "Send a key.");
}
`,
  "lib/owners.ts": "export const isOwner = (c) => c.get(User).id === c.query('id');\n",
  "lib/all.ts": 'export * as owners from "./owners.ts";\n',
  "lib/editor.ts": `import { sessions } from "./sessions.ts";
const requireEditor = async (c) => await sessions.requireRole("editor")(c);
export default requireEditor;
`,
  "lib/check.ts": `import { httpError } from "@fw/fw";
export const check = async (c) => { if (await c.text() === "") throw httpError(403, "No."); };
`,
  "app/setup.ts": `import { limits } from "../lib/roles.ts";
export function Setup() { limits["key"] = 4; }
`,
  "app/api/middleware.ts":
    `export const MiddlewareDELETE = (c, next) => c.query("sure") === "yes" ? next() : c.text(400, "?");
`,
  "app/api/route.ts": `import { httpError } from "@fw/fw";
import checkKey from "../../lib/keys.ts";
import * as all from "../../lib/all.ts";
import { sessions } from "../../lib/sessions.ts";
export async function POST(c) {
  const user = await sessions.require(c);
  checkKey(c.query("key"));
  if (!all.owners.isOwner(c)) throw httpError(403, "Not yours.");
  return c.json(200, user);
}
export const DELETE = (c) => c.noContent();
`,
  "app/desk/middleware.ts": `import { sessions } from "../../lib/sessions.ts";
export async function Middleware(c, next) {
  const isWrite = c.method !== "GET";
  await sessions.require(c);
  if (isWrite) await sessions.requireRole("editor")(c);
  return await next();
}
`,
  "app/desk/route.ts": "export function POST(c) { return c.noContent(); }\n",
  "app/edit/route.ts": `import editorOnly from "../../lib/editor.ts";
import { check as refuse } from "../../lib/check.ts";
export async function PUT(c) {
  await editorOnly(c);
  await refuse(c);
  return c.noContent();
}
export async function PATCH(c) {
  const { default: check } = await import("../../lib/keys.ts");
  check(c.query("key"));
  return c.noContent();
}
`,
};

const weaker: Edits = {
  "lib/rights.json": [['"ada"', '"ada", "eve"']],
  "lib/least.txt": [["5", "0"]],
  "lib/roles.ts": [['"owner"', '"visitor"'], ["key: 3", "key: 0"]],
  "lib/keys.ts": [
    ["{ isOpen = false; }", "{ isOpen = true; }"],
    ["if (isOpen) return;\n", "return;\n"],
    ["key.length < limits.key ||", ""],
    ["|| key.length", "&& key.length"],
  ],
  "lib/owners.ts": [
    ["=== c.query('id')", "!== undefined"],
    ["c.get(User).id === c.query('id')", "true"],
  ],
  "app/api/middleware.ts": [
    ['=== "yes"', '!== "no"'],
    [': c.text(400, "?")', ": next()"],
    ["MiddlewareDELETE", "MiddlewareGET"],
  ],
  "lib/all.ts": [["./owners.ts", "./roles.ts"]],
  "lib/editor.ts": [
    ['requireRole("editor")', 'requireRole("visitor")'],
    ["await sessions.requireRole", "void sessions.requireRole"],
    ["await sessions", "c.query('x') && await sessions"],
  ],
  "lib/check.ts": [['=== ""', '=== "x"'], ["throw httpError", "httpError"]],
  "app/setup.ts": [
    ["= 4", "= 0"],
    ['limits["key"] = 4', 'delete limits["key"]'],
    ['limits["key"] = 4', "Object.assign(limits, { key: 0 })"],
  ],
  "app/api/route.ts": [
    ['  checkKey(c.query("key"));\n', ""],
    ["  checkKey(", '  if (c.query("x")) checkKey('],
    ['checkKey(c.query("key"))', 'checkKey("ada")'],
    ["!all.owners.isOwner(c)", "all.owners.isOwner(c)"],
    ["!all.owners.isOwner(c)", "!all.owners.isOwner(c) && c.query('x')"],
    ['  if (!all.owners.isOwner(c)) throw httpError(403, "Not yours.");\n', ""],
    [
      'if (!all.owners.isOwner(c)) throw httpError(403, "Not yours.");',
      'try {\n    if (!all.owners.isOwner(c)) throw httpError(403, "Not yours.");\n  } catch {}',
    ],
    ["  if (!all", "  if (c.query('x')) if (!all"],
    ["  const user", "  if (c.query('x')) return c.noContent();\n  const user"],
    ["throw httpError(403", "httpError(403"],
    ["const user = await sessions.require(c)", "const user = sessions.require(c)"],
    ["sessions.require(c)", "sessions.load(c)"],
    ["await sessions.require(c)", "c.query('x') && await sessions.require(c)"],
    ["await sessions.require(c)", "c.query('x') ? {} : await sessions.require(c)"],
    ["const user = await sessions", "const user = 1; sessions"],
    ["sessions.require(c);", "sessions.require(c).catch(() => undefined);"],
    [
      "const user = await sessions.require(c);",
      "let user; try { user = await sessions.require(c); } catch { user = undefined; }",
    ],
    [
      "const user = await sessions.require(c)",
      "const [user] = await Promise.allSettled([sessions.require(c)])",
    ],
  ],
  "app/desk/middleware.ts": [
    ["c.method !==", "c.method ==="],
    ["if (isWrite)", "if (c.query('x'))"],
    ["await sessions.require(c)", "if (isWrite) await sessions.require(c)"],
    ["  const isWrite", "  if (c.query('x')) return await next();\n  const isWrite"],
  ],
  "app/edit/route.ts": [
    ["await editorOnly(c)", "editorOnly(c)"],
    ["await editorOnly(c)", "if (c.query('x')) await editorOnly(c)"],
    ["await editorOnly(c)", "for (const _ of c.queries('x')) await editorOnly(c)"],
    ["await editorOnly(c)", "await editorOnly(c).catch(console.log)"],
    ["await editorOnly(c);", "try { await editorOnly(c); } catch {}"],
    ["await refuse(c)", "refuse(c)"],
    ["await refuse(c)", "await refuse(c).catch(() => {})"],
    ["await refuse(c)", "if (c.query('x')) await refuse(c)"],
    ["  check(", "  if (c.query('x')) check("],
  ],
};

const same: Edits = {
  "lib/rights.json": [['{ "open": ["ada"] }', '{\n  "open": [\n    "ada"\n  ]\n}']],
  "lib/owners.ts": [["export const", "// Who owns it.\nexport const"]],
  "lib/roles.ts": [["Record<string, number>", "{ [name: string]: number }"]],
  "lib/check.ts": [['throw httpError(403, "No.");', "throw httpError(\n  403, 'No.',);"]],
  "app/api/route.ts": [
    ["return c.json(200, user);", "c.log.info('x');\n  return c.json(201, user);"],
  ],
  "app/desk/middleware.ts": [["return await next();", "c.log.info('x');\n  return await next();"]],
  "app/edit/route.ts": [
    ["return c.noContent();", "const n = 1;\n  c.set(Count, n);\n  return c.noContent();"],
    ["await editorOnly(c);", "try { await editorOnly(c); } catch (error) { throw error; }"],
  ],
};

Deno.test("policy: reports every removed or weakened guard, and nothing for an equal one", async () => {
  const guards = async (files: Files): Promise<string> => (await guardsOf(files)).join("\n");
  const first = await guards(spread);
  assertMatch(first, /^POST \/api require\+/m);
  for (const [edits, check] of [[weaker, assertNotEquals], [same, assertEquals]] as const) {
    for (const [file, rows] of Object.entries(edits)) {
      for (const [from, to] of rows) {
        const text = spread[file] ?? "";
        assert(text.includes(from), `${file} has no ${from}`);
        const changed = { ...spread, [file]: text.replace(from, to) };
        check(await guards(changed), first, `${file} ${from} ${to}`);
      }
    }
  }
  // Code moved to another file is the same code.
  const moved = {
    ...spread,
    "lib/owners.ts": 'export * from "./moved.ts";\n',
    "lib/moved.ts": spread["lib/owners.ts"] ?? "",
  };
  assertEquals(await guards(moved), first);
});

Deno.test("policy: middleware that always calls next is not a guard", async () => {
  const bodies = [
    "return next();",
    "const started = Date.now(); const response = await next(); c.log.info(started); return response;",
    "try { return await next(); } finally { c.header('x', 'y'); }",
    "if (c.method === 'GET') { c.header('x', 'y'); return next(); } return await next();",
    "return storage.run(new Map(), () => next());",
    "try { return await next(); } catch (error) { if (error.x) track(error); throw error; }",
    "if (c.url.pathname === '/old') return redirect('/new', 301); return next();",
    "c.cacheControl('no-store'); const user = await sessions.load(c); c.set(User, user?.name); return next();",
  ];
  const refused = [
    "return c.text(200, 'no');",
    "if (c.method === 'GET') return next();",
    "if (!c.query('x')) throw new Error('no'); return next();",
    "return c.query('x') ? next() : undefined;",
    "return c.query('x') && next();",
    "for (const x of list) { if (x) return; } return next();",
    "try { return await next(); } catch { return c.text(500, 'x'); }",
    "try { return await next(); } catch (error) { throw new Error('no'); }",
    "try { return await next(); } catch (error) { if (error.x) return; throw error; }",
    "if (!c.signed('x')) return redirect('/login', 303); return next();",
    "await c.bind(Schema); return next();",
    "return check(c, next);",
  ];
  for (
    const [list, expected] of [[bodies, /^-$/], [
      refused,
      /^app\/a\/middleware\.ts:Middleware\?/,
    ]] as const
  ) {
    for (const body of list) {
      const files = {
        "app/a/middleware.ts": `import { storage } from "npm:x";
import { Schema, check } from "../../lib/x.ts";
export async function Middleware(c, next) { ${body} }
`,
        "app/a/route.ts": "export function POST(c) { return c.noContent(); }\n",
        "lib/x.ts": "export const Schema = 1;\nexport const check = (c, next) => next();\n",
      };
      assertMatch((await fieldsOf(files)).guards, expected, body);
    }
  }
});
