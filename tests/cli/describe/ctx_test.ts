import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { Ajv2020 } from "npm:ajv@8.17.1/dist/2020.js";
import type { ProjectMap } from "../../../cli/describe/ctx/map.ts";
import { writtenPaths } from "../../../cli/describe/ctx/map.ts";
import { cpuMs } from "../../cpu_time.ts";
import { root } from "../../../tools/workspace.ts";
import { type Files, inProject, page, runCli } from "../support.ts";

const schema = JSON.parse(await Deno.readTextFile(join(root, "docs/ctx.schema.json")));
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

async function readJson(cwd: string): Promise<ProjectMap> {
  const { code, stdout, stderr } = await runCli(["ctx", "--json"], { cwd });
  assertEquals([code, stderr], [0, ""]);
  const map: ProjectMap = JSON.parse(stdout);
  assert(validate({ ...map }), JSON.stringify(validate.errors));
  return map;
}

const app: Files = {
  "deno.json": JSON.stringify({
    tasks: { dev: { description: "Serve", command: "x" }, plain: "deno run a.ts" },
    imports: { "@/": "./" },
  }),
  "lib/sessions.ts": `import { createSessions } from "@fw/fw/auth";
export const sessions = createSessions({});
`,
  "lib/shapes.ts": `import { key, struct, text } from "@fw/fw";
// A comment.
export const NewNote = struct({ title: text("required") });
/** A note. */
export interface NoteJson { readonly id: number }
export class Notes {}
export const NoteStore = key<Notes>("notes");
`,
  "app/setup.ts": `import { type Application, type Config as Settings, provide } from "@fw/fw";
import { Notes, NoteStore } from "@/lib/shapes.ts";
export function Config(config: Settings): void {
  config.maxBodyBytes = 2000;
  config.secret = "a-secret-that-is-not-printed-anywhere";
  config.basePath = Deno.env.get("BASE") ?? "/x";
  config.variables = { API_KEY: "not-printed-anywhere" };
}
export function Setup(app: Application): void {
  provide(app, NoteStore, new Notes());
}
`,
  "app/layout.ts": "export function Layout(c, children) { return children; }\n",
  "app/page.ts": page,
  "app/admin/middleware.ts": `import { sessions } from "@/lib/sessions.ts";
export const Middleware = sessions.requireRole("editor", "owner");
`,
  "app/admin/page.ts": `import { sessions } from "@/lib/sessions.ts";
export function Page() {}
/** Removes everything. It cannot be undone. */
async function clear(c) { await sessions.requireAdmin(c); }
export const Actions = { clear, keep: (c) => c.form("why") };
`,
  "app/api/notes/id_/route.ts": `import { int, type JsonResponse, type Ctx } from "@fw/fw";
import { NewNote, type NoteJson } from "@/lib/shapes.ts";
/** GET /api/notes/{id}: reads a note. More. */
export function GET(c: Ctx): JsonResponse<200, NoteJson> | JsonResponse<410, string> {
  const id = c.param("id", int("min=1"));
  c.query("lang");
}
export async function PUT(c: Ctx) {
  await c.bindJson(NewNote);
  return c.noContent();
}
`,
  "app/notes/tests/notes_test.ts":
    `get("/admin?x=1"); get(\`/api/notes/\${id}\`); get("/nowhere");\n`,
  "islands/counter.ts": "export default function mount() {}\n",
};

