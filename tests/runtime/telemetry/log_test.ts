import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  App,
  createLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
} from "../../../mod.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { routeOf, throwing } from "../app/support.ts";

function record(options: LoggerOptions = {}): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const log = createLogger({ ...options, write: (text) => void lines.push(text) });
  return { log, lines };
}

function jsonOf(fields: LogFields): Record<string, unknown> {
  const { log, lines } = record();
  log.info("m", fields);
  assertEquals(lines.length, 1);
  assertMatch(lines[0] ?? "", /^[^\n]*\n$/);
  return JSON.parse(lines[0] ?? "");
}

function textOf(message: string, fields: LogFields): string {
  const { log, lines } = record({ format: "text" });
  log.info(message, fields);
  return lines.join("").replace(/^\d\d:\d\d:\d\d\.\d{3} /, "");
}

Deno.test("a JSON line has time, level, msg and the fields, in this order", () => {
  const { log, lines } = record();
  log.warn("careful", { b: 1, a: "x" });
  assertMatch(
    lines[0] ?? "",
    /^\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","level":"warn","msg":"careful","b":1,"a":"x"\}\n$/,
  );
});

const cases = [
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  [undefined, ["info", "warn", "error"]],
] as const;
for (const [level, written] of cases) {
  Deno.test(`level ${level} writes ${written.join(", ")}, through with() too`, () => {
    for (const derive of [(log: Logger) => log, (log: Logger) => log.with({ a: 1 })]) {
      const { log: root, lines } = record(level && { level });
      const log = derive(root);
      log.debug("x");
      log.info("x");
      log.warn("x");
      log.error("x");
      assertEquals(lines.map((line) => JSON.parse(line)["level"]), [...written]);
    }
  });
}

Deno.test("onError gets the errors of the level error, with all fields, and may throw", () => {
  const seen: unknown[] = [];
  const { log, lines } = record({
    level: "warn",
    onError: (error, fields) => {
      seen.push([error, fields["a"], fields["status"]]);
      throw new Error("the tracker is down");
    },
  });
  const error = new Error("x");
  log.with({ a: 1 }).error("failed", { error, status: 500 });
  log.error("no error");
  log.warn("late", { error });
  log.info("hidden", { error });
  assertEquals(seen, [[error, 1, 500]]);
  assertEquals(lines.length, 3);
});

Deno.test("onError gets what a handler throws, once", async () => {
  const seen: unknown[] = [];
  const onError = (error: unknown, fields: LogFields) => void seen.push([error, fields["path"]]);
  const error = new Error("x");
  const app = new App({ logger: createLogger({ write: () => {}, onError }), env: "prod" });
  app.route(routeOf("GET", "/x", throwing(error)));
  (await testRequest(app, "GET", "/x")).wantStatus(500);
  assertEquals(seen, [[error, "/x"]]);
});

Deno.test("with() adds fields, and the line's own take precedence", () => {
  const { log, lines } = record();
  log.with({ a: 1, b: 1 }).with({ b: 2, c: 2 }).info("m", { c: 3 });
  const { time: _, ...line } = JSON.parse(lines[0] ?? "");
  assertEquals(line, { level: "info", msg: "m", a: 1, b: 2, c: 3 });
});

Deno.test("a field cannot replace time, level and msg, so clients cannot forge a line", () => {
  const line = jsonOf({ level: "error", msg: "fake", time: "never", kept: 1 });
  assertEquals([line["level"], line["msg"], line["kept"]], ["info", "m", 1]);
  assert(line["time"] !== "never");
});

Deno.test("an error is written with its name, message, stack and causes", () => {
  const error = new RangeError("outer", { cause: new Error("inner", { cause: "a text" }) });
  const written = jsonOf({ error })["error"] as Record<string, unknown>;
  assertEquals([written["name"], written["message"]], ["RangeError", "outer"]);
  assertStringIncludes(String(written["stack"]), "log_test.ts");
  const cause = written["cause"] as Record<string, unknown>;
  assertEquals([cause["message"], cause["cause"]], ["inner", "a text"]);
});

Deno.test("a circular chain of causes ends", () => {
  const error = new Error("circle");
  error.cause = error;
  assertEquals((jsonOf({ error })["error"] as Error).message, "circle");
  assertStringIncludes(textOf("m", { error }), "circle");
});

Deno.test("the errors of an AggregateError are written, up to a limit", () => {
  const many = Array.from({ length: 20 }, (_, index) => new Error(`part ${index}`));
  const error = new AggregateError([new AggregateError(many, "inner"), "a text"], "all failed");
  const written = jsonOf({ error })["error"] as Record<string, unknown>;
  const [inner, text] = written["errors"] as [Record<string, unknown>, unknown];
  assertEquals([inner["message"], text], ["inner", "a text"]);
  assertEquals([(inner["errors"] as unknown[]).length, inner["more_errors"]], [6, 14]);
  const lines = textOf("m", { error });
  for (const part of ["with Error: part 0", "with 14 more"]) assertStringIncludes(lines, part);
});

