/** What shared caches may keep of answers that depend on a cookie, or hold what is one browser's. */
import { csrfInput, type Ctx, type Node, nonceAttr, type Result } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import * as ui from "../../../ui/mod.ts";
import { newSite, routeOf } from "../app/support.ts";

const secret = "z".repeat(40);
const shared = "public, s-maxage=600, max-age=60";

interface Kept {
  readonly name: string;
  readonly page: (c: Ctx) => Result;
  /** What the page declares. @default {@link shared} */
  readonly declared?: string;
  readonly control: string | null;
  readonly isVaried: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const flashes = (c: Ctx): Node => h.p(c.flashes().map((flash) => flash.text));

const rows: readonly Kept[] = [
  { name: "nothing of a cookie", page: () => h.p("x"), control: shared, isVaried: false },
  { name: "messages taken", page: flashes, control: "no-store", isVaried: true },
  {
    name: "messages shown by the kit",
    page: (c) => ui.flashes(c),
    control: "no-store",
    isVaried: true,
  },
  { name: "no messages", page: flashes, headers: { cookie: "" }, control: shared, isVaried: true },
  {
    name: "messages left for later by a prefetch",
    page: flashes,
    headers: { "sec-purpose": "prefetch" },
    control: shared,
    isVaried: true,
  },
  { name: "a signed cookie", page: (c) => h.p(c.signed("user")), control: shared, isVaried: true },
  {
    name: "a token",
    page: (c) => csrfInput(c),
    headers: { cookie: `fw_csrf=${"a".repeat(43)}` },
    control: "private, max-age=60",
    isVaried: true,
  },
  {
    name: "a cookie set",
    page: (c) => {
      c.setCookie({ name: "a", value: "b" });
      return h.p("x");
    },
    headers: { cookie: "" },
    control: "private, max-age=60",
    isVaried: false,
  },
  {
    name: "a cookie beside a foreign answer",
    page: (c) => {
      c.setSigned("a", "b", 60_000);
      return new Response("x", { headers: { "cache-control": "s-maxage=9" } });
    },
    declared: "",
    control: "private",
    isVaried: false,
  },
  {
    name: "a message in a fragment's header",
    page: (c) => {
      c.flash("success", "saved");
      return h.p("x");
    },
    headers: { cookie: "", "fw-fragment": "list" },
    control: "no-store",
    isVaried: false,
  },
  {
    name: "a date alone",
    page: (c) => {
      c.lastModified(new Date(0.5e12));
      c.setCookie({ name: "a", value: "b" });
      return h.p("x");
    },
    declared: "",
    control: "private",
    isVaried: false,
  },
  {
    name: "nothing declared",
    page: (c) => csrfInput(c),
    declared: "",
    control: "private",
    isVaried: true,
  },
  {
    name: "messages and nothing declared",
    page: flashes,
    declared: "",
    control: "no-store",
    isVaried: true,
  },
  ...([
    ["a nonce", (c) => h.main(h.script(nonceAttr(c), h.raw("1")))],
    ["a plain page, whose policy holds a nonce", () => h.p("the same for all")],
    ["a foreign page with a nonce", (c) => {
      const headers = { "content-type": "text/html" };
      return new Response(`<script nonce="${c.nonce}"></script>`, { headers });
    }],
    [
      "a foreign page without one",
      () => new Response("<p>", { headers: { "content-type": "text/html" } }),
    ],
    ["a date beside a nonce", (c) => {
      c.lastModified(new Date(1e12));
      return h.main(h.script(nonceAttr(c)));
    }],
    ["a text that holds the nonce", (c) => c.text(200, c.nonce)],
  ] as const satisfies readonly (readonly [string, Kept["page"]])[]).map(([name, page]): Kept => ({
    name,
    page,
    declared: "",
    control: "private",
    isVaried: false,
  })),
  {
    name: "a token as JSON",
    page: (c) => c.json(200, { token: c.csrfToken() }),
    declared: "",
    control: "private",
    isVaried: true,
  },
  ...(["private, max-age=5", "no-store", "NO-STORE, public"] as const).map((declared): Kept => ({
    name: `a token under ${declared}`,
    page: (c) => csrfInput(c),
    declared,
    control: declared,
    isVaried: true,
  })),
  ...([
    ["no-cache", "private, no-cache"],
    ['a="private", public, b="x, public"', 'private, a="private", b="x, public"'],
    ['private="x-a", s-maxage=1', 'private, private="x-a"'],
    ["PUBLIC, immutable", "private, immutable"],
  ] as const).map(([declared, control]): Kept => ({
    name: `a token under ${declared}`,
    page: (c) => csrfInput(c),
    declared,
    control,
    isVaried: true,
  })),
  ...([
    ["private, max-age=5", "no-store"],
    ["no-store", "no-store"],
    ["NO-STORE, public", "NO-STORE, public"],
    ["no-cache", "no-store"],
    ["PUBLIC, immutable", "no-store"],
  ] as const).map(([declared, control]): Kept => ({
    name: `messages under ${declared}`,
    page: flashes,
    declared,
    control,
    isVaried: true,
  })),
];

for (const { name, page, declared = shared, control, isVaried, headers } of rows) {
  Deno.test(`a shared cache and ${name}: ${control}`, async () => {
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
    await answer.body?.cancel();
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("cache-control"), control);
    const vary = (answer.headers.get("vary") ?? "").split(/, */);
    assertEquals(vary.filter((one) => one === "Cookie").length, isVaried ? 1 : 0, vary.join());
    assertEquals(answer.headers.has("cdn-cache-control"), control === shared);
  });
}
