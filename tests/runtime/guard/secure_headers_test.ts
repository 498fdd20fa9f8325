import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, type Ctx, type Handler, Off, type Settings } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { routeOf, throwing } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";

async function answer(
  handler: Handler,
  options: { readonly settings?: Settings; readonly url?: string; readonly method?: string } = {},
): Promise<Response> {
  const { settings = {}, url = "http://localhost/", method = "GET" } = options;
  const app = new App({ logRequest: Off, ...settings });
  app.route({ pattern: "/", methods: { GET: handler } });
  return await app.fetch(new Request(url, { method }));
}

/** Returns the security headers of a response; the nonce in the policy is written `N`. */
function securityOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => all.has(name)).map((
      [name, value],
    ) => [name, value.replaceAll(/'nonce-[A-Za-z0-9+/]{24}'/g, "'nonce-N'")]),
  );
}

const pagePolicy = "default-src 'self'; script-src 'self' 'nonce-N'; style-src 'self' 'nonce-N'; " +
  "style-src-attr 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'";
const documentPolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const fixed = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
const transport = { "strict-transport-security": "max-age=31536000" };
const all = new Set(["content-security-policy", ...Object.keys({ ...fixed, ...transport })]);
const page = { ...fixed, "content-security-policy": pagePolicy };
const document = { ...fixed, "content-security-policy": documentPolicy };
const data = { "x-content-type-options": "nosniff" };
const redirect = {
  "cross-origin-opener-policy": fixed["cross-origin-opener-policy"],
  "referrer-policy": fixed["referrer-policy"],
};

function typed(type?: string): Handler {
  const headers = type === undefined ? {} : { "content-type": type };
  return () => new Response(new Uint8Array(1), { headers });
}

type Kind = readonly [name: string, handler: Handler, want: Record<string, string>];

const kinds: readonly Kind[] = [
  ["c.json", (c) => c.json(200, []), data],
  ["c.json with another status", (c) => c.json(201, []), data],
  ["c.text", (c) => c.text(200, ""), data],
  ["c.text with another status", (c) => c.text(404, ""), data],
  ["c.html", (c) => c.html(200, h.html()), page],
  ["a node", () => h.p(), page],
  ["c.redirect", (c) => c.redirect("/x"), redirect],
  ["c.noContent", (c) => c.noContent(), {}],
  ["nothing", () => {}, {}],
  ["a problem document", throwing(new Error("x")), data],
  ["text staged as HTML", (c) => {
    c.header("Content-Type", "text/html");
    return c.text(200, "<p>");
  }, page],
  ["text changed to HTML", (c) => {
    const response = c.text(200, "<p>");
    response.headers.set("content-type", "text/html");
    return response;
  }, page],
  ["Response.json", () => Response.json([]), data],
  ["a foreign redirect", () => Response.redirect("http://localhost/x"), redirect],
  ["a foreign 304", () => new Response(null, { status: 304 }), {}],
  ["a foreign answer without a body", () => new Response(null), {}],
  ["text/html", typed("text/html"), page],
  ["TEXT/HTML; charset=x", typed("TEXT/HTML; charset=x"), page],
  ["image/svg+xml", typed("image/svg+xml"), document],
  ["application/xhtml+xml", typed("application/xhtml+xml; charset=utf-8"), document],
  ["text/xml", typed("text/xml"), document],
  ["application/pdf", typed("application/pdf"), document],
  ["no type", typed(), document],
  ...`
    IMAGE/SVG+XML application/rss+xml application/mathml+xml;x=y multipart/x-mixed-replace;boundary=x
  `.trim().split(/\s+/).map((type): Kind => [type, typed(type), document]),
  ["a type with blanks", typed("\ttext/html ; x"), page],
  ["image/png", typed("image/png"), data],
  ["application/octet-stream", typed("application/octet-stream"), data],
];

for (const [name, handler, want] of kinds) {
  Deno.test(`security headers of ${name} over HTTP, over HTTPS and if delegated`, async () => {
    assertEquals(securityOf(await answer(handler)), want);
    const url = "https://localhost/";
    const secure = await answer(handler, { url });
    assertEquals(securityOf(secure), secure.status === 304 ? {} : { ...want, ...transport });
    const settings = { security: { delegated: true } };
    assertEquals(securityOf(await answer(handler, { settings, url })), {});
  });
}

Deno.test("the nonce is fresh for each request, and equal in the policy, in c.nonce and on the error page", async () => {
  const app = new App({ logRequest: Off });
  app.route({ pattern: "/", page: (c) => Promise.resolve(h.p(c.nonce, " ", c.nonce)) });
  const nonces = await Promise.all(Array.from({ length: 300 }, async () => {
    const response = await app.fetch(new Request("http://localhost/"));
    const [, told = ""] = /<p>([A-Za-z0-9+/]{24}) \1<\/p>/.exec(await response.text()) ?? [];
    assert(response.headers.get("content-security-policy")?.includes(`'nonce-${told}'`));
    return told;
  }));
  assertEquals(new Set(nonces).size, 300);
  const failed = await app.fetch(new Request("http://localhost/nothing"));
  const [, nonce = "none"] = /<style nonce="([^"]+)"/.exec(await failed.text()) ?? [];
  assert(failed.headers.get("content-security-policy")?.includes(`'nonce-${nonce}'`));
});