Deno.test("ctx --json matches its schema and the project's facts", () =>
  inProject(app, async (cwd) => {
    const map = await readJson(cwd);
    assertEquals(map.tasks, [
      { name: "dev", text: "Serve" },
      { name: "plain", text: "`deno run a.ts`" },
    ]);
    assertEquals(map.routes.map(({ pattern }) => pattern), ["/", "/admin", "/api/notes/{id}"]);
    const [, admin, notes] = map.routes;
    assertEquals(admin, {
      pattern: "/admin",
      kind: "page",
      file: "app/admin/page.ts",
      methods: ["GET"],
      actions: ["clear", "keep"],
      layouts: ["app/layout.ts"],
      middleware: ["app/admin/middleware.ts"],
      guards: ["requireRole(editor,owner)"],
      tests: ["app/notes/tests/notes_test.ts"],
    });
    assertEquals(notes?.tests, ["app/notes/tests/notes_test.ts"]);
    const clear = map.operations.find(({ action }) => action === "clear");
    assertEquals(clear?.guards, ["requireRole(editor,owner)", "requireAdmin"]);
    assertEquals([clear?.line, clear?.summary], [4, "Removes everything."]);
    const keep = map.operations.find(({ action }) => action === "keep");
    assertEquals(keep?.input, [{ in: "body", type: "why" }]);
    const [get, put] = map.operations.filter(({ pattern }) => pattern === "/api/notes/{id}");
    assertEquals(get?.summary, "Reads a note.");
    assertEquals(get?.input, [
      { in: "path", type: 'id: int("min=1")' },
      { in: "query", type: "lang" },
    ]);
    assertEquals(get?.output, [{ status: 200, type: "NoteJson" }, { status: 410, type: "string" }]);
    assertEquals(put?.input, [{ in: "path", type: "id" }, { in: "body", type: "NewNote" }]);
    assertEquals(put?.output, [{ status: 204, type: "none" }]);
    assertEquals(map.types, [
      {
        name: "NewNote",
        file: "lib/shapes.ts",
        line: 3,
        text: 'NewNote = struct({ title: text("required") })',
      },
      {
        name: "NoteJson",
        file: "lib/shapes.ts",
        line: 5,
        text: "interface NoteJson { readonly id: number }",
      },
    ]);
    assertEquals(map.provides, [{ key: "NoteStore", type: "Notes", file: "lib/shapes.ts" }]);
    assertEquals(map.settings.map(({ name, value, line }) => [name, value, line]), [
      ["maxBodyBytes", "2000", 4],
      ["secret", "…", 5],
      ["basePath", 'Deno.env.get("BASE") ?? "/x"', 6],
      ["variables", "…", 7],
    ]);
    assertEquals(map.variables, [{ name: "BASE", files: ["app/setup.ts"] }]);
    assertEquals(map.islands, [
      { name: "counter", file: "islands/counter.ts", url: "/islands/counter.js" },
    ]);
    const text = await runCli(["ctx"], { cwd });
    assertStringIncludes(text.stdout, "- `GET PUT /api/notes/{id}` app/api/notes/id_/route.ts");
    assertStringIncludes(text.stdout, "out 200 `NoteJson`, 410 `string` · Reads a note.");
    assert(!text.stdout.includes("not-printed"), text.stdout);
    const portuguese = await runCli(["ctx"], { cwd, env: { FW_LANG: "pt" } });
    assertStringIncludes(portuguese.stdout, "## Rotas");
    assertEquals(portuguese.stdout.split("\n").length, text.stdout.split("\n").length);
  }));

Deno.test("ctx: handlers of type Result, imported helpers and directives have input and output", async () => {
  const files: Files = {
    "deno.json": "{}",
    "lib/notes.ts": `import { type Ctx, type Result, struct, text } from "@fw/fw";
export const NoteQuery = struct({ q: text() });
export const readQuery = (c: Ctx) => c.bindQuery(NoteQuery);
export const reply = (c: Ctx): Result => c.json(200, [] satisfies string[]);
`,
    "app/notes/route.ts": `import type { Ctx, Result } from "@fw/fw";
import { readQuery, reply } from "../../lib/notes.ts";
/** Lists. */
export async function GET(c: Ctx): Promise<Result> {
  await readQuery(c);
  return reply(c);
}
/**
 * Adds.
 *
 * openapi:body NewNote
 * openapi:query dry! boolean Only look
 * openapi:response 201 Note
 * openapi:response 409
 */
export const POST = async (c: Ctx): Promise<Result> => await save(c);
`,
  };
  await inProject(files, async (cwd) => {
    const [get, post] = (await readJson(cwd)).operations;
    assertEquals([get?.input, get?.output], [
      [{ in: "query", type: "NoteQuery" }],
      [{ status: 200, type: "string[]" }],
    ]);
    assertEquals([post?.input, post?.output], [
      [{ in: "body", type: "NewNote" }, { in: "query", type: "dry: boolean" }],
      [{ status: 201, type: "Note" }, { status: 409, type: "problem" }],
    ]);
  });
});

Deno.test("ctx of an app with problems prints them, also with --schema, and exits with 1", () =>
  inProject({ "app/page.ts": "export const x = 1;\n" }, async (cwd) => {
    const { code, stdout } = await runCli(["ctx", "--json"], { cwd });
    assertEquals(code, 1);
    const report = JSON.parse(stdout);
    assertEquals(report.problems[0].code, "E_NO_PAGE_FUNC");
    assert(validate(report), JSON.stringify(validate.errors));
    const text = await runCli(["ctx"], { cwd });
    assertEquals([text.code, text.stdout], [1, ""]);
    assertStringIncludes(text.stderr, "E_NO_PAGE_FUNC");
  }));

