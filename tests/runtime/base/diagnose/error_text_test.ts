import { assert, assertEquals } from "@std/assert";
import { describeCauses, showThrown } from "../../../../runtime/base/diagnose/error_text.ts";

const circle: Record<string, unknown> = {};
circle["self"] = circle;

const thrown: readonly [value: unknown, shown: string][] = [
  ["x", '"x"'],
  [`${" ".repeat(186)}redis://:s3cret@cache`, `"${" ".repeat(186)}redis://[hidde"`],
  [undefined, "undefined"],
  [null, "null"],
  [7n, "7"],
  [Symbol("s"), "Symbol(s)"],
  [{ status: 404, message: "x" }, '{"status":404,"message":"x"}'],
  [{ cause: new TypeError("inner") }, '{"cause":"TypeError: inner"}'],
  [{ big: 1n }, '{"big":"1"}'],
  [[1, { a: 2 }], '[1,{"a":2}]'],
  [{}, "{}"],
  [Object.create(null), "{}"],
  [new Response(), "[object Response]"],
  [{ toString: () => "told" }, "told"],
  [circle, "an object that has no text"],
];

for (const [value, shown] of thrown) {
  Deno.test(`a thrown value is shown as ${shown}`, () => assertEquals(showThrown(value), shown));
}

Deno.test("a large thrown object is shown partially", () => {
  const text = showThrown({ list: Array.from({ length: 100_000 }, () => "x".repeat(50)) });
  assert(text.length < 1_100, `${text.length}`);
});

const refused = new Error("connect ECONNREFUSED 10.0.0.7:587");
const loop = new Error("loop");
loop.cause = loop;
const summaries: readonly [error: unknown, summary: string][] = [
  ["text", "text"],
  [Object.create(null), "{}"],
  [
    new TypeError("fetch failed", { cause: refused }),
    "TypeError: fetch failed, caused by Error: connect ECONNREFUSED 10.0.0.7:587",
  ],
  [
    new AggregateError([refused]),
    "AggregateError: , caused by Error: connect ECONNREFUSED 10.0.0.7:587",
  ],
  [
    new Error(`Cannot run "x": ${refused.message}`, { cause: refused }),
    `Error: Cannot run "x": ${refused.message}`,
  ],
  [new Error("a", { cause: "b" }), "Error: a, caused by b"],
  [loop, "Error: loop"],
  ["at https://mail.example.org:8443/send?token=a#b now", "at https://mail.example.org:8443 now"],
  ["(https://a.example/x?to=b@c.example): refused", "(https://a.example): refused"],
  ["postgres://ada:p@ss/w@db.example/app", "postgres://db.example"],
  ["HTTPS://user@[::1]:9/x", "HTTPS://[::1]:9"],
  ["a://".repeat(4_000), "a://a:"],
];
for (const [error, summary] of summaries) {
  Deno.test(`describeCauses writes ${summary}`, () => assertEquals(describeCauses(error), summary));
}
