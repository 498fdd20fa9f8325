import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import * as h from "../../../html/mod.ts";
import { type AppParts, type Env, type Handler, httpError, Off, Problem } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import type { TestOption, TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite, type Site } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";

const source = `// The page of the events.
const word = "<b>&amp;</b>";

export function Page() {
  return list(word);
}

export function list(word) {
  throw new TypeError("cannot list " + word, { cause: new RangeError("deep") });
}
`;

interface Project {
  readonly dir: string;
  load(file: string, text: string): Promise<Module>;
  site(page: Handler, options?: { readonly env?: Env; readonly parts?: AppParts }): Site;
}

type Module = Readonly<Record<string, Handler>>;

/** Creates the folder of an application, which is removed afterwards. */
async function withProject<T>(run: (project: Project) => Promise<T>): Promise<T> {
  await using dir = await newFolder({ prefix: "fw error page " });
  return await run({
    dir: dir.path,
    load: async (file, text) => {
      const path = join(dir.path, file);
      await Deno.mkdir(join(path, ".."), { recursive: true });
      await Deno.writeTextFile(path, text);
      return await import(toFileUrl(path).href);
    },
    site: (page, { env = "dev", parts = {} } = {}) =>
      newSite([
        { pattern: "/events", page, source: "app/events/page.js" },
        { pattern: "/api", methods: { GET: page } },
      ], {
        config: { env, devReload: Off, public: join(dir.path, "public") },
        parts: { dir: dir.path, ...parts },
      }),
  });
}

/**
 * Requests a path of an application whose page is that of `source`, unless `view` creates another
 * from the file.
 */
function ask(
  path: string,
  { file = "app/events/page.js", text = source, env = "dev", view, parts, header }: {
    readonly file?: string;
    readonly text?: string;
    readonly env?: Env;
    readonly view?: (page: Handler) => Handler;
    readonly parts?: (module: Module) => AppParts;
    readonly header?: TestOption;
  } = {},
): Promise<TestResponse & { readonly dir: string }> {
  return withProject(async ({ dir, load, site }) => {
    const module = await load(file, text);
    const { Page } = module;
    assert(Page);
    const { app } = site(view?.(Page) ?? Page, { env, parts: parts?.(module) ?? {} });
    const response = await testRequest(app, "GET", path, ...header === undefined ? [] : [header]);
    return Object.assign(response, { dir });
  });
}

/** Returns the visible text of the page, without collapsed parts. */
function visible(body: string): string {
  return body.replace(/<style[^]*?<\/style>|<head>[^]*?<\/head>|<details[^]*?<\/details>/g, "");
}

Deno.test("a failing page shows the error once, with the place and the code", async () => {
  const { status, body } = await ask("/events?secret=1");
  const text = visible(body);
  assertEquals([status, text.split("cannot list &lt;b&gt;").length - 1], [500, 1], text);
  assertMatch(text, /500 Internal Server Error · TypeError<\/p><h1>cannot list &lt;b&gt;/);
  assertStringIncludes(text, ">app/events/page.js:9:9<");
  assertMatch(text, /class="row marked"><span class="number">9<\/span> {2}throw new TypeError/);
  assertStringIncludes(text, "at Page (app/events/page.js:5:10)");
  assertMatch(text, />Caused by<\/p><p class="message">RangeError: deep</);
  assertStringIncludes(text, "GET /events<");
  assertStringIncludes(text, "<dd>app/events/page.js</dd>");
  assert(!text.includes("@fw/fw/runtime"), "calls of the framework are folded");
  assertMatch(body, /Calls of the framework, libraries and runtime: \d+</);
  assertStringIncludes(body, "@fw/fw/runtime/");
});

Deno.test("the error page requests no icon and runs no script, and its style has the nonce", async () => {
  const { body, headers } = await ask("/events");
  assertStringIncludes(body, '<link rel="icon" href="data:');
  const policy = headers.get("content-security-policy") ?? "";
  assertMatch(policy, /img-src [^;]*data:/);
  const nonce = /<style nonce="([^"]+)">/.exec(body)?.[1] ?? "none";
  assertStringIncludes(policy, `'nonce-${nonce}'`);
  assert(!/<script| style=/.test(body));
});

Deno.test("the error page shows no folder above the application's and no query value", async () => {
  const { body, dir } = await ask("/events?secret=1");
  for (const part of [dir, toFileUrl(dir).href, "secret"]) assert(!body.includes(part), part);
});

Deno.test("production shows no code, even if the folder is known", async () => {
  for (const path of ["/events", "/api"]) {
    const { status, body } = await ask(path, { env: "prod" });
    assertEquals(status, 500);
    for (const part of ["cannot", "page.js", "TypeError", "throw", "stack"]) {
      assert(!body.includes(part), `${path}: ${part}`);
    }
  }
});

Deno.test("a problem document has the call stack in development, the application's calls first", async () => {
  const { body } = await ask("/api");
  const { detail, stack } = JSON.parse(body);
  assertEquals(detail, "cannot list <b>&amp;</b>");
  assertEquals(stack.slice(0, 3), [
    "TypeError: cannot list <b>&amp;</b>",
    "at list (app/events/page.js:9:9)",
    "at Page (app/events/page.js:5:10)",
  ]);
  assert(stack.includes("caused by RangeError: deep"));
});

const plain: readonly [name: string, error: unknown][] = [
  ["a 4xx", httpError(409, "sold out")],
  ["a Problem", new Problem({ status: 503 })],
];

for (const [name, error] of plain) {
  Deno.test(`a problem document of ${name} has no call stack`, async () => {
    const { app } = newSite([{ pattern: "/", methods: { GET: () => Promise.reject(error) } }], {
      config: { env: "dev" },
    });
    const { body } = await testRequest(app, "GET", "/");
    assert(!("stack" in JSON.parse(body)), body);
  });
}

