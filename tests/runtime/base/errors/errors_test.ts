import { assert, assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import {
  fieldError,
  FieldErrors,
  HttpError,
  httpError,
  notFound,
  Problem,
  publicMessage,
  redirect,
  statusOf,
} from "../../../../mod.ts";
import { isFwError } from "../../../../runtime/base/errors/errors.ts";

const circle: Error = new Error("circle");
circle.cause = circle;

/** Returns a chain of this many causes above a notFound(). */
function chain(length: number): Error {
  let error: Error = notFound();
  for (let i = 0; i < length; i++) error = new Error("above", { cause: error });
  return error;
}

const statuses: readonly [title: string, error: unknown, status: number][] = [
  ["httpError(409)", httpError(409, "x"), 409],
  ["httpError(599)", httpError(599, "x"), 599],
  ["notFound()", notFound(), 404],
  ["redirect()", redirect("/x"), 303],
  ["redirect(308)", redirect("/x", 308), 308],
  ["FieldErrors", fieldError("a", "b"), 422],
  ["empty FieldErrors", new FieldErrors(), 422],
  ["Problem", new Problem({ status: 402 }), 402],
  ["Error", new Error("x"), 500],
  ["an Error around a notFound()", new Error("x", { cause: notFound() }), 404],
  ["ten nested Errors around a notFound()", chain(10), 404],
  ["an object with a cause", { cause: notFound() }, 500],
  ["an Error around a lookalike", new Error("x", { cause: { status: 404 } }), 500],
  ["an Error that is its own cause", circle, 500],
  ["an endless chain of causes", chain(10_000), 500],
  ["an HttpError around a notFound()", httpError(410, "x", { cause: notFound() }), 410],
  ["null", null, 500],
  ["undefined", undefined, 500],
  ["a string", "404", 500],
  ["an object with a status", { status: 404 }, 500],
  ["a frozen object", Object.freeze({}), 500],
];

for (const [title, error, status] of statuses) {
  Deno.test(`statusOf ${title} is ${status}`, () => assertEquals(statusOf(error), status));
}

for (const status of [200, 303, 399, 600, 1_000, 404.5, NaN, -1, 0]) {
  Deno.test(`an error with the status ${status} is refused on creation`, () => {
    const cases = [
      () => httpError(status, "x"),
      () => new HttpError(status, "x"),
      () => new Problem({ status }),
    ];
    for (const make of cases) {
      assertThrows(make, RangeError, `the status "${status}": use an integer from 400 to 599.`);
    }
  });
}

Deno.test("every error is an Error with a stable code, its own name and a message", () => {
  const rows: readonly [Error & { readonly code: string }, string, string, string][] = [
    [httpError(409, "sold out"), "HttpError", "conflict", "sold out"],
    [httpError(418, "short"), "HttpError", "i_m_a_teapot", "short"],
    [httpError(599, "x"), "HttpError", "status_599", "x"],
    [httpError(403, "x", { code: "csrf_failed" }), "HttpError", "csrf_failed", "x"],
    [notFound(), "NotFoundError", "not_found", "Not Found"],
    [notFound("no event"), "NotFoundError", "not_found", "no event"],
    [redirect("/x"), "Redirect", "redirect", "redirect to /x"],
    [new Problem({ status: 402, detail: "d" }), "Problem", "problem", "d"],
    [new Problem({ status: 402, title: "t" }), "Problem", "problem", "t"],
    [new Problem({ status: 402 }), "Problem", "problem", "status 402"],
    [new FieldErrors(), "FieldErrors", "validation_failed", "Validation failed"],
  ];
  for (const [error, name, code, message] of rows) {
    assertInstanceOf(error, Error);
    assertEquals([error.name, error.code, error.message], [name, code, message]);
    assert(isFwError(error));
  }
  assert(!isFwError(new Error("x")));
});

Deno.test("an error keeps its cause for the log", () => {
  const cause = new Error("inner");
  assertEquals(httpError(500, "x", { cause }).cause, cause);
  assertEquals(new Problem({ status: 500, cause }).cause, cause);
});

const publicMessages: readonly [title: string, error: unknown, message: string | undefined][] = [
  ["httpError(409)", httpError(409, "Sold out"), "Sold out"],
  ["httpError(503)", httpError(503, "no route to 10.0.0.7"), undefined],
  ["FieldErrors", fieldError("seats", "is required"), "seats: is required"],
  ["a Problem with a detail", new Problem({ status: 409, title: "x", detail: "Full" }), "Full"],
  ["a Problem with a title", new Problem({ status: 409, title: "Sold out" }), "Sold out"],
  [
    "a Problem with fields",
    new Problem({ status: 422, title: "Full:", fields: fieldError("seats", "is required") }),
    "Full: seats: is required",
  ],
  ["a Problem without a text", new Problem({ status: 409 }), "status 409"],
  ["a Problem of the server", new Problem({ status: 500, detail: "10.0.0.7" }), undefined],
  ["an Error", new Error("x"), undefined],
  ["a text", "x", undefined],
];

for (const [title, error, message] of publicMessages) {
  Deno.test(`publicMessage of ${title} is ${message}`, () => {
    assertEquals(publicMessage(error), message);
  });
}
