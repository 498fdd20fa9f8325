/** The development server for coding agents, as the official client sees it over stdio. */
import { isThorough } from "../../../thorough.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { Client } from "npm:@modelcontextprotocol/client@2.4.0";
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { shareFolder } from "../../shared_folder.ts";
import { freePort } from "../../../free_port.ts";
import { listTree, runCli, writeFiles } from "../../support.ts";

const main = fromFileUrl(new URL("../../../../cli/main.ts", import.meta.url));

const shared = shareFolder("mcp", async (folder) => {
  assertEquals((await runCli(["new", "shop"], { cwd: folder })).code, 0);
  const cwd = join(folder, "shop");
  const head = `import type { Ctx, Node } from "@fw/fw";\nimport * as h from "@fw/fw/h";\n\n`;
  const page = (body: string): string =>
    `${head}export async function Page(_: Ctx): Promise<Node> {
  await Promise.resolve();
${body}
}
`;
  await writeFiles(cwd, {
    "app/form/page.ts": page(`  return h.main(
    h.h1("Sign up"),
    h.form(
      h.method("post"),
      h.label(h.for("mail"), "Mail"),
      h.input(h.id("mail"), h.type("email"), h.required()),
      h.input(h.type("text"), h.name("bare")),
      h.button("Send"),
    ),
    h.img(h.src("/x.png")),
    h.img(h.src("/y.png"), h.alt("")),
    h.p(h.aria("hidden", "true"), "unseen"),
  );`),
    "app/huge/page.ts": page(`  return h.p("x".repeat(3_000_000));`),
    "app/loud/page.ts": page(
      `  for (let i = 0; i < 3_000; i++) console.log("y".repeat(10_000));\n  return h.p("loud");`,
    ),
    "app/hang/page.ts": page(
      // Blocks the thread like an endless loop, but leaves the processor to other tests.
      `  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    ),
    "app/dies/page.ts": page(`  Deno.exit(7);`),
    "app/fails/page.ts": page(`  throw new Error("no such table");`),
    "app/writes/page.ts": page(
      `  Deno.writeTextFileSync("stolen.txt", "x");\n  return h.p("wrote");`,
    ),
    "app/lies/page.ts": page(
      `  console.log("fw-render {\\"status\\":200,\\"headers\\":[],\\"body\\":\\"a lie\\",\\"chars\\":5}");\n  return h.p("truth");`,
    ),
    "app/bad_test.ts": `Deno.test("one and one", () => {
  throw new Error("not three");
});
`,
  });
  assertEquals((await runCli(["gen"], { cwd })).code, 0);
  await runCli(["policy"], { cwd });
});

interface Result {
  readonly text: string;
  readonly isError: boolean;
}

/** The client of all tests: none of their calls may end the server. */
const client = new Client({ name: "official", version: "1.0.0" });

Deno.test.beforeAll(async () => {
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: ["run", "-A", "--no-check", main, "mcp"],
      cwd: join(shared(), "shop"),
      env: { ...Deno.env.toObject(), NO_COLOR: "1", FW_LANG: "pt" },
    }),
  );
});
Deno.test.afterAll(async () => await client.close());

async function call(name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const { content, isError } = await client.callTool(
    { name, arguments: args },
    { timeout: 120_000 },
  );
  const [first] = content;
  return { text: first?.type === "text" ? first.text : "", isError: isError === true };
}

/** The official client starts a process and timers of its own. */
function testServer(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

testServer("mcp: read-only tools report what the code defines", async () => {
  const { tools } = await client.listTools();
  assertEquals(tools.map(({ name }) => name).sort(), [
    ..."check docs generate log policy project render routes test".split(" "),
  ]);
  assertStringIncludes((await call("project")).text, "/api/hello");
  const routes = JSON.parse((await call("routes")).text);
  assert(routes.routes.some(({ pattern }: { pattern: string }) => pattern === "/form"));
  const policy = (await call("policy")).text;
  assertStringIncludes(policy, "## Differences from policy.txt\nnone");
  assertStringIncludes(policy, "GET /form kind=page");
  assertStringIncludes((await call("docs", { words: "csrf token" })).text, "docs/");
  assertStringIncludes((await call("log")).text, "No development server runs");
});

testServer("mcp: render returns status, headers, HTML and the accessibility outline", async () => {
  const { text, isError } = await call("render", { path: "/form?x=1" });
  assert(!isError, text);
  assertStringIncludes(text, "status 200");
  assertStringIncludes(text, "content-security-policy:");
  assertStringIncludes(text, 'heading 1 "Sign up"');
  assertStringIncludes(text, "form POST → this page");
  assertStringIncludes(text, 'textbox "Mail" required');
  assertStringIncludes(text, "textbox (no name)");
  assertStringIncludes(text, 'button "Send"');
  assertEquals(text.split("img (no name)").length, 2);
  const [, outline = ""] = text.split("## Accessibility outline");
  assert(!outline.split("## Body")[0]?.includes("unseen"));
  assertStringIncludes((await call("render", { path: "/nowhere" })).text, "status 404");
  const failed = await call("render", { path: "/fails" });
  assertStringIncludes(failed.text, "status 500");
  assertStringIncludes(failed.text, "no such table");
});

testServer(
  "mcp: a project that lies, hangs, crashes or floods does not stop the server",
  async () => {
    const huge = await call("render", { path: "/huge" });
    assertStringIncludes(huge.text, "more characters");
    assert(huge.text.length < 60_100, String(huge.text.length));
    const loud = await call("render", { path: "/loud" });
    assert(loud.isError, loud.text);
    assertStringIncludes(loud.text, "wrote too much and was stopped");
    const dead = await call("render", { path: "/dies" });
    assert(dead.isError, dead.text);
    assertStringIncludes(dead.text, "ended without an answer");
    const lie = await call("render", { path: "/lies" });
    assertStringIncludes(lie.text, "truth");
    const written = await call("render", { path: "/writes" });
    assertStringIncludes(written.text, "status 500");
    assert(!(await listTree(join(shared(), "shop"))).includes("stolen.txt"));
    const timeoutMs = 5_000;
    const startMs = performance.now();
    const hang = await call("render", { path: "/hang", timeoutMs });
    assert(performance.now() - startMs >= timeoutMs);
    assert(hang.isError, hang.text);
    assertStringIncludes(hang.text, "did not answer in time");
    assertStringIncludes((await call("render", { path: "/form" })).text, "status 200");
  },
);

if (isThorough) {
  testServer("mcp: log returns the errors of a running development server", async () => {
    const cwd = join(shared(), "shop");
    const port = freePort();
    const dev = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", main, "dev", "--addr", String(port)],
      cwd,
      env: { NO_COLOR: "1", FW_LANG: "en" },
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      const log = (...texts: string[]): Promise<string> =>
        until(async () => {
          const { text } = await call("log", { lines: 200 });
          return texts.every((each) => text.includes(each)) ? text : undefined;
        }, texts.join(", "));
      await log(`serving at http://localhost:${port}`);
      await (await fetch(`http://localhost:${port}/fails`)).text();
      await log("no such table");
      await writeFiles(cwd, {
        "app/setup.ts": "export function Setup(): void {\n  nothing();\n}\n",
      });
      const failed = await log("failed at: boot", "nothing is not defined", "app/setup.ts");
      assertStringIncludes(failed, '"line": 2');
      await Deno.remove(join(cwd, "app/setup.ts"));
      await log(`serving at http://localhost:${port}`);
      // A page in a browser cannot read the file, because it is not served.
      for (const path of ["/.fw/dev.json", "/_fw/dev.json", "/_fw/state"]) {
        const response = await fetch(`http://localhost:${port}${path}`);
        assert(!(await response.text()).includes('"pid"'), path);
      }
    } finally {
      dev.kill("SIGTERM");
      await dev.status;
    }
    assertStringIncludes((await call("log")).text, "No development server runs");
  });
}

async function until(ask: () => Promise<string | undefined>, what: string): Promise<string> {
  for (let tries = 0; tries < 1_200; tries++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`timed out waiting for ${what}`);
}

const hostile: readonly (readonly [string, Record<string, unknown>])[] = [
  ["render", { path: "http://example.org/" }],
  ["render", { path: "//example.org/" }],
  ["render", { path: '/"); Deno.exit(9); ("' + "\n" }],
  ["render", { path: "/".padEnd(4_097, "a") }],
  ["render", { path: "/form", method: "POST" }],
  ["render", { path: "/form", timeoutMs: 30_001 }],
  ["render", { path: "/form", timeoutMs: 0 }],
  ["render", { path: "/form", timeoutMs: 1.5 }],
  ["render", {}],
  ["test", { file: "../../etc/passwd" }],
  ["test", { file: "--allow-all" }],
  ["test", { file: "app/page.ts" }],
  ["test", { file: "app/link_test.ts" }],
  ["test", { file: "/tmp/x_test.ts" }],
  ["generate", { what: "database", args: ["postgres"] }],
  ...[
    ["auth", "/x"],
    ["auth", "--provider", "oidc", "--passwords", "--nothing"],
    ["resource", "books; touch stolen", "title:text"],
    ["resource", "books", "title:text$(touch stolen)"],
    ["resource", "books", "title:text", "--undo"],
    ["migration", "../x"],
    ["page", "/ok", "title:text"],
    ["page", "/ok", "--passkeys"],
    ["route", "/ok", "--api"],
    ["page", "/../../x"],
    ["page", "/$(touch stolen)"],
    ["page", "/ok", "--methods", "GET;id"],
    ["page", "-h"],
    ["island", "../x"],
  ].map(([what, ...args]) => ["generate", { what, args }] as const),
];

testServer("mcp: refuses arguments that would run or reach anything else", async () => {
  const outside = join(shared(), "outside_test.ts");
  const link = join(shared(), "shop/app/link_test.ts");
  await Deno.writeTextFile(outside, 'Deno.test("outside", () => {});\n');
  await Deno.symlink(outside, link);
  const before = await listTree(join(shared(), "shop"));
  for (const [name, args] of hostile) {
    const { isError, text } = await call(name, args);
    assert(isError, `${name} ${JSON.stringify(args)}: ${text.slice(0, 200)}`);
  }
  assertEquals(await listTree(join(shared(), "shop")), before);
  await Deno.remove(link);
});

async function writesByAllFlags(cwd: string): Promise<void> {
  const book = ["title:text,required,max=80", "kind:oneof=talk/fair"];
  const asked: readonly (readonly [Record<string, unknown>, string])[] = [
    [
      { what: "resource", args: ["oxen", ...book, "--singular", "ox", "--api"] },
      "app/api/oxen/route.ts",
    ],
    [{ what: "migration", args: ["add_note"] }, "add_note.sql"],
    [{ what: "serve" }, "serve.ts"],
    [{ what: "job", args: ["send-digest"] }, "jobs/send_digest.ts"],
    [{ what: "mail", args: ["digest"] }, "digest"],
    [{ what: "auth", args: ["--passwords"] }, "app/login/page.ts"],
  ];
  for (const [args, file] of asked) {
    const { isError, text } = await call("generate", args);
    assert(!isError, text);
    assertStringIncludes(text, file);
  }
  const before = await listTree(cwd);
  const [[again] = [{}]] = asked;
  const { isError, text } = await call("generate", again);
  assert(isError, text);
  assertEquals(await listTree(cwd), before);
}

testServer("mcp: test, check and generate run the project's tasks", async () => {
  const cwd = join(shared(), "shop");
  const bad = await call("test", { file: "app/bad_test.ts" });
  assertStringIncludes(bad.text, "failed\napp/bad_test.ts:1:6 one and one: Error: not three");
  assertStringIncludes((await call("test", { file: "app/page_test.ts" })).text, "passed");
  const dry = await call("generate", { what: "page", args: ["/made/{id}", "--dry-run"] });
  assertStringIncludes(dry.text, "app/made/id_/page.ts");
  assert(!dry.isError, dry.text);
  assertEquals((await listTree(cwd)).filter((path) => path.includes("made")), []);
  const made = await call("generate", { what: "page", args: ["/made/{id}"] });
  assertStringIncludes(made.text, "app/made/id_/page.ts");
  const again = await call("generate", { what: "page", args: ["/made/{id}"] });
  assert(again.isError, again.text);
  assertStringIncludes((await call("routes")).text, '"/made/{id}"');
  assertStringIncludes((await call("policy")).text, "GET /made/{id}");
  await Deno.writeTextFile(join(cwd, "app/made/id_/page.ts"), "export const x = 1;\n");
  const check = JSON.parse((await call("check")).text);
  assert(!check.ok);
  assertEquals(check.problems[0].code, "E_NO_PAGE_FUNC");
  assertEquals(check.problems[0].place.file, "app/made/id_/page.ts");
  await Deno.remove(join(cwd, "app/made"), { recursive: true });
  await writesByAllFlags(cwd);
  await runCli(["gen"], { cwd });
});