Deno.test("a header set by the application is kept, staged or foreign", async () => {
  const staged = await answer((c) => {
    c.header("X-Frame-Options", "SAMEORIGIN");
    return h.p();
  });
  assertEquals(staged.headers.get("x-frame-options"), "SAMEORIGIN");
  const headers = { "content-type": "text/html", "content-security-policy": "default-src 'none'" };
  const foreign = await answer(() => new Response("", { headers }));
  assertEquals(securityOf(foreign), { ...page, "content-security-policy": "default-src 'none'" });
});

const settings: readonly [setting: string, name: string, value: string][] = [
  ["csp", "content-security-policy", "default-src 'self'"],
  ["strictTransportSecurity", "strict-transport-security", "max-age=63072000; preload"],
  ["frameOptions", "x-frame-options", "SAMEORIGIN"],
  ["contentTypeOptions", "x-content-type-options", "nosniff"],
  ["referrerPolicy", "referrer-policy", "no-referrer, same-origin"],
  ["permissionsPolicy", "permissions-policy", "camera=(self), usb=()"],
  ["crossOriginOpenerPolicy", "cross-origin-opener-policy", "same-origin-allow-popups"],
];

for (const [setting, name, value] of settings) {
  Deno.test(`security.${setting}: ${value} is sent, and Off only omits ${name}`, async () => {
    const send = (of: unknown): Promise<Response> =>
      answer(() => h.p(), { settings: { security: { [setting]: of } }, url: "https://localhost/" });
    assertEquals((await send(value)).headers.get(name), value);
    const { [name]: _, ...want }: Record<string, string> = { ...page, ...transport };
    assertEquals(securityOf(await send(Off)), want);
  });
}

const faults: readonly [setting: string, value: unknown, message: string][] = [
  ["strictTransportSecurity", "yes", 'strictTransportSecurity to "yes": write seconds'],
  ["frameOptions", "ALLOW-FROM x", 'frameOptions to "ALLOW-FROM x": write "DENY" or "SAMEORIGIN"'],
  ["contentTypeOptions", "sniff", 'contentTypeOptions to "sniff": write "nosniff"'],
  ["referrerPolicy", "none", 'referrerPolicy to "none": write one of no-referrer'],
  ["permissionsPolicy", "x\r\ny: z", "permissionsPolicy"],
  ["crossOriginOpenerPolicy", "", 'crossOriginOpenerPolicy to "": write one of same-origin'],
  ["csp", "", 'csp to ""'],
  ["csp", "default-src 'self'\nx", "write one line of printable ASCII"],
  ["csp", "default-src 'self', script-src x", "a comma begins a second policy"],
  ["csp", "Default-Src x", '"Default-Src" is not a directive'],
  ["csp", "img-src a; img-src b", '"img-src" appears twice'],
  ["csp", " ; ", "it has no directive"],
  ["csp", "default-src 'self'; img-src é", "write one line of printable ASCII"],
  ["cspExtra", { "img-src": ["a\r\nb"] }, "write one source per entry"],
  ["strictTransportSecurity", "max-age=1\r\nx: y", "write seconds"],
  ["cspExtra", { "img-src": ["https://a https://b"] }, "write one source per entry"],
  ["cspExtra", { "img-src": ["a;script-src *"] }, "write one source per entry"],
  ["cspExtra", { "img-src": [""] }, "write one source per entry"],
  [
    "cspExtra",
    { "img src": ["a"] },
    'cspExtra["img src"]: there is no such directive; write the name of one, such as img-src',
  ],
];

for (const [setting, value, message] of faults) {
  Deno.test(`boot refuses security.${setting} = ${JSON.stringify(value)}`, () => {
    assertThrows(() => new App({ security: { [setting]: value } }).handler(), TypeError, message);
  });
}

Deno.test("a foreign response is rebuilt at most once, and its body is passed on", async () => {
  const app = new App({ logRequest: Off, cors: { origins: ["*"] } });
  app.route(routeOf("GET", "/", (c: Ctx) => {
    c.header("x-a", "1");
    c.flash("info", "x");
    return new Response(ReadableStream.from([new TextEncoder().encode("part")]), {
      headers: { "content-type": "text/html" },
      status: 201,
    });
  }));
  const NativeResponse = Response;
  let made = 0;
  globalThis.Response = class extends NativeResponse {
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init);
      made++;
    }
  };
  try {
    const response = await app.fetch(new Request("http://localhost/"));
    const text = await response.text();
    assertEquals([response.status, response.headers.get("x-a"), text], [201, "1", "part"]);
  } finally {
    globalThis.Response = NativeResponse;
  }
  assertEquals(made, 2);
});

Deno.test("static files have the headers of their type, and HTML a policy without a nonce", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  for (const name of ["a.html", "a.svg", "a.css"]) await Deno.writeTextFile(`${dir}/${name}`, "x");
  for (const env of ["dev", "prod"] as const) {
    const app = new App({ env, public: dir, logRequest: Off });
    const of = async (path: string): Promise<Record<string, string>> => {
      const response = await app.fetch(new Request(`http://localhost${path}`));
      assertEquals(response.status, 200);
      return securityOf(response);
    };
    const policy = pagePolicy.replaceAll(" 'nonce-N'", "");
    assertEquals(await of("/a.html"), { ...fixed, "content-security-policy": policy });
    assertEquals(await of("/a.svg"), document);
    assertEquals(await of("/a.css"), data);
  }
});