Deno.test("the schema of ctx refuses unknown members", () => {
  const base = { ok: false, problems: [] };
  assert(validate(base));
  assert(!validate({ ...base, other: 1 }));
  assert(!validate({ ok: true, problems: [] }), "a map without routes");
});

/** Returns an app of many routes, each with a schema, a helper, middleware and a test. */
function manyRoutes(count: number): Files {
  const files: Record<string, string> = { "app/page.ts": page };
  for (let at = 0; at < count; at++) {
    const folder = `app/area_${at % 10}_x/thing-number-${at}`;
    files[`${folder}/id_/route.ts`] = `import { type Ctx, struct, text } from "@fw/fw";
export const Body${at} = struct({ title: text("required"), note: text("max=500") });
function helper(c: Ctx): void { c.cacheControl("no-store"); }
/** GET: reads thing ${at} with everything that belongs to it. */
export function GET(c: Ctx): Response { helper(c); return c.json(200, {}); }
export async function PUT(c: Ctx): Promise<Response> {
  return c.json(200, await c.bindJson(Body${at}));
}
`;
    files[`${folder}/thing_test.ts`] = `get("/area_${at % 10}_x/thing-number-${at}/7");\n`;
  }
  return files;
}

Deno.test("ctx: text from the project cannot start a line", async () => {
  const source = `export function Page(c) { c.query("a\\n# INJECTED \\u001b[31m\`\`x"); }
/** Saves. \u202e */
export function POST(c) { Deno.env.get("FW_A\\n# INJECTED"); }
`;
  const sessions = `import { createSessions } from "@fw/fw/auth";
export const Middleware = createSessions({}).requireRole("a\\n# INJECTED \\u001b[31m");
`;
  const files = {
    "app/page.ts": source,
    "app/middleware.ts": sessions,
    "lib/a\n# INJECTED \u001b[31m.ts": 'Deno.env.get("FW_B");',
    "a\n# INJECTED_test.ts": 'get("/");',
  };
  await inProject(files, async (cwd) => {
    const { code, stdout } = await runCli(["ctx"], { cwd });
    assertEquals(code, 0, stdout);
    // deno-lint-ignore no-control-regex -- what must not be there
    assert(!/^\W*INJECTED|[\u001b\u202e]/m.test(stdout), stdout);
    assertStringIncludes(stdout, "`FW_A # INJECTED`");
    assertStringIncludes(stdout, "``` a # INJECTED \\u001b[31m``x ```");
  });
});

Deno.test("ctx of 100 routes is under 20 KB, complete and deterministic", () =>
  inProject(manyRoutes(100), async (cwd) => {
    const { stdout } = await runCli(["ctx"], { cwd });
    assert(new TextEncoder().encode(stdout).length < 20_000, String(stdout.length));
    for (let at = 0; at < 100; at++) assertStringIncludes(stdout, `thing-number-${at}/{id}`);
    assertEquals((await runCli(["ctx"], { cwd })).stdout, stdout);
  }));

Deno.test("ctx of 250 routes takes little processor time", () =>
  inProject(manyRoutes(250), async (cwd) => {
    const startMs = cpuMs();
    const map = await readJson(cwd);
    const tookMs = cpuMs() - startMs;
    assertEquals(map.routes.length, 251);
    assert(tookMs < 1_500, `${tookMs} ms`);
  }));

Deno.test("ctx shows a type with half a comment in a string without a long search", async () => {
  const text = "/*".repeat(300_000);
  const source = `interface Big { readonly a: "${text}" }
export const GET = (c: Ctx): JsonResponse<200, Big> => c.json(200, make());\n`;
  await inProject({ "app/api/route.ts": source }, async (cwd) => {
    const startMs = cpuMs();
    assertEquals((await readJson(cwd)).types.map(({ name }) => name), ["Big"]);
    assert(cpuMs() - startMs < 3_000);
  });
});

Deno.test("ctx finds paths in tests in strings and templates, without queries", () => {
  const code =
    'a("/x"); b(`/y/${id({ a: 1 })}/z?q=1`); c(\'/w#top\'); d("//"); e("/a b"); f("x/y");';
  assertEquals([...writtenPaths(code)], ["/x", "/y/x/z", "/w", "//"]);
});
