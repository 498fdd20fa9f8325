/** Fragment requests that are abused: by their header, by what handlers echo, by caches between. */
import * as h from "../../html/mod.ts";
import type { Ctx, Handler } from "../../mod.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "./hostile.ts";

type Row = HostileRequest;

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
  ...hostileIds.map((
    [name, id],
  ): Row => [
    `FW-Fragment with ${name}`,
    "an id is a token",
    "a whole page",
    async (fw) => (await ask(fw, echo, asked(id))).text,
  ]),
  [
    "FW-Fragment of 60,000 characters",
    "an id is short",
    "a whole page".length,
    async (fw) => (await ask(fw, echo, asked("x".repeat(60_000)))).text.length,
  ],
  ["an id of somebody's data in c.renderAll", "ids in FW-Swap", [500, null], async (fw) => {
    const answer = await ask(fw, (c) => c.renderAll(200, h.p(h.id("x body"))), asked("x"));
    return [answer.status, answer.headers.get("fw-swap")];
  }],
];

const answerRows: readonly Row[] = [
  ...["a\r\nSet-Cookie: a=1", "\u{1f600}", "\0", '<script>alert("x")</script>'].map((
    text,
  ): Row => [
    `a message of ${JSON.stringify(text)}`,
    "FW-Flash is encoded",
    [200, text],
    async (fw) => {
      const answer = await ask(fw, (c) => (c.flash("info", text), h.p()), asked("x"));
      const header = answer.headers.get("fw-flash") ?? "";
      return [
        answer.status,
        /^[\w%.~!*'()-]+$/.test(header) && JSON.parse(decodeURIComponent(header))[0].text,
      ];
    },
  ]),
  [
    "a redirect that a script would follow without a word",
    "a step is a 204",
    [204, null, "/a"],
    async (fw) => {
      const { status, headers } = await ask(fw, (c) => c.redirect("/a"), asked("x"));
      return [status, headers.get("location"), headers.get("fw-location")];
    },
  ],
  ...["//evil.example", "/\\evil.example", "/\t/evil.example", "\\\\evil.example"].map((
    next,
  ): Row => [
    `FW-Location of the parameter ${JSON.stringify(next)}`,
    "a step leads where the redirect does",
    "/evil.example",
    async (fw) => {
      const path = `/?next=${encodeURIComponent(next)}`;
      const page: Handler = (c) => c.redirect(c.query("next") ?? "/");
      return (await ask(fw, page, { ...asked("x"), path })).headers.get("fw-location");
    },
  ]),
];

/** What a shared cache that keeps the two forms apart must see. */
const varied = async (fw: Framework, page: Handler, init?: RequestInit): Promise<boolean> =>
  ((await ask(fw, page, init)).headers.get("vary") ?? "").includes("FW-Fragment");

const cacheRows: readonly Row[] = [
  ["a 204 in the place of a page", "a step varies", [204, "FW-Fragment"], async (fw) => {
    // No cache keeps this redirect, so nothing else says it.
    const app = new fw.App({ logger: fw.createLogger({ write: () => {} }) });
    app.route({ pattern: "/a", methods: { GET: (c) => c.redirect("/b") } });
    const response = await app.fetch(new Request("http://localhost/a", asked("x")));
    return [response.status, response.headers.get("vary")];
  }],
  [
    "a piece in the place of a page",
    "pages vary",
    [true, true],
    async (fw) => [await varied(fw, () => h.p(), asked("x")), await varied(fw, () => h.p())],
  ],
  [
    "a foreign answer of a page route in the place of its fragment",
    "whatever a page route answers varies",
    true,
    (fw) => varied(fw, (c) => c.fragment === undefined ? new Response("x") : h.p()),
  ],
  ["the tag of a page that asks for a piece", "tags of both forms differ", 200, async (fw) => {
    const headers = { "fw-fragment": "x", "if-none-match": '"v1"' };
    return (await ask(fw, (c) => c.etag("v1") ? undefined : h.p(), { headers })).status;
  }],
  ["the date of a page that asks for a piece", "a fragment has no date", 200, async (fw) => {
    const headers = { "fw-fragment": "x", "if-modified-since": new Date(9e11).toUTCString() };
    const page: Handler = (c) => c.lastModified(new Date(8e11)) ? undefined : h.p();
    return (await ask(fw, page, { headers })).status;
  }],
  [
    "a hovered link consumes the message of the next page",
    "a prefetch takes no message",
    ["[]", 0],
    async (fw) => {
      const set = await ask(fw, (c) => (c.flash("info", "x"), c.redirect("/")));
      const cookie = (set.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
      const headers = { cookie, "sec-purpose": "prefetch" };
      const ahead = await ask(fw, (c) => c.json(200, c.flashes()), { headers });
      return [ahead.text, ahead.headers.getSetCookie().length];
    },
  ],
  [
    "somebody's HTML that takes the place of another answer's late part",
    "the keys of late parts",
    true,
    async (fw) => {
      const page: Handler = (c) => h.p(c.defer(Promise.resolve("x"), "y"));
      const keys = [await ask(fw, page, asked("x")), await ask(fw, page, asked("x"))]
        .map(({ headers }) => headers.get("fw-late"));
      return keys[0] !== keys[1];
    },
  ],
  [
    "a post of another site with the header",
    "CSRF",
    403,
    async (fw) => (await ask(fw, () => h.p(), { ...asked("x"), method: "POST" })).status,
  ],
];

testHostileRequests("fragments", [...idRows, ...answerRows, ...cacheRows]);
