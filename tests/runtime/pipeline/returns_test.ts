import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { FieldErrors, httpError, notFound, Off, Problem, redirect } from "../../../mod.ts";
import type { Env, Handler, Result, Route } from "../../../mod.ts";
import { testRequest, type TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite, type Site } from "../app/support.ts";

interface More {
  /** The error's detail, which only development shows. */
  readonly inDev?: string;
  /** Text that production must not show. */
  readonly secret?: string;
  readonly isLogged?: boolean;
}

/** A value created per request, and the expected response. */
type Row = readonly [
  title: string,
  value: () => unknown,
  status: number,
  problem: Readonly<Record<string, unknown>>,
  page: (env: Env) => readonly string[],
  more?: More,
];

const missing = { title: "Not Found", code: "not_found" };
const down = { title: "Service Unavailable", code: "service_unavailable" };
const soldOut = { title: "Conflict", code: "conflict", detail: "the event is sold out" };
const broken = { title: "Internal Server Error", code: "internal_server_error" };
const payment = { title: "Pay first", detail: "3 EUR" };
const fields = { title: "is required", seats: "must be a number" };
const invalid = { title: "Unprocessable Entity", code: "validation_failed", fields };
const soon = "Please try again";

const rows: readonly Row[] = [
  [
    "notFound()",
    () => notFound(),
    404,
    missing,
    () => ["404", "There is nothing at this address."],
  ],
  [
    "notFound(message)",
    () => notFound("no such event"),
    404,
    { ...missing, detail: "no such event" },
    () => ["404", "No such event"],
  ],
  [
    "an error whose cause chain holds a notFound()",
    () => new Error("row 7 of store", { cause: new Error("no row", { cause: notFound() }) }),
    404,
    missing,
    () => ["404"],
    { inDev: "row 7 of store", secret: "row 7" },
  ],
  ["httpError 4xx", () => httpError(409, "the event is sold out"), 409, soldOut, () => [
    "409 Conflict",
    "The event is sold out",
  ]],
  [
    "httpError 5xx",
    () => httpError(503, "the replica db-7 is down"),
    503,
    down,
    (env) => ["503", env === "dev" ? "the replica db-7 is down" : soon],
    { inDev: "the replica db-7 is down", secret: "db-7", isLogged: true },
  ],
  [
    "FieldErrors",
    () => new FieldErrors().add("title", fields.title).add("seats", fields.seats),
    422,
    invalid,
    () => ["422", "title", "is required", "must be a number"],
  ],
  [
    "a Problem",
    () => new Problem({ status: 402, ...payment, extra: { price: 3 } }),
    402,
    { ...payment, code: "payment_required", price: 3 },
    () => ["402 Pay first", "3 EUR"],
  ],
  [
    "a Problem 5xx with the application's own detail",
    () => new Problem({ status: 503, detail: "back at noon" }),
    503,
    { ...down, detail: "back at noon" },
    () => ["503", "back at noon"],
    { isLogged: true },
  ],
  [
    "any other error",
    () => new RangeError("password of db-7"),
    500,
    broken,
    (env) => ["500 Internal Server Error", ...(env === "dev" ? ["returns_test.ts"] : [])],
    { inDev: "password of db-7", secret: "db-7", isLogged: true },
  ],
];

const ways: Readonly<Record<string, (value: () => unknown) => Result | Promise<Result>>> = {
  returned: (value) => value() as Result,
  thrown: (value) => {
    throw value();
  },
  resolved: async (value) => await Promise.resolve(value() as Result),
  rejected: (value) => Promise.reject(value()),
};

function siteOf(env: Env, handler: Handler): Site {
  const routes: Route[] = [
    { pattern: "/page", page: handler, source: "app/page.ts" },
    { pattern: "/api", methods: { GET: handler }, source: "app/api/route.ts" },
  ];
  return newSite(routes, { config: { env, devReload: Off } });
}

function checkProblem(response: TestResponse, row: Row, env: Env): void {
  const [, , wantStatus, wantMembers, , more = {}] = row;
  const detail = env === "dev" && more.inDev !== undefined ? { detail: more.inDev } : {};
  response.wantHeader("content-type", "application/problem+json");
  const { fields, code, request_id, stack, ...members } = JSON.parse(response.body);
  const { fields: wantFields, code: wantCode, ...want }: Record<string, unknown> = {
    ...wantMembers,
    ...detail,
  };
  assertEquals(members, { type: "about:blank", status: wantStatus, instance: "/api", ...want });
  assertEquals([fields, code], [wantFields, wantCode]);
  // An unhandled error shows its code in development only.
  assertEquals(Array.isArray(stack), env === "dev" && more.isLogged === true && "secret" in more);
  assert(typeof request_id === "string" && request_id !== "");
}