const cut = 16_384;
for (const name of ["message", "stack"] as const) {
  Deno.test(`the ${name} of an error is cut between code points and marked`, () => {
    const error = new Error("x");
    Object.defineProperty(error, name, { value: "😀".repeat(100_000).slice(0, -2) + "x😀" });
    const shifted = new Error("x");
    Object.defineProperty(shifted, name, { value: "a" + "😀".repeat(100_000) });
    for (const [each, kept] of [[error, cut], [shifted, cut - 1]] as const) {
      const written = jsonOf({ error: each })["error"] as Record<string, unknown>;
      const [text = "", rest = ""] = String(written[name]).split("… (cut: ");
      assertEquals(text.length, kept);
      assert(text.isWellFormed());
      assertMatch(rest, /^\d+ more characters\)$/);
    }
  });
}

for (const name of ["name", "message", "stack", "cause"]) {
  Deno.test(`an error whose ${name} throws is written with its other parts`, () => {
    const error = new Error("x");
    Object.defineProperty(error, name, { get: throwing(new Error("no")) });
    const written = jsonOf({ error })["error"] as Record<string, unknown>;
    assertEquals(written[name], "(unreadable)");
    assertStringIncludes(textOf("m", { error }), "INFO  m error=");
  });
}

const unreadable: readonly [title: string, fields: Record<string, unknown>][] = [
  [
    "a getter",
    Object.defineProperty({}, "x", { enumerable: true, get: throwing(new Error("no")) }),
  ],
  ["a proxy", new Proxy({}, { ownKeys: throwing(new Error("no")) })],
];
for (const [title, fields] of unreadable) {
  Deno.test(`fields that throw when they are read, by ${title}, do not break the line`, () => {
    assertEquals(jsonOf(fields)["fields"], "(unreadable)");
    assertStringIncludes(textOf("m", fields), "INFO  m fields=(unreadable)");
    const { log, lines } = record();
    log.with(fields).info("m");
    assertStringIncludes(lines.join(""), "(unreadable)");
  });
}

const circle: Record<string, unknown> = {};
circle["self"] = circle;

/** Values that cannot be serialized: the line is still written, with its other fields. */
const hostile: readonly [title: string, value: unknown][] = [
  ["a circle", circle],
  ["a getter that throws", {
    get x(): never {
      throw new Error("no");
    },
  }],
  ["a toJSON that throws", { toJSON: throwing(new Error("no")) }],
  ["an error whose stack is not a string", Object.assign(new Error("x"), { stack: 7 })],
  ["an error whose message is not a string", Object.assign(new Error("x"), { message: {} })],
  ["an error whose cause cannot become text", new Error("x", { cause: Object.create(null) })],
];

for (const [title, value] of hostile) {
  Deno.test(`a field that is ${title} breaks neither the line nor its other fields`, () => {
    const line = jsonOf({ request_id: "r1", value });
    assertEquals([line["level"], line["msg"], line["request_id"]], ["info", "m", "r1"]);
    const text = textOf("m", { request_id: "r1", value });
    assertStringIncludes(text, "INFO  m request_id=r1");
  });
}

const plain: readonly [value: unknown, json: unknown][] = [
  [1n, "1"],
  [undefined, undefined],
  [null, null],
  [() => 1, undefined],
  [Symbol("x"), undefined],
  [NaN, null],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  ["\u2028\n\u0000", "\u2028\n\u0000"],
  ["\ud800", "\ud800"],
];

for (const [value, json] of plain) {
  Deno.test(`a JSON line contains ${String(value)}`, () => {
    assertEquals(jsonOf({ value })["value"], json);
  });
}

