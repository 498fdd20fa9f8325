import { assertEquals } from "@std/assert";
import { httpError, type Kind, type Route } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite } from "../app/support.ts";

const fail: NonNullable<Route["methods"]> = { GET: () => httpError(409, "no") };

function route(pattern: string, kind?: Kind): Route {
  return { pattern, methods: fail, ...(kind === undefined ? {} : { kind }) };
}

const routes: readonly Route[] = [
  { pattern: "/page", page: () => httpError(409, "no") },
  { pattern: "/page-under-api", page: () => httpError(409, "no"), kind: "api" },
  route("/route"),
  route("/api/route"),
  route("/page-kind", "page"),
  route("/api-kind", "api"),
];

const accepts = {
  none: undefined,
  any: "*/*",
  html: "text/html",
  json: "application/json",
  problem: "application/problem+json",
  browser: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  equal: "text/html, application/json",
  "html more": "application/json;q=0.4, text/html;q=0.5",
  "json more": "application/json;q=0.5, text/html;q=0.4",
  other: "image/png",
  text: "text/*",
  "no html": "text/html;q=0",
} as const;

type Accept = keyof typeof accepts;

const all = Object.keys(accepts) as readonly Accept[];
const htmlOnly: readonly Accept[] = ["html", "browser", "html more", "text"];

/** For each path, the `Accept` values that get HTML; all others get a problem document. */
const rows: readonly [path: string, status: number, html: readonly Accept[]][] = [
  ["/page", 409, all],
  ["/page-under-api", 409, all],
  ["/route", 409, htmlOnly],
  ["/api/route", 409, htmlOnly],
  ["/page-kind", 409, all],
  ["/api-kind", 409, []],
  ["/nothing", 404, all.filter((name) => !["json", "problem", "json more"].includes(name))],
  ["/api", 404, htmlOnly],
  ["/api/nothing", 404, htmlOnly],
  ["/apis", 404, all.filter((name) => !["json", "problem", "json more"].includes(name))],
];

for (const [path, status, html] of rows) {
  for (const name of all) {
    const isHtml = html.includes(name);
    Deno.test(`${path} with Accept ${name} fails in ${isHtml ? "HTML" : "problem+json"}`, async () => {
      const { app } = newSite(routes);
      const accept = accepts[name];
      const options = accept === undefined ? [] : [withHeader("accept", accept)];
      const response = await testRequest(app, "GET", path, ...options).wantStatus(status);
      const found = response.header("content-type");
      assertEquals(found, isHtml ? "text/html; charset=utf-8" : "application/problem+json");
    });
  }
}

/** The `Vary` of errors for programs and browsers: required values, and whether Accept is one. */
const varies: readonly [path: string, isNegotiated: boolean][] = [
  ["/page", false],
  ["/page-under-api", false],
  ["/route", true],
  ["/page-kind", false],
  ["/api-kind", false],
  ["/nothing", true],
  ["/api/nothing", true],
];

for (const [path, isNegotiated] of varies) {
  Deno.test(`an error of ${path} ${isNegotiated ? "varies" : "does not vary"} by Accept`, async () => {
    const { app } = newSite(routes);
    for (const accept of ["text/html", "application/json"]) {
      const response = await testRequest(app, "GET", path, withHeader("accept", accept));
      const names = (response.header("vary") ?? "").split(/, */);
      assertEquals(names.includes("Accept"), isNegotiated, accept);
    }
  });
}

Deno.test("a 405 has the format of its route", async () => {
  const { app } = newSite(routes);
  for (
    const [path, type] of [
      ["/page", "text/html; charset=utf-8"],
      ["/route", "application/problem+json"],
      ["/api-kind", "application/problem+json"],
    ] as const
  ) await testRequest(app, "PUT", path).wantStatus(405).wantHeader("content-type", type);
});
