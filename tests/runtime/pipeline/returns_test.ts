import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { FieldErrors, httpError, notFound, Off, Problem, redirect } from "../../../mod.ts";
import type { Env, Handler, Result, Route } from "../../../mod.ts";
import { testRequest, type TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite, type Site } from "../app/support.ts";

/** What a handler gives, and what comes of it. The value is made for each request. */
interface Row {
  readonly title: string;
  readonly value: () => unknown;
  readonly status: number;
  /** Members of the problem document, by environment where they differ. */
  readonly problem: (env: Env) => Record<string, unknown>;
  /** The words on the page, by environment where they differ. */
  readonly page: (env: Env) => readonly string[];
  /** Texts that production must not show. */
  readonly secret?: string;
  /** Whether the error reaches the log. */
  readonly isLogged?: boolean;
}

const rows: readonly Row[] = [
  {
    title: "notFound()",
    value: () => notFound(),
    status: 404,
    problem: () => ({ title: "Not Found", code: "not_found" }),
    page: () => ["404", "There is nothing at this address."],
  },
  {
    title: "notFound(message)",
    value: () => notFound("no such event"),
    status: 404,
    problem: () => ({ title: "Not Found", code: "not_found", detail: "no such event" }),
    page: () => ["404", "No such event"],
  },
  {
    title: "an error whose cause chain holds a notFound()",
    value: () => new Error("row 7 of store", { cause: new Error("no row", { cause: notFound() }) }),
    status: 404,
    problem: (env) => ({
      title: "Not Found",
      code: "not_found",
      ...(env === "dev" ? { detail: "row 7 of store" } : {}),
    }),
    page: () => ["404"],
    secret: "row 7",
  },
  {
    title: "httpError 4xx",
    value: () => httpError(409, "the event is sold out"),
    status: 409,
    problem: () => ({ title: "Conflict", code: "conflict", detail: "the event is sold out" }),
    page: () => ["409 Conflict", "The event is sold out"],
  },
  {
    title: "httpError 5xx",
    value: () => httpError(503, "the replica db-7 is down"),
    status: 503,
    problem: (env) => ({
      title: "Service Unavailable",
      code: "service_unavailable",
      ...(env === "dev" ? { detail: "the replica db-7 is down" } : {}),
    }),
    page: (
      env,
    ) => ["503", ...(env === "dev" ? ["the replica db-7 is down"] : ["Please try again"])],
    secret: "db-7",
    isLogged: true,
  },
  {
    title: "FieldErrors",
    value: () => new FieldErrors().add("title", "is required").add("seats", "must be a number"),
    status: 422,
    problem: () => ({
      title: "Unprocessable Entity",
      code: "validation_failed",
      fields: { title: "is required", seats: "must be a number" },
    }),
    page: () => ["422", "title", "is required", "must be a number"],
  },
  {
    title: "a Problem",
    value: () =>
      new Problem({ status: 402, title: "Pay first", detail: "3 EUR", extra: { price: 3 } }),
    status: 402,
    problem: () => ({ title: "Pay first", code: "payment_required", detail: "3 EUR", price: 3 }),
    page: () => ["402 Pay first", "3 EUR"],
  },
  {
    title: "a Problem 5xx, whose detail the application wrote",
    value: () => new Problem({ status: 503, detail: "back at noon" }),
    status: 503,
    problem: () => ({
      title: "Service Unavailable",
      code: "service_unavailable",
      detail: "back at noon",
    }),
    page: () => ["503", "back at noon"],
    isLogged: true,
  },
  {
    title: "any other error",
    value: () => new RangeError("password of db-7"),
    status: 500,
    problem: (env) => ({
      title: "Internal Server Error",
      code: "internal_server_error",
      ...(env === "dev" ? { detail: "password of db-7" } : {}),
    }),
    page: (env) => ["500 Internal Server Error", ...(env === "dev" ? ["returns_test.ts"] : [])],
    secret: "db-7",
    isLogged: true,
  },
];

/** How a value leaves a handler. */
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
  response.wantHeader("content-type", "application/problem+json");
  const { fields, code, request_id, stack, ...members } = JSON.parse(response.body);
  const { fields: wantFields, code: wantCode, ...want } = row.problem(env);
  assertEquals(members, { type: "about:blank", status: row.status, instance: "/api", ...want });
  assertEquals(fields, wantFields);
  assertEquals(code, wantCode);
  // A failure that nobody meant leads to its code, in development alone.
  assertEquals(Array.isArray(stack), env === "dev" && row.isLogged === true && "secret" in row);
  assert(typeof request_id === "string" && request_id !== "");
}

for (const env of ["dev", "prod"] as const) {
  for (const [way, leave] of Object.entries(ways)) {
    for (const row of rows) {
      Deno.test(`${env}: ${row.title}, ${way}`, async () => {
        const { app, logged } = siteOf(env, () => leave(row.value));
        const page = (await testRequest(app, "GET", "/page")).wantStatus(row.status)
          .wantHeader("content-type", "text/html; charset=utf-8");
        for (const text of row.page(env)) page.wantContains(text);
        const api = (await testRequest(app, "GET", "/api")).wantStatus(row.status);
        checkProblem(api, row, env);
        if (env === "prod" && row.secret !== undefined) {
          assert(!page.body.includes(row.secret) && !api.body.includes(row.secret));
        }
        const failures = logged("handler failed");
        assertEquals(failures.length, row.isLogged ? 2 : 0);
        if (!row.isLogged) return;
        assertEquals(failures.map((line) => [line["route"], line["source"], line["status"]]), [
          ["/page", "app/page.ts", row.status],
          ["/api", "app/api/route.ts", row.status],
        ]);
        if (row.secret !== undefined) assertStringIncludes(JSON.stringify(failures), row.secret);
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
  Deno.test(`a handler that returns ${title} answers ${status}`, async () => {
    const { app } = siteOf("prod", handler);
    for (const path of ["/page", "/api"]) {
      const { body } = await testRequest(app, "GET", path).wantStatus(status);
      assertEquals(body, status === 203 ? "staged" : "");
    }
  });
}

Deno.test("a node of a page or of a method passes the layouts, with the staged status", async () => {
  const handler: Handler = (c) => {
    c.status(206);
    return h.p("x");
  };
  const layouts: Route["layouts"] = [(_c, children) => h.main(children)];
  for (
    const route of [
      { pattern: "/", page: handler, layouts },
      { pattern: "/", methods: { GET: handler }, layouts },
    ]
  ) {
    const { app } = newSite([route]);
    const { body } = await testRequest(app, "GET", "/").wantStatus(206)
      .wantHeader("content-type", "text/html; charset=utf-8");
    assertEquals(body, "<main><p>x</p></main>");
  }
});

/** Values that no handler may give; the log line names the route and the type. */
const unfit: readonly [title: string, value: unknown, type: string][] = [
  ["a string", "<p>hi</p>", "a string"],
  ["an empty string", "", "a string"],
  ["a number", 200, "a number"],
  ["zero", 0, "a number"],
  ["true", true, "a boolean"],
  ["false", false, "a boolean"],
  ["an array", [h.p()], "an array"],
  ["an object", { ok: true }, "an object"],
  ["an object that looks like a node", { html: "<p></p>", render: () => "" }, "an object"],
  ["a function", () => h.p(), "a function"],
  ["a symbol", Symbol("x"), "a symbol"],
  ["a bigint", 1n, "a bigint"],
];

for (const [title, value, type] of unfit) {
  Deno.test(`a handler that returns ${title} is a 500 whose log line names route and type`, async () => {
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
