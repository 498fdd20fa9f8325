import type { Ctx, Route } from "../../../mod.ts";
import {
  assert,
  assertEquals,
  AssertionError,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type * as h from "../../../html/mod.ts";
import { testPage, testRoute } from "../../../runtime/testing/mod.ts";
import { routeOf } from "../app/support.ts";

async function messageOf(run: () => PromiseLike<unknown>): Promise<string> {
  return (await assertRejects(async () => await run(), AssertionError)).message;
}

function answer(type: string, body: string): Route {
  return routeOf("GET", "/x", () => new Response(body, { headers: { "content-type": type } }));
}

const layout = `<nav>${'<a class="flex">Menu</a>'.repeat(300)}</nav>`;

Deno.test("wantStatus of a page shows its title and the text of main, not its layout", async () => {
  const html =
    `<!doctype html><html><head><title>Sign in &amp; go</title><style>a{}</style></head>` +
    `<body>${layout}<main class="x"><script>evil()</script><h1>Wrong&#39;s &lt;key&gt;</h1>\n\n` +
    `<p>Try <b>again</b>.</p></main></body></html>`;
  const message = await messageOf(() =>
    testRoute(answer("text/html; charset=utf-8", html), "GET", "/x").wantStatus(303)
  );
  assertEquals(
    message,
    "GET /x: want status 303, got 200 (status 200)\n" + "Sign in & go\nWrong's <key> Try again.",
  );
});

Deno.test("wantStatus of a page without main shows the text of its body, shortened", async () => {
  const html = `<title>T</title><body>${"<p>word</p>".repeat(1_000)}</body>`;
  const message = await messageOf(() =>
    testRoute(answer("text/html", html), "GET", "/x").wantStatus(303)
  );
  assertStringIncludes(message, "word word");
  assert(message.length < 500, `${message.length}`);
  assert(message.endsWith("…"), message);
});

Deno.test("wantStatus of a page in development names the error", async () => {
  const page = (_c: Ctx): h.Node => {
    throw new Error("the till is empty");
  };
  const message = await messageOf(() => testPage({ page }, "/x").wantStatus(200));
  assertStringIncludes(message, "the till is empty");
  assert(!/<(?:main|div|p|pre)\b/.test(message), message);
  assert(message.length < 900, `${message.length}`);
});

Deno.test("wantHeader of a page shows the same as wantStatus", async () => {
  const html = `<title>T</title>${layout}<main>Hello</main>`;
  const message = await messageOf(() =>
    testRoute(answer("text/html", html), "GET", "/x").wantHeader("x", "y")
  );
  assert(message.endsWith("\nT\nHello"), message);
});

Deno.test("wantContains of a page shows the HTML of main", async () => {
  const html = `<title>T</title>${layout}<main id="m"><b>Hello</b></main><footer></footer>`;
  const message = await messageOf(() =>
    testRoute(answer("text/html", html), "GET", "/x").wantContains("<i>")
  );
  assert(message.endsWith('\nT\n<main id="m"><b>Hello</b></main>'), message);
});

Deno.test("wantContains of text outside main shows the whole document", async () => {
  const html = `<title>T</title><nav>Menu</nav>`;
  const message = await messageOf(() =>
    testRoute(answer("text/html", html), "GET", "/x").wantContains("<i>")
  );
  assertStringIncludes(message, "<nav>Menu</nav>");
});

Deno.test("JSON, problem documents and text are shown as they are, shortened", async () => {
  for (const type of ["application/json", "application/problem+json", "text/plain"]) {
    const short = '{"detail":"<b>no</b>"}';
    const whole = await messageOf(() => testRoute(answer(type, short), "GET", "/x").wantStatus(1));
    assert(whole.endsWith(`\n${short}`), whole);
    const long = await messageOf(() =>
      testRoute(answer(type, "a".repeat(50_000)), "GET", "/x").wantStatus(1)
    );
    assert(long.length < 2_200 && long.endsWith("a…"), type);
  }
});

Deno.test("a fragment of HTML and an empty page are shown as well", async () => {
  const rows: readonly [html: string, want: string][] = [
    ["<p>Saved</p>", "\nSaved"],
    ["", "\n(no body)"],
    ["<p></p>", "\n<p></p>"],
  ];
  for (const [html, want] of rows) {
    const message = await messageOf(() =>
      testRoute(answer("text/html", html), "GET", "/x").wantStatus(1)
    );
    assert(message.endsWith(want), message);
  }
});
