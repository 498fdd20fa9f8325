import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { App, csrfInput, type Ctx, Off, type Result } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { newTestClient, testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import type { FilledValues } from "../../../runtime/testing/mod.ts";
import { routeOf } from "../app/support.ts";

/**
 * Creates an application whose page is the given HTML, and which responds with the submitted
 * values.
 */
function newApp(html: string, options: { readonly path?: string } = {}): App {
  const app = new App({ env: "dev", logRequest: Off });
  const pattern = options.path ?? "/page";
  const GET = (c: Ctx) => c.url.search === "" ? c.html(200, h.raw(html)) : c.text(200, c.url.href);
  app.route(routeOf("GET", pattern, GET));
  const echo = async (c: Ctx): Promise<Result> => {
    const type = c.request.headers.get("content-type") ?? "";
    if (!type.startsWith("multipart/")) {
      return c.text(200, `${c.url.href}\n${await c.request.text()}`);
    }
    const parts: string[] = [];
    for (const [name, value] of await c.formData()) {
      parts.push(
        typeof value === "string" ? `${name}=${value}` : `${name}:${value.name}:${value.type}`,
      );
    }
    return c.text(200, parts.join("\n"));
  };
  app.route({
    pattern: "/send/{path...}",
    methods: { POST: echo, GET: (c) => c.text(200, c.url.href) },
  });
  return app;
}

async function sent(inner: string, values: FilledValues, selector = "form"): Promise<string> {
  const form = `<form method=post action="/send/x">${inner}</form>`;
  const { body } = await testRequest(newApp(form), "GET", "/page").submit(selector, values)
    .wantStatus(200);
  return body.split("\n")[1] ?? "";
}

const box = "<input type=checkbox name=a";
const radio = "<input type=radio name=a";
const file = "<input type=file name=a>";
const groups = "<optgroup disabled><option>1</optgroup><optgroup><option>2</optgroup>";
const legends = "<legend><input name=a></legend><legend><input name=b></legend>";
const options = (inner: string): string => `<select name=a>${inner}</select>`;
const list = (inner: string): string => `<select name=a multiple>${inner}</select>`;

const fields: readonly [name: string, html: string, values: FilledValues, want: string][] = [
  ["nothing", "", {}, ""],
  ["texts and their defaults", "<input name=a value=1><input name=b>", {}, "a=1&b="],
  ["a filled text", "<input name=a value=1>", { a: "é & b" }, "a=%C3%A9+%26+b"],
  ["a number", "<input name=a type=number>", { a: 7 }, "a=7"],
  ["a field without a name", "<input value=1>", {}, ""],
  ["a hidden field", "<input type=hidden name=_csrf value=t>", {}, "_csrf=t"],
  ["several of one name", "<input name=a value=1><input name=a value=2>", {}, "a=1&a=2"],
  ["a filled list", "<input name=a><input name=a>", { a: ["x", "y"] }, "a=x&a=y"],
  ["a text area", "<textarea name=a>\nx\ny</textarea>", {}, "a=x%0D%0Ay"],
  ["a filled text area", "<textarea name=a></textarea>", { a: "x\ny" }, "a=x%0D%0Ay"],
  ["a text without its line breaks", "<input name=a>", { a: "x\r\ny" }, "a=xy"],
  ["boxes", "<input type=checkbox name=a><input type=checkbox name=b checked>", {}, "b=on"],
  ["a ticked box", "<input type=checkbox name=a value=1>", { a: true }, "a=1"],
  ["an unchecked box", "<input type=checkbox name=a checked>", { a: false }, ""],
  ["boxes by value", `${box} value=1 checked>${box} value=2>`, { a: ["2"] }, "a=2"],
  ["a checkbox, hidden default", `<input type=hidden name=a value=0>${box} value=1>`, {}, "a=0"],
  [
    "a ticked checkbox after its hidden default",
    `<input type=hidden name=a value=0>${box} value=1>`,
    { a: true },
    "a=0&a=1",
  ],
  [
    "an unchecked checkbox after its hidden default",
    `<input type=hidden name=a value=0>${box} value=1 checked>`,
    { a: false },
    "a=0",
  ],
  [
    "options after their hidden default",
    `<input type=hidden name=a>${list("<option>1<option>2")}`,
    { a: ["2"] },
    "a=&a=2",
  ],
  ["text after hidden", "<input type=hidden name=a value=0><input name=a>", { a: "x" }, "a=0&a=x"],
  ["the last checked button", `${radio} value=1 checked>${radio} value=2 checked>`, {}, "a=2"],
  ["a radio group without a choice", "<input type=radio name=a value=1>", {}, ""],
  ["a chosen radio button", `${radio} value=1 checked>${radio} value=2>`, { a: "2" }, "a=2"],
  ["the first option", options("<option disabled>x<option> y  z <option>q"), {}, "a=y+z"],
  ["a selected option", "<select name=a><option>1<option selected value=2>two</select>", {}, "a=2"],
  ["a chosen option", "<select name=a><option>1<option>2</select>", { a: "2" }, "a=2"],
  ["a list box without a choice", "<select name=a size=3><option>1<option>2</select>", {}, ""],
  ["several options", list("<option selected>1<option>2<option selected>3"), {}, "a=1&a=3"],
  ["more options", list("<option selected>1<option>2<option>3"), { a: ["3", "2"] }, "a=2&a=3"],
  ["options of a disabled group", options(groups), {}, "a=2"],
  ["disabled field", "<input name=a disabled><fieldset disabled><input name=b></fieldset>", {}, ""],
  ["the legend of a disabled fieldset", `<fieldset disabled>${legends}</fieldset>`, {}, "a="],
  ["the suggestions of a datalist", `<datalist>${options("<option>1")}</datalist>`, {}, ""],
  ["the default button", "<button type=button name=a></button><button name=b value=1>", {}, "b=1"],
  ["a range", "<input type=range name=a>", {}, "a=50"],
  ["a colour", "<input type=color name=b>", {}, "b=%23000000"],
  ["a file's name in a urlencoded form", file, { a: new File(["x"], "a.txt") }, "a=a.txt"],
  ["no file", file, {}, "a="],
];

for (const [name, html, values, want] of fields) {
  Deno.test(`submit sends ${name}`, async () => {
    assertEquals(await sent(html, values), want);
  });
}

Deno.test("submit sends the given button, with its formaction and form attribute", async () => {
  const html = `<base href="/send/base/">
    <form id=f method=post action="one?a=1#hash"><input name=x value=1>
      <button name=go value=first></button>
      <button id=second formaction="/send/two?/giveBack" name=go value=second></button>
      <button id=get formmethod=get formaction="/send/three?drop=1"></button>
      <input type=submit id=third name=go value=third></form>
    <input name=y value=2 form=f><button id=outside form=f name=go value=outside></button>`;
  const page = await testRequest(newApp(html), "GET", "/page");
  const rows: readonly [selector: string, want: string][] = [
    ["form", "http://localhost/send/base/one?a=1\nx=1&go=first&y=2"],
    ["#second", "http://localhost/send/two?/giveBack\nx=1&go=second&y=2"],
    ["#third", "http://localhost/send/base/one?a=1\nx=1&go=third&y=2"],
    ["#outside", "http://localhost/send/base/one?a=1\nx=1&y=2&go=outside"],
    ["#get", "http://localhost/send/three?x=1&y=2"],
  ];
  for (const [selector, want] of rows) assertEquals((await page.submit(selector)).body, want);
});

Deno.test("submit of a GET form replaces the query of the page's own URL", async () => {
  const app = newApp("<form><input name=q><button>Search</button></form>");
  const { body } = await testRequest(app, "GET", "/page").submit("form", { q: "a b" });
  assertEquals(body, "http://localhost/page?q=a+b");
});

Deno.test("submit sends files and fields as multipart", async () => {
  const html = `<form method=post action=/send/x enctype=multipart/form-data><input name=a value=1>
    <input type=file name=one><input type=file name=many multiple><input type=file name=none></form>`;
  const { body } = await testRequest(newApp(html), "GET", "/page").submit("form", {
    one: new File(["x"], "a.txt", { type: "text/plain" }),
    many: [new File(["x"], "b.png", { type: "image/png" }), new File(["y"], "c")],
  });
  assertEquals(body.split("\n").sort(), [
    "a=1",
    "many:b.png:image/png",
    "many:c:application/octet-stream",
    "one:a.txt:text/plain",
  ]);
});

type Fault = [name: string, html: string, selector: string, values: FilledValues, message: string];

const text = "<input name=a>";

const inForm: readonly [name: string, inner: string, values: FilledValues, message: string][] = [
  ["an unknown field", text, { b: "1" }, "has only a"],
  ["an inherited name", text, { constructor: "1" }, "has only a"],
  ["a hidden field", "<input type=hidden name=a>", { a: "1" }, "is hidden"],
  ["a read-only field", "<input readonly name=a>", { a: "1" }, "read-only"],
  ["a disabled field", "<input disabled name=a>", { a: "1" }, "is disabled"],
  ["no such option", options("<option>1"), { a: "2" }, 'has no choice "2"'],
  ["two options of one", options("<option>1<option>2"), { a: ["1", "2"] }, "one choice"],
  ["no such box", `${box}>`, { a: "2" }, 'it has "on"'],
  ["a state of a radio button", `${radio}>`, { a: true }, "is a choice"],
  ["a text for a file", file, { a: "x" }, "takes files"],
  ["a file for a text", text, { a: new File([], "x") }, "takes a text"],
  ["too many values", text, { a: ["1", "2"] }, "got 2 values"],
];

const faults: readonly Fault[] = [
  ["no form", "<p>", "form", {}, "the page has no such element"],
  ["a link", "<a id=a>", "#a", {}, "neither a form nor the submit button"],
  ["a button without a form", "<button>", "button", {}, "neither a form nor"],
  ["a reset button", "<form><button type=reset></form>", "button", {}, "neither a form nor"],
  ["a disabled button", "<form><button disabled></form>", "form", {}, "its button is disabled"],
  ["a dialog", "<form method=dialog>", "form", {}, "dialog"],
  ["another site", "<form action=//evil.example/x>", "form", {}, "http://evil.example"],
  ...inForm.map(([name, inner, values, message]): Fault => {
    return [name, `<form>${inner}</form>`, "form", values, message];
  }),
];

for (const [name, html, selector, values, message] of faults) {
  Deno.test(`submit refuses what a browser could not send: ${name}`, async () => {
    const page = testRequest(newApp(html), "GET", "/page");
    const error = await assertRejects(async () => await page.submit(selector, values), TypeError);
    assertStringIncludes(error.message, message);
  });
}

/** An error page: its status, type and body, and the message of a failed `submit`. */
const errorPages: readonly [status: number, type: string, body: string, says: string][] = [
  [
    500,
    "text/html",
    "<title>Broken</title><main><p>No island &quot;a&quot;</p></main>",
    'Cannot send "main form": the page has no such element. GET /page was answered with status ' +
    '500:\nBroken\nNo island "a"',
  ],
  [
    422,
    "text/html",
    "<main><form><button disabled>Go</button></form></main>",
    'Cannot send "main form": its button is disabled. GET /page was answered with status 422:\nGo',
  ],
  [
    404,
    "application/problem+json",
    '{"title":"Not Found"}',
    "Cannot read the answer to GET /page as HTML: its type is application/problem+json (status 404)." +
    '\n{"title":"Not Found"}',
  ],
];

for (const [status, type, body, says] of errorPages) {
  Deno.test(`submit and query name the status of a failed page: ${status}`, async () => {
    const app = new App({ env: "dev", logRequest: Off });
    const headers = { "content-type": type };
    app.route(routeOf("GET", "/page", () => new Response(body, { status, headers })));
    const response = await testRequest(app, "GET", "/page");
    const asked: (() => unknown)[] = [
      () => response.submit("main form"),
      () => testRequest(app, "GET", "/page").submit("main form"),
    ];
    if (type !== "text/html") {
      asked.push(() => response.query("p"), () => testRequest(app, "GET", "/page").queryAll("p"));
    }
    for (const ask of asked) {
      const error = await assertRejects(async () => await ask(), TypeError);
      assertEquals(error.message, says);
    }
  });
}

/** Creates a form with a token, whose success redirects twice to a page with a flash message. */
function newShop(options: { readonly hasToken: boolean }): App {
  const app = new App({ env: "dev", logRequest: Off });
  app.route({
    pattern: "/order",
    page: (c) =>
      h.form(
        h.method("post"),
        options.hasToken && csrfInput(c),
        h.input(h.name("who")),
        h.button("Go"),
      ),
    methods: {
      POST: async (c) => {
        c.setCookie({ name: "who", value: (await c.form("who")) ?? "" });
        c.flash("success", "Ordered");
        return c.redirect(c.url.origin + "/moved");
      },
    },
  });
  app.route({ pattern: "/moved", methods: { GET: (c) => c.redirect("/done?x=1", 301) } });
  app.route({
    pattern: "/done",
    page: (c) => h.p(c.cookie("who"), " ", c.flashes().map(({ text }) => text), c.query("x")),
  });
  app.route({
    pattern: "/again",
    methods: { POST: (c) => c.redirect("/echo", 307), GET: (c) => c.redirect("/again") },
  });
  app.route(routeOf("POST", "/echo", async (c) => c.text(200, await c.request.text())));
  app.route({ pattern: "/out", methods: { GET: (c) => c.redirect("https://id.example/x") } });
  app.route(routeOf("GET", "/leave", (c) => {
    c.setCookie({ name: "who", value: "", maxAgeSeconds: -1 });
    return c.redirect("/done");
  }));
  return app;
}

Deno.test("submit sends the form's own token and refuses a form without one", async () => {
  await testRequest(newShop({ hasToken: true }), "GET", "/order").submit("form", { who: "ada" })
    .wantStatus(303);
  const client = newTestClient(newShop({ hasToken: true }));
  await client.get("/order").submit("form", { who: "ada" }).wantRedirect("/moved");
  assertEquals(client.cookie("who"), "ada");
  await testRequest(newShop({ hasToken: false }), "GET", "/order").submit("form").wantStatus(403);
});

Deno.test("followRedirects follows to the end with cookies, with and without a client", async () => {
  const app = newShop({ hasToken: true });
  const cases = [
    newTestClient(app).get.bind(newTestClient(app)),
    testRequest.bind(null, app, "GET"),
  ];
  for (const get of cases) {
    const response = await get("/order").submit("form", { who: "ada" }).followRedirects()
      .wantStatus(200).wantContains("ada Ordered").wantNotContains("Sorry");
    assertEquals(response.url, "http://localhost/done?x=1");
    // It is another page after the redirect: relative links and forms start there.
    await response.followRedirects().wantContains("ada");
  }
});

Deno.test("followRedirects keeps method and body of a 307 and drops a deleted cookie", async () => {
  const app = newShop({ hasToken: true });
  await newTestClient(app).postForm("/again", { a: "1" }).followRedirects().wantContains("a=1");
  const client = newTestClient(app);
  await client.get("/leave", withHeader("x", "y")).followRedirects().wantNotContains("ada");
});

Deno.test("followRedirects refuses other sites and loops", async () => {
  const app = newShop({ hasToken: true });
  const rows = [["/out", "out of the application"], ["/again", "more than 20"]] as const;
  for (const [path, message] of rows) {
    const error = await assertRejects(async () => {
      await newTestClient(app).get(path).followRedirects();
    }, TypeError);
    assertStringIncludes(error.message, message);
  }
});

Deno.test("wantRedirect accepts a path or a URL, and prints the actual target", async () => {
  const app = newShop({ hasToken: true });
  await testRequest(app, "GET", "/moved").wantRedirect("/done?x=1");
  await testRequest(app, "GET", "/out").wantRedirect("https://id.example/x");
  const rows: readonly [path: string, to: string, message: string][] = [
    ["/moved", "/done", 'got "/done?x=1"'],
    ["/out", "/x", 'got "https://id.example/x"'],
    ["/done", "/done", "got no redirect"],
  ];
  for (const [path, to, message] of rows) {
    const error = await assertRejects(async () =>
      await testRequest(app, "GET", path).wantRedirect(to)
    );
    assertStringIncludes(String(error), message);
  }
});

Deno.test("query reads the HTML of a response; wantNotContains and other bodies fail", async () => {
  const app = newShop({ hasToken: true });
  const page = await testRequest(app, "GET", "/order");
  assertEquals([page.query("form > button")?.text, page.queryAll("input").length], ["Go", 2]);
  assertEquals((await testRequest(app, "GET", "/order").query("button"))?.name, "button");
  assertEquals((await testRequest(app, "GET", "/order").queryAll("button")).length, 1);
  const run = async () => await testRequest(app, "GET", "/order").wantNotContains("Go");
  await assertRejects(run, Error, 'want a body without "Go"');
  await assertRejects(
    async () =>
      await testRequest(app, "GET", "/none", withHeader("accept", "application/json")).query("p"),
    TypeError,
    "application/problem+json",
  );
});