/** Messages that name files, which the page must not show. */
const hostile: readonly [name: string, message: (dir: string) => string][] = [
  ["a secret file beside the code", (dir) => `x\n    at f (${toFileUrl(join(dir, ".env"))}:1:1)`],
  ["another source", (dir) => `x\n    at f (${toFileUrl(join(dir, "keys.js"))}:1:1)`],
  ["a file outside", () => "x\n    at f (file:///etc/hostname:1:1)"],
];

for (const [name, message] of hostile) {
  Deno.test(`a message that resembles a call shows no file: ${name}`, async () => {
    await withProject(async ({ dir, site, load }) => {
      await Deno.writeTextFile(join(dir, ".env"), "TOP=hidden-value");
      await Deno.writeTextFile(join(dir, "keys.js"), "// hidden-value");
      const { fail } = await load(
        "app/fail.js",
        "export function fail(text) { throw new Error(text) }",
      );
      assert(fail);
      const page: Handler = () => fail(message(dir) as never);
      const { body } = await testRequest(site(page).app, "GET", "/events").wantStatus(500);
      assert(!body.includes("hidden-value"), body);
      assertStringIncludes(visible(body), ">app/fail.js:1:36<");
    });
  });
}

Deno.test("a truncated or deleted file has a place but no code", async () => {
  await withProject(async ({ dir, load, site }) => {
    const { Page } = await load("app/events/page.js", source);
    assert(Page);
    const path = join(dir, "app/events/page.js");
    for (const change of [() => Deno.truncate(path, 0), () => Deno.remove(path)]) {
      await change();
      const { body } = await testRequest(site(Page).app, "GET", "/events").wantStatus(500);
      assertStringIncludes(body, ">app/events/page.js:9:9<");
      assert(!body.includes('class="frame"'));
    }
  });
});

Deno.test("a failing error page is shown below its original error", async () => {
  const { body } = await ask("/events", {
    parts: ({ list }) => ({ error: () => list?.("later" as never) }),
  });
  assert(body.indexOf("cannot list &lt;b&gt;") < body.indexOf("cannot list later"));
  assertStringIncludes(body, "The error page failed as well");
});

Deno.test("a failing 404 page keeps the status and shows the reason", async () => {
  const { status, body } = await ask("/no", {
    file: "app/not_found.js",
    parts: ({ Page }) => Page === undefined ? {} : { notFound: Page },
  });
  assertEquals(status, 404);
  assertStringIncludes(visible(body), ">app/not_found.js:9:9<");
});

Deno.test("a fragment gets the error as text without a style", async () => {
  const { status, body } = await ask("/events", { header: withHeader("fw-fragment", "list") });
  assertEquals(status, 500);
  assertMatch(body, /^<div role="alert">/);
  assertStringIncludes(body, "app/events/page.js:9:9");
  assertMatch(body, /\n&gt; *9 \| *throw new TypeError/);
});

/** The content of the default error slot, by environment. */
for (const env of ["dev", "prod"] as Env[]) {
  Deno.test(`a failing late part shows its code in development only: ${env}`, async () => {
    const { status, body } = await ask("/events", {
      file: "app/late.js",
      env,
      view: (page) => (c) => h.main(c.defer(Promise.resolve().then(() => page(c) as never), "…")),
    });
    assertEquals(status, 200);
    assertStringIncludes(body, "This part could not be loaded.");
    const shown = ["TypeError: cannot list &lt;b&gt;", "at list (app/late.js:9:9)"];
    for (const part of [...shown, "&gt;  9 |   throw new TypeError"]) {
      assertEquals(body.includes(part), env === "dev", part);
    }
  });
}

Deno.test("a missing island has a heading and the page's line", async () => {
  const text = 'export const Page = (c) => c.island("/islands/countr.js", {});\n';
  const { body } = await ask("/events", { file: "app/page.js", text });
  const found = visible(body);
  assertMatch(found, /<h1>Cannot mount the island &quot;\/islands\/countr\.js&quot;: [^<]+<\/h1>/);
  assertStringIncludes(visible(body), ">app/page.js:1:30<");
});

const odd: readonly [name: string, thrown: unknown, heading: string][] = [
  ["a text", "<boom>", "a handler threw &quot;&lt;boom&gt;&quot;"],
  ["nothing", undefined, "a handler threw undefined"],
  ["an error without a message", new Error(""), "Error"],
  ["an error without a stack", Object.assign(new Error("x"), { stack: undefined }), "x"],
  ["an error of many lines", new Error("first\nsecond"), "first"],
  ["an error that is its own cause", selfCaused(), "again"],
];

function selfCaused(): Error {
  const error = new Error("again");
  error.cause = error;
  return error;
}

for (const [name, thrown, heading] of odd) {
  Deno.test(`thrown values have an error page: ${name}`, async () => {
    await withProject(async ({ site }) => {
      const page: Handler = () => Promise.reject(thrown);
      const { body } = await testRequest(site(page).app, "GET", "/events").wantStatus(500);
      assertStringIncludes(body, `<h1>${heading}</h1>`);
    });
  });
}

Deno.test("the error page names the action, without the query", async () => {
  const failed = (): never => {
    throw new TypeError("no stock");
  };
  const { app } = newSite(
    [{ pattern: "/basket", page: () => h.p(), actions: { add: failed } }],
    { config: { env: "dev", devReload: Off } },
  );
  const option = withHeader("accept", "text/html");
  const action = await testRequest(app, "POST", "/basket?/add&secret=1", option);
  const shown = visible(action.body);
  assertStringIncludes(shown, "POST /basket?/add<");
  assert(!shown.includes("secret"));
});