const texts: readonly [message: string, fields: LogFields, line: string][] = [
  ["m", {}, "INFO  m\n"],
  ["m", { a: "b", n: 1, t: true, z: null }, "INFO  m a=b n=1 t=true z=null\n"],
  ["m", { a: "b c" }, 'INFO  m a="b c"\n'],
  ["m", { a: "" }, 'INFO  m a=""\n'],
  ["m", { a: 'b"c' }, 'INFO  m a="b\\"c"\n'],
  ["m", { a: "b\nINFO fake" }, 'INFO  m a="b\\nINFO fake"\n'],
  ["m", { a: "\u001b[31mred" }, 'INFO  m a="\\u001b[31mred"\n'],
  ["m", { a: "b=c" }, 'INFO  m a="b=c"\n'],
  ["m", { a: undefined, b: 1 }, "INFO  m b=1\n"],
  ["m", { a: { b: [1] } }, 'INFO  m a={"b":[1]}\n'],
  ["with words", {}, "INFO  with words\n"],
  ["a\nERROR fake", {}, 'INFO  "a\\nERROR fake"\n'],
  ["a\u001b[31m", {}, 'INFO  "a\\u001b[31m"\n'],
  ["m", { a: "\u009b31mred" }, 'INFO  m a="\\u009b31mred"\n'],
  ["m", { a: "\u0085INFO fake" }, 'INFO  m a="\\u0085INFO fake"\n'],
  ["m", { a: "x\u007f" }, 'INFO  m a="x\\u007f"\n'],
  ["m", { a: "x\u2028y\u2029" }, 'INFO  m a="x\\u2028y\\u2029"\n'],
  ["m", { a: "txt.\u202egpj\u2066" }, 'INFO  m a="txt.\\u202egpj\\u2066"\n'],
  ["m", { a: "\u200b\u{e0041}" }, 'INFO  m a="\\u200b\\udb40\\udc41"\n'],
  ["m", { a: { "b\u009b": ["\u202e"] } }, 'INFO  m a={"b\\u009b":["\\u202e"]}\n'],
  ["a\u202eb", {}, 'INFO  "a\\u202eb"\n'],
  ["m", { "a b=c": 1 }, 'INFO  m "a b=c"=1\n'],
  ["m", { "a\nINFO fake": 1 }, 'INFO  m "a\\nINFO fake"=1\n'],
  ["m", { "\u202ea": new Error("\u009bx"), b: 1 }, 'INFO  m "\\u202ea"="\\u009bx" b=1\n'],
  ["ação 你好 😀", { é: "ü", b: "x y ß" }, 'INFO  ação 你好 😀 é=ü b="x y ß"\n'],
];

for (const [message, fields, line] of texts) {
  Deno.test(`a text line: ${JSON.stringify(line)}`, () =>
    assertEquals(textOf(message, fields).replace(/^ {4}.*\n/gm, ""), line));
}

const raw = "\u001b[2J\r\u009b\u007f\u0085\u2028\u202e\u2066\u200b\u{e0041}\0";
const escaped =
  "\\u001b[2J\\u000d\\u009b\\u007f\\u0085\\u2028\\u202e\\u2066\\u200b\\udb40\\udc41\\u0000";

Deno.test("a stack in a text line has only its own line breaks and tabs", () => {
  const error = new Error("outer", { cause: new Error("inner") });
  error.stack = `outer ${raw}\n\tat x`;
  (error.cause as Error).stack = raw;
  const [, ...rest] = textOf("m", { error }).trimEnd().split("\n");
  assertEquals(rest, [`    outer ${escaped}`, "    \tat x", `    caused by ${escaped}`]);
});

Deno.test("a JSON line has no raw control or invisible characters", () => {
  const fields = { [raw]: raw, error: new Error(raw), deep: [{ a: raw }] };
  const { log, lines } = record();
  log.info(raw, fields);
  const text = lines.join("");
  assertMatch(text, /^[ -~]*\n$/);
  const line = JSON.parse(text);
  assertEquals([line.msg, line[raw], line.error.message, line.deep], [raw, raw, raw, [{ a: raw }]]);
  assertEquals(jsonOf({ a: "ação 你好 😀", b: circle })["a"], "ação 你好 😀");
});

Deno.test("a JSON line escapes fields that are not plain data", () => {
  const { log, lines } = record();
  log.info("m", { a: raw, circle });
  assertMatch(lines.join(""), /^[ -~]*\n$/);
});

const shownUrls: readonly (readonly [text: string, shown: string])[] = [
  ["postgres://ada:s3cret@db.example/app", "postgres://[hidden]@db.example/app"],
  ["redis://:s3cret@cache.example:6379 refused", "redis://[hidden]@cache.example:6379 refused"],
  ["'amqp://ada:s3cret#/?@mq.example'", "'amqp://[hidden]@mq.example'"],
  [`mysql://ada:${"s3cret".repeat(200)}@db.example`, "mysql://[hidden]@db.example"],
  ["mysql://ada:s3cret)<>@db.example", "mysql://[hidden]@db.example"],
  ["https://s3cret@api.example/x, again", "https://[hidden]@api.example/x, again"],
  ["file:///srv/node_modules/@std/path.ts:1:2", "file:///srv/node_modules/@std/path.ts:1:2"],
  ["https://[::1]:9/@std and ada@example.org", "https://[::1]:9/@std and ada@example.org"],
  ["http://localhost:3000/x?to=a@b.example", "http://localhost:3000/x?to=a@b.example"],
];

for (const [text, shown] of shownUrls) {
  Deno.test(`a logged error shows ${text} as ${shown}`, () => {
    const cause = new AggregateError([new Error(text), text], text);
    const fields = { error: new Error(text, { cause }) };
    const written = JSON.stringify(jsonOf(fields)) + textOf("m", fields);
    assert(!written.includes("s3cret"), written);
    assert(written.split(shown).length > 6, written);
  });
}
