import { FieldErrors, httpError, notFound, Problem } from "../../../mod.ts";
import type { AppParts, ProblemsHandler, Route, Settings } from "../../../mod.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { newSite, throwing } from "../app/support.ts";

const problems: ProblemsHandler = ({ status, code, title, detail, fields }, c) => ({
  error: { status, code, text: detail ?? title, ...(fields === undefined ? {} : { fields }) },
  method: c.method,
});

function api(pattern: string, methods: NonNullable<Route["methods"]>): Route {
  return { pattern, kind: "api", problems, methods };
}

const routes: readonly Route[] = [
  api("/api/thrown", { GET: throwing(httpError(409, "sold out")) }),
  api("/api/returned", { GET: () => httpError(401, "who", { headers: { "x-own": "1" } }) }),
  api("/api/fields", { GET: () => new FieldErrors().add("title", "is required") }),
  api("/api/missing", { GET: () => notFound("no such row") }),
  api("/api/failed", { GET: throwing(new Error("secret")) }),
  api("/api/problem", { GET: () => new Problem({ status: 402, detail: "pay" }) }),
  api("/api/body", { POST: async (c) => c.text(200, await c.request.text()) }),
  api("/api/v2/a", { GET: () => httpError(409, "v2") }),
  { pattern: "/api/page", page: throwing(httpError(409, "page")), problems },
  { pattern: "/api/negotiated", methods: { GET: throwing(httpError(409, "html")) }, problems },
  { pattern: "/other", methods: { GET: throwing(httpError(409, "other")) }, kind: "api" },
];
const parts: AppParts = {
  problems: { "/api/v2": () => "v2", "/tenants/{id}/café.x": () => ["tenant"], "/api": problems },
};

interface Row {
  readonly request?: RequestInit;
  readonly config?: Settings;
  readonly headers?: Readonly<Record<string, string>>;
}

const html = { headers: { accept: "text/html" } };
const cross = { method: "POST", headers: { "sec-fetch-site": "cross-site", cookie: "a=b" } };

/** The body, or the part of `error` that the row names. */
const rows: readonly [path: string, status: number, text: unknown, row?: Row][] = [
  ["/api/thrown", 409, "sold out"],
  ["/api/returned", 401, "who", { headers: { "x-own": "1" } }],
  ["/api/fields", 422, "Unprocessable Entity"],
  ["/api/missing", 404, "no such row"],
  ["/api/failed", 500, "Internal Server Error"],
  ["/api/failed", 500, "secret", { config: { env: "dev" } }],
  ["/api/problem", 402, "pay"],
  ["/api/nothing", 404, "Not Found"],
  ["/api/nothing/below", 404, "Not Found", { request: html }],
  ["/api", 404, "Not Found"],
  ["/api//x", 404, "Not Found"],
  ["/api/", 404, "Not Found"],
  ["/api/thrown", 405, "Method Not Allowed", {
    request: { method: "DELETE" },
    headers: { allow: "GET, HEAD" },
  }],
  ["/api/body", 413, undefined, {
    request: { method: "POST", body: "12345" },
    config: { maxBodyBytes: 3 },
  }],
  ["/api/body", 403, undefined, { request: cross }],
  ["/api/thrown", 429, undefined, { config: { rateLimit: { rate: 0.001, burst: 1 } } }],
  ["/api/nothing", 429, undefined, { config: { rateLimit: { rate: 0.001, burst: 1 } } }],
  ["/api/thrown", 409, "sold out", { request: html }],
  ["/api/negotiated", 409, "html", { request: html }],
];
for (const [path, status, text, { request, config = {}, headers = {} } = {}] of rows) {
  const { method = "GET" } = request ?? {};
  Deno.test(`Problems: ${method} ${path} with ${JSON.stringify(config)}: ${status}`, async () => {
    const options = { env: "prod", secret: "s".repeat(32), ...config } as const;
    const sendTo = async ({ app }: typeof site, more: HeadersInit = {}): Promise<Response> => {
      const sent = new Request(`http://localhost${path}`, request);
      for (const [name, value] of new Headers(more)) sent.headers.set(name, value);
      return await app.fetch(sent);
    };
    const site = newSite(routes, { config: options, parts });
    const plain = newSite(routes.map(({ problems: _, ...route }) => route), { config: options });
    const json = { accept: "application/json" };
    const send = () => Promise.all([sendTo(site), sendTo(plain, json)]);
    if (status === 429) { for (const each of await send()) await each.body?.cancel(); }
    const [response, other] = await send();
    assertEquals(response.status, status);
    const { error, ...rest } = await response.json();
    assertEquals([rest, error.status], [{ method }, status]);
    if (text !== undefined) assertEquals(error.text, text);
    assertEquals(error.fields, status === 422 ? { title: "is required" } : undefined);
    assertEquals(response.headers.get("content-type"), "application/json");
    for (const [name, value] of Object.entries(headers)) {
      assertEquals(response.headers.get(name), value);
    }
    // Without Problems, the status and the other headers are the same.
    const names = ({ headers }: Response) => [...headers.keys()].filter((name) => name !== "vary");
    assertEquals([other.status, names(other)], [status, names(response)]);
  });
}