for (const env of ["dev", "prod"] as const) {
  for (const [way, leave] of Object.entries(ways)) {
    for (const row of rows) {
      const [title, value, status, , texts, { isLogged, secret } = {}] = row;
      Deno.test(`${env}: ${title}, ${way}`, async () => {
        const { app, logged } = siteOf(env, () => leave(value));
        const page = (await testRequest(app, "GET", "/page")).wantStatus(status)
          .wantHeader("content-type", "text/html; charset=utf-8");
        for (const text of texts(env)) page.wantContains(text);
        const api = (await testRequest(app, "GET", "/api")).wantStatus(status);
        checkProblem(api, row, env);
        if (env === "prod" && secret !== undefined) {
          assert(!page.body.includes(secret) && !api.body.includes(secret));
        }
        const failures = logged("handler failed");
        assertEquals(failures.length, isLogged ? 2 : 0);
        if (!isLogged) return;
        const want = [["/page", "app/page.ts", status], ["/api", "app/api/route.ts", status]];
        assertEquals(failures.map((line) => [line["route"], line["source"], line["status"]]), want);
        if (secret !== undefined) assertStringIncludes(JSON.stringify(failures), secret);
      });
    }

    Deno.test(`${env}: redirect(), ${way}`, async () => {
      for (const status of [301, 302, 303, 307, 308] as const) {
        const { app, lines } = siteOf(env, () => leave(() => redirect("/next?a=1", status)));
        for (const path of ["/page", "/api"]) {
          const response = await testRequest(app, "GET", path).wantStatus(status)
            .wantHeader("location", "/next?a=1");
          assertEquals(response.body, "");
        }
        assertEquals(lines.map((line) => line["msg"]), ["request", "request"]);
      }
    });
  }
}

const nothing: readonly [title: string, handler: Handler, status: number][] = [
  ["undefined", () => {}, 204],
  ["null", () => null, 204],
  ["a promise of undefined", async () => await Promise.resolve(), 204],
  ["undefined after c.status(201)", (c) => c.status(201), 201],
  ["undefined after c.respond", (c) => c.respond(c.text(203, "staged")), 203],
];

for (const [title, handler, status] of nothing) {
  Deno.test(`a handler that returns ${title} sends ${status}`, async () => {
    const { app } = siteOf("prod", handler);
    for (const path of ["/page", "/api"]) {
      const { body } = await testRequest(app, "GET", path).wantStatus(status);
      assertEquals(body, status === 203 ? "staged" : "");
    }
  });
}

Deno.test("the layouts wrap a node of a page or of a method, with the staged status", async () => {
  const handler: Handler = (c) => {
    c.status(206);
    return h.p("x");
  };
  const layouts: Route["layouts"] = [(_c, children) => h.main(children)];
  const methods = { GET: handler };
  const cases = [{ pattern: "/", page: handler, layouts }, { pattern: "/", methods, layouts }];
  for (const route of cases) {
    const { app } = newSite([route]);
    const { body } = await testRequest(app, "GET", "/").wantStatus(206)
      .wantHeader("content-type", "text/html; charset=utf-8");
    assertEquals(body, "<main><p>x</p></main>");
  }
});

/** Values that no handler may return; the log line names the route and the type. */
const unfit: readonly [title: string, value: unknown, type: string][] = [
  ["a string", "<p>hi</p>", "a string"],
  ["an empty string", "", "a string"],
  ["a number", 200, "a number"],
  ["zero", 0, "a number"],
  ["true", true, "a boolean"],
  ["false", false, "a boolean"],
  ["an array", [h.p()], "an array"],
  ["an object", { ok: true }, "an object"],
  ["an object that resembles a node", { html: "<p></p>", render: () => "" }, "an object"],
  ["an object without a prototype", Object.create(null), "an object"],
  ["a function", () => h.p(), "a function"],
  ["a symbol", Symbol("x"), "a symbol"],
  ["a bigint", 1n, "a bigint"],
];

for (const [title, value, type] of unfit) {
  Deno.test(`a handler that returns ${title} is a 500 whose log line names the route and the type`, async () => {
    for (const handler of [() => value as Result, () => Promise.resolve(value as Result)]) {
      const { app, logged } = siteOf("prod", handler);
      for (const path of ["/page", "/api"]) await testRequest(app, "GET", path).wantStatus(500);
      const messages = logged("handler failed").map(({ error }) =>
        (error as { message: string }).message
      );
      assertEquals(messages.length, 2);
      assertStringIncludes(messages[0] ?? "", `Cannot answer with ${type}: the route "/page"`);
      assertStringIncludes(messages[1] ?? "", `Cannot answer with ${type}: the route "/api"`);
    }
  });
}

Deno.test("a handler that makes a response and does not return it is a 500 that says so", async () => {
  const { app, logged } = siteOf("prod", (c) => void c.json(200, {}));
  await testRequest(app, "GET", "/api").wantStatus(500);
  const { error } = logged("handler failed")[0] ?? {};
  assertStringIncludes(JSON.stringify(error), "made a response; return it");
});
