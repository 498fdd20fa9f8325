/** Which responses shared caches may store if they depend on a cookie or contain user data. */
import { csrfInput, type Ctx, type Node, nonceAttr, type Result } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import * as ui from "../../../ui/mod.ts";
import { markGuarded, markPrivate } from "../../../runtime/addon.ts";
import { newSite, routeOf } from "../app/support.ts";

const secret = "z".repeat(40);
const shared = "public, s-maxage=600, max-age=60";

/** A page, the Cache-Control of its response, and its other headers. */
type Kept = readonly [
  name: string,
  page: (c: Ctx) => Result,
  control: string | null,
  more?: {
    readonly isVaried?: boolean;
    /** The Cache-Control that the page declares. @default {@link shared} */
    readonly declared?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
];

const flashes = (c: Ctx): Node => h.p(c.flashes().map((flash) => flash.text));
const plain = (): Node => h.p("x");
const script = (c: Ctx): Node => h.main(h.script(nonceAttr(c), h.raw("1")));
const undeclared = { declared: "" };
const varied = { isVaried: true };
const anonymous = { headers: { cookie: "" } };

function share(response: Response): Response {
  response.headers.set("cache-control", shared);
  return response;
}

const rows: readonly Kept[] = [
  ["nothing of a cookie", plain, shared],
  ["messages taken", flashes, "no-store", varied],
  ["messages shown by the kit", (c) => ui.flashes(c), "no-store", varied],
  ["no messages", flashes, shared, { ...varied, ...anonymous }],
  ["messages that a prefetch leaves for later", flashes, shared, {
    ...varied,
    headers: { "sec-purpose": "prefetch" },
  }],
  ["a signed cookie", (c) => h.p(c.signed("user")), shared, varied],
  ["a token", (c) => csrfInput(c), "private, max-age=60", {
    ...varied,
    headers: { cookie: `fw_csrf=${"a".repeat(43)}` },
  }],
  [
    "a cookie set",
    (c) => {
      c.setCookie({ name: "a", value: "b" });
      return plain();
    },
    "private, max-age=60",
    anonymous,
  ],
  [
    "a cookie beside a foreign response",
    (c) => {
      c.setSigned("a", "b", 60_000);
      return new Response("x", { headers: { "cache-control": "s-maxage=9" } });
    },
    "private",
    undeclared,
  ],
  [
    "a message in a fragment's header",
    (c) => {
      c.flash("success", "saved");
      return plain();
    },
    "no-store",
    { headers: { cookie: "", "fw-fragment": "list" } },
  ],
  [
    "a guard before a token",
    (c) => {
      markGuarded(c);
      markPrivate(c);
      return csrfInput(c);
    },
    "no-store",
    { ...varied, ...undeclared },
  ],
  [
    "a date alone",
    (c) => {
      c.lastModified(new Date(0.5e12));
      c.setCookie({ name: "a", value: "b" });
      return plain();
    },
    "private",
    undeclared,
  ],
  ["a part that follows", (c) => h.p(c.defer(Promise.resolve("x"), "…")), "private, max-age=60"],
  [
    "a part that follows in a fragment",
    (c) => h.p(c.defer(Promise.resolve("x"), "…")),
    "private, max-age=60",
    { headers: { "fw-fragment": "list" } },
  ],
  ["nothing declared", (c) => csrfInput(c), "private", { ...varied, ...undeclared }],
  ["messages without a declared policy", flashes, "no-store", { ...varied, ...undeclared }],
  ["a nonce", script, "private", undeclared],
  ["a nonce of a page that is declared public", script, shared],
  ["a nonce beside a token", (c) => h.div(script(c), csrfInput(c)), "private, max-age=60", varied],
  ["a plain page whose policy contains a nonce", plain, "private", undeclared],
  ...[(c: Ctx) => `<script nonce="${c.nonce}"></script>`, () => "<p>"].map((html): Kept => [
    "a foreign page with or without a nonce",
    (c) => new Response(html(c), { headers: { "content-type": "text/html" } }),
    "private",
    undeclared,
  ]),
  [
    "a date beside a nonce",
    (c) => {
      c.lastModified(new Date(1e12));
      return h.main(h.script(nonceAttr(c)));
    },
    "private",
    undeclared,
  ],
  ["a text that contains the nonce", (c) => c.text(200, c.nonce), "private", undeclared],
  ["a token as JSON", (c) => c.json(200, { token: c.csrfToken() }), "private", {
    ...varied,
    ...undeclared,
  }],
  [
    "headers changed after a token",
    (c) => share(c.json(200, c.csrfToken())),
    "private, max-age=60",
    {
      ...varied,
      ...undeclared,
    },
  ],
  [
    "headers changed after a guard",
    (c) => {
      markGuarded(c);
      return share(c.text(200, "x"));
    },
    "private, max-age=60",
    { ...varied, ...undeclared },
  ],
  ...([
    ["private, max-age=5", "private, max-age=5", "no-store"],
    ["no-store", "no-store", "no-store"],
    ["NO-STORE, public", "NO-STORE, public", "NO-STORE, public"],
    ["no-cache", "private, no-cache", "no-store"],
    ["PUBLIC, immutable", "private, immutable", "no-store"],
    ['a="private", public, b="x, public"', 'private, a="private", b="x, public"', "no-store"],
    ['private="x-a", s-maxage=1', 'private, private="x-a"', "no-store"],
  ] as const).flatMap(([declared, ofToken, ofMessages]): Kept[] => [
    [`a token under ${declared}`, (c) => csrfInput(c), ofToken, { ...varied, declared }],
    [`messages under ${declared}`, flashes, ofMessages, { ...varied, declared }],
  ]),
];

for (const [name, page, control, more = {}] of rows) {
  const { declared = shared, isVaried = false, headers } = more;
  Deno.test(`Cache-Control for a shared cache, ${name}: ${control}`, async () => {
    const { app } = newSite([
      routeOf("GET", "/set", (c) => {
        c.flash("success", "Order 4711");
        return c.redirect("/");
      }),
      {
        pattern: "/",
        page: (c) => {
          if (declared !== "") c.header("cache-control", declared);
          if (declared !== "") c.header("CDN-Cache-Control", "max-age=60");
          return page(c);
        },
      },
    ], { config: { secret } });
    const set = await app.fetch(new Request("http://localhost/set"));
    const cookie = set.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    assert(cookie !== "");
    const answer = await app.fetch(
      new Request("http://localhost/", { headers: { cookie, ...headers } }),
    );
    assertEquals([answer.status, answer.headers.get("cache-control")], [200, control]);
    const vary = (answer.headers.get("vary") ?? "").split(/, */);
    assertEquals(vary.filter((one) => one === "Cookie").length, isVaried ? 1 : 0, vary.join());
    assertEquals(answer.headers.has("cdn-cache-control"), control === shared);
  });
}