/** Paths outside the folder, and the folder that applies. */
const elsewhere: readonly [path: string, type: string | null, body: RegExp][] = [
  ["/api/page", "text/html; charset=utf-8", /<!doctype html>/],
  ["/other", "application/problem+json", /"detail":"other"/],
  ["/apis", "application/problem+json", /"code":"not_found"/],
  ["/nothing", "application/problem+json", /"code":"not_found"/],
  ["/api/v2/nothing", "application/json", /^"v2"$/],
  ["/api/v2x", "application/json", /not_found/],
  ["/tenants/7/caf%C3%A9.x/a", "application/json", /^\["tenant"\]$/],
  ["/tenants/7/caf%C3%A9ax/a", "application/problem+json", /not_found/],
  ["/tenants//caf%C3%A9.x", "application/problem+json", /not_found/],
  ["/api/%zz", "application/problem+json", /bad_target/],
];
for (const [path, type, body] of elsewhere) {
  Deno.test(`Problems: ${path} has ${type}`, async () => {
    const { app } = newSite(routes, { parts });
    const headers = { accept: "application/json" };
    const response = await app.fetch(new Request(`http://localhost${path}`, { headers }));
    assertEquals(response.headers.get("content-type"), type);
    assert(body.test(await response.text()), path);
  });
}

Deno.test("Problems: matches folders without the base path", async () => {
  const { app } = newSite([], { parts, config: { basePath: "/app" } });
  for (const [path, type] of [["/app/api/x", "json"], ["/api/x", "problem+json"]]) {
    const response = await app.fetch(new Request(`http://localhost${path}`));
    assertEquals(response.headers.get("content-type"), `application/${type}`);
  }
});

Deno.test("Problems: HEAD has the length of the body but no body", async () => {
  const { app } = newSite(routes, { parts });
  const send = (method: string) =>
    app.fetch(new Request("http://localhost/api/thrown", { method }));
  const [get, head] = await Promise.all([send("GET"), send("HEAD")]);
  const { byteLength } = await get.bytes();
  assertEquals([head.status, await head.text()], [409, ""]);
  assertEquals(head.headers.get("content-length"), String(byteLength + 1), "HEAD is longer");
});

const circle: { self?: unknown } = {};
circle.self = circle;
const hostile: Readonly<Record<string, () => unknown>> = {
  "that throws": throwing(new Error("bad")),
  "that throws an HTTP error": throwing(httpError(418, "bad")),
  "that returns nothing": () => undefined,
  "that returns a function": () => () => {},
  "that returns a circle": () => circle,
  "that returns a response": () => new Response("x"),
  "that returns a promise": () => Promise.resolve({}),
  "that rejects": () => Promise.reject(new Error("bad")),
  "whose JSON throws": () => ({ toJSON: throwing(new Error("bad")) }),
};
for (const [name, handler] of Object.entries(hostile)) {
  Deno.test(`Problems ${name}: sends the problem document and logs the error`, async () => {
    const own = handler as ProblemsHandler;
    const route = { ...api("/api/a", { GET: () => httpError(409, "sold out") }), problems: own };
    const { app, logged } = newSite([route], { parts: { problems: { "/api": own } } });
    for (const [path, status] of [["/api/a", 409], ["/api/b", 404]] as const) {
      const response = await app.fetch(new Request(`http://localhost${path}`, html));
      assertEquals(response.status, status);
      assertEquals(response.headers.get("content-type"), "application/problem+json");
      assertEquals((await response.json()).status, status);
    }
    assertEquals(logged("Problems failed").length, 2);
  });
}

Deno.test("Problems: writes a bigint as c.json does", async () => {
  const route = {
    ...api("/api/a", { GET: () => httpError(409, "no") }),
    problems: () => ({ id: 12345678901234567890n }),
  };
  const { app } = newSite([route]);
  const response = await app.fetch(new Request("http://localhost/api/a"));
  assertEquals(await response.text(), '{"id":12345678901234567890}');
});

Deno.test("Problems: boot refuses a value that is not a function", () => {
  const wrong = {} as unknown as ProblemsHandler;
  const sites = [
    newSite([{ ...api("/api", { GET: () => {} }), problems: wrong }]),
    newSite([], { parts: { problems: { "/api": wrong } } }),
  ];
  for (const { app } of sites) {
    assertThrows(() => app.handler(), TypeError, 'Cannot use the Problems of "/api"');
  }
});
