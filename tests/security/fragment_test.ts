/** Fragment requests that are abused: by their header, by what handlers echo, by caches between. */
import * as h from "../../html/mod.ts";
import type { Ctx, Handler } from "../../mod.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "./hostile.ts";

type Row = HostileRequest;

/** Asks an application of one page. */
async function ask(
  fw: Framework,
  page: Handler,
  init: RequestInit & { readonly path?: string } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const { path = "/", ...rest } = init;
  const app = new fw.App({ logger: fw.createLogger({ write: () => {} }), secret: "k".repeat(32) });
  app.route({
    pattern: "/",
    page,
    methods: { POST: (c) => c.text(200, "taken") },
    layouts: [(_c, children) => h.html(h.body(children))],
  });
  const response = await app.fetch(new Request(`http://localhost${path}`, rest));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const asked = (id: string): RequestInit => ({ headers: { "fw-fragment": id } });

/** What a page that trusts the id would write, and a selector that it would build. */
const echo = (c: Ctx): Response => c.text(200, c.fragment ?? "a whole page");

const hostileIds: readonly [name: string, id: string][] = [
  ["a piece of HTML", '"><script>alert(1)</script>'],
  ["a quote", 'x" onclick="alert(1)'],
  ["a selector", "x,body"],
  ["a selector of everything", "*"],
  ["an attribute selector", "x[href^='https://evil.example']"],
  ["a hash", "#x"],
  ["a space", "x y"],
  ["two headers in one", "x, y"],
  ["a template", "${7*7}{{7*7}}"],
  ["a path", "../../etc/passwd"],
  ["a percent escape", "%0d%0aSet-Cookie:%20a=1"],
  ["bytes beyond ASCII", "\u00e9"],
];

const idRows: readonly Row[] = [
  ...hostileIds.map(([name, id]): Row => ({
    name: `FW-Fragment with ${name}`,
    guard: "an id is a token",
    run: async (fw) => (await ask(fw, echo, asked(id))).text,
    want: "a whole page",
  })),
  {
    name: "FW-Fragment of 60,000 characters",
    guard: "an id is short",
    run: async (fw) => (await ask(fw, echo, asked("x".repeat(60_000)))).text.length,
    want: "a whole page".length,
  },
  {
    name: "an id of somebody's data in c.renderAll",
    guard: "ids in FW-Swap",
    run: async (fw) => {
      const answer = await ask(fw, (c) => c.renderAll(200, h.p(h.id("x body"))), asked("x"));
      return [answer.status, answer.headers.get("fw-swap")];
    },
    want: [500, null],
  },
];

const answerRows: readonly Row[] = [
  ...["a\r\nSet-Cookie: a=1", "\u{1f600}", "\0", '<script>alert("x")</script>'].map((
    text,
  ): Row => ({
    name: `a message of ${JSON.stringify(text)}`,
    guard: "FW-Flash is encoded",
    run: async (fw) => {
      const answer = await ask(fw, (c) => (c.flash("info", text), h.p()), asked("x"));
      const header = answer.headers.get("fw-flash") ?? "";
      return [
        answer.status,
        /^[\w%.~!*'()-]+$/.test(header) && JSON.parse(decodeURIComponent(header))[0].text,
      ];
    },
    want: [200, text],
  })),
  {
    name: "a redirect that a script would follow without a word",
    guard: "a step is a 204",
    run: async (fw) => {
      const { status, headers } = await ask(fw, (c) => c.redirect("/a"), asked("x"));
      return [status, headers.get("location"), headers.get("fw-location")];
    },
    want: [204, null, "/a"],
  },
  ...["//evil.example", "/\\evil.example", "/\t/evil.example", "\\\\evil.example"].map((
    next,
  ): Row => ({
    name: `FW-Location of the parameter ${JSON.stringify(next)}`,
    guard: "a step leads where the redirect does",
    run: async (fw) => {
      const path = `/?next=${encodeURIComponent(next)}`;
      const page: Handler = (c) => c.redirect(c.query("next") ?? "/");
      return (await ask(fw, page, { ...asked("x"), path })).headers.get("fw-location");
    },
    want: "/evil.example",
  })),
];

/** What a shared cache that keeps the two forms apart must see. */
const varied = async (fw: Framework, page: Handler, init?: RequestInit): Promise<boolean> =>
  ((await ask(fw, page, init)).headers.get("vary") ?? "").includes("FW-Fragment");

const cacheRows: readonly Row[] = [
  {
    name: "a 204 in the place of a page",
    guard: "a step varies",
    run: async (fw) => {
      // No cache keeps this redirect, so nothing else says it.
      const app = new fw.App({ logger: fw.createLogger({ write: () => {} }) });
      app.route({ pattern: "/a", methods: { GET: (c) => c.redirect("/b") } });
      const response = await app.fetch(new Request("http://localhost/a", asked("x")));
      return [response.status, response.headers.get("vary")];
    },
    want: [204, "FW-Fragment"],
  },
  {
    name: "a piece in the place of a page",
    guard: "pages vary",
    run: async (fw) => [await varied(fw, () => h.p(), asked("x")), await varied(fw, () => h.p())],
    want: [true, true],
  },
  {
    name: "a foreign answer of a page route in the place of its fragment",
    guard: "whatever a page route answers varies",
    run: (fw) => varied(fw, (c) => c.fragment === undefined ? new Response("x") : h.p()),
    want: true,
  },
  {
    name: "the tag of a page that asks for a piece",
    guard: "tags of both forms differ",
    run: async (fw) => {
      const headers = { "fw-fragment": "x", "if-none-match": '"v1"' };
      return (await ask(fw, (c) => c.etag("v1") ? undefined : h.p(), { headers })).status;
    },
    want: 200,
  },
  {
    name: "the date of a page that asks for a piece",
    guard: "a fragment has no date",
    run: async (fw) => {
      const headers = { "fw-fragment": "x", "if-modified-since": new Date(9e11).toUTCString() };
      const page: Handler = (c) => c.lastModified(new Date(8e11)) ? undefined : h.p();
      return (await ask(fw, page, { headers })).status;
    },
    want: 200,
  },
  {
    name: "a hovered link consumes the message of the next page",
    guard: "a prefetch takes no message",
    run: async (fw) => {
      const set = await ask(fw, (c) => (c.flash("info", "x"), c.redirect("/")));
      const cookie = (set.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
      const headers = { cookie, "sec-purpose": "prefetch" };
      const ahead = await ask(fw, (c) => c.json(200, c.flashes()), { headers });
      return [ahead.text, ahead.headers.getSetCookie().length];
    },
    want: ["[]", 0],
  },
  {
    name: "somebody's HTML that takes the place of another answer's late part",
    guard: "the keys of late parts",
    run: async (fw) => {
      const page: Handler = (c) => h.p(c.defer(Promise.resolve("x"), "y"));
      const keys = [await ask(fw, page, asked("x")), await ask(fw, page, asked("x"))]
        .map(({ headers }) => headers.get("fw-late"));
      return keys[0] !== keys[1];
    },
    want: true,
  },
  {
    name: "a post of another site with the header",
    guard: "CSRF",
    run: async (fw) => (await ask(fw, () => h.p(), { ...asked("x"), method: "POST" })).status,
    want: 403,
  },
];

testHostileRequests("fragments", [...idRows, ...answerRows, ...cacheRows]);
