import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createLogger, type LogFields, type LogLevel } from "../../../mod.ts";
import { LineBuffer } from "../../../runtime/telemetry/log_sink.ts";
import type { RequestCtx } from "../../../runtime/request/request_ctx.ts";
import { createAccessLines } from "../../../runtime/serve/access_log.ts";
import { type LogLine, newSite, textRoute } from "../app/support.ts";
import { byteLog, type KeptLog } from "./byte_log.ts";

const routes = [textRoute("/a"), textRoute("/p/{id}"), textRoute("/café/{x...}"), {
  pattern: "/503",
  methods: { GET: () => new Response("x", { status: 503 }) },
}];

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ["/a"],
  ["/a?password=secret#part"],
  ["/a", { method: "HEAD" }],
  ["/a", { method: "POST" }],
  ["/a", { method: "QUERY" }],
  ["/p/caf%C3%A9"],
  ["/p/a'b~c!$&()*+,;=:@-._"],
  ["/p/%22%5Cx"],
  ["/caf%C3%A9/1/2"],
  ["/503"],
  ["/nothing"],
  ["/p/1", { headers: { "x-request-id": "r.1:2/3+4=5-6" } }],
  ["/p/1", { headers: { "x-request-id": 'bad"id' } }],
  ["/p/1", { headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } }],
  ["/p/1", { headers: { traceparent: "garbage" } }],
  [`/p/${"x".repeat(10_000)}`],
  ["/a"],
];

/** Returns the log lines of the requests without the parts that differ per run. */
async function readLines({ logger, read }: KeptLog): Promise<LogLine[]> {
  const { app } = newSite(routes, { config: { logger } });
  for (const [path, init] of requests) {
    await (await app.fetch(new Request(`http://localhost${path}`, init))).body?.cancel();
  }
  return read().trimEnd().split("\n").filter((line) => line !== "").map((line) => {
    const { time, duration_ms, request_id, ...rest } = JSON.parse(line);
    assertMatch(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    if (rest.msg !== "request") return rest;
    assert(typeof duration_ms === "number" && duration_ms >= 0 && duration_ms < 10_000);
    assert(typeof request_id === "string");
    return { ...rest, request_id: request_id.startsWith("r.") ? request_id : "made" };
  });
}

const cases: readonly [title: string, fields: LogFields, level: LogLevel][] = [
  ["plain", {}, "info"],
  ["with fields", { service: 'the "shop"', build: 7, canary: false }, "info"],
  ["with a mutable field", { state: { open: true } }, "info"],
  ["with a field of the same name as the line's", { path: "/mine", method: "MINE" }, "info"],
  ["errors only", { service: "shop" }, "error"],
  ["everything", {}, "debug"],
];

for (const [title, fields, level] of cases) {
  Deno.test(`the fast path of the request log writes the same line as the slow path: ${title}`, async () => {
    let text = "";
    const logger = createLogger({ level, write: (lines) => void (text += lines) }).with(fields);
    const slow = await readLines({ logger, read: () => text });
    assertEquals(await readLines(byteLog(fields, level)), slow);
    const own = slow.filter(({ msg }) => msg === "request");
    assertEquals(own.length, level === "error" ? 1 : requests.length - 1);
  });
}

Deno.test("the members of a line have a fixed order", async () => {
  const { logger, read } = byteLog({ service: "shop" });
  const { app } = newSite([textRoute("/a")], { config: { logger } });
  await app.fetch(new Request("http://localhost/a"));
  const want = "time level msg service method path route status duration_ms request_id".split(" ");
  assertEquals(Object.keys(JSON.parse(read())), want);
});

const durations: readonly [ms: number, text: string][] = [
  [0, "0.000"],
  [-1, "0.000"],
  [0.0004, "0.000"],
  [0.001, "0.001"],
  [0.4, "0.400"],
  [9.9994, "9.999"],
  [9.9996, "10.000"],
  [123456.789, "123456.789"],
];

for (const [durationMs, text] of durations) {
  Deno.test(`a duration of ${durationMs} ms is written as ${text}`, () => {
    let line = "";
    const write = (bytes: Uint8Array): void => void (line += new TextDecoder().decode(bytes));
    const buffer = new LineBuffer({ write, onWaiting: () => {} });
    const c = {
      route: { pattern: "/a", label: "/a" },
      target: { url: "http://h/a?b", pathStart: 8, pathEnd: 10 },
      method: "GET",
      endMs: performance.now(),
      ids: { requestId: "r1", traceId: undefined, isBrought: false },
    } as unknown as RequestCtx;
    assert(createAccessLines(buffer, {})?.({ c, status: 200, durationMs }));
    buffer.flush();
    assertStringIncludes(line, `"path":"/a","route":"/a","status":200,"duration_ms":${text},`);
  });
}

Deno.test("lines that do not fit are flushed first, and lines longer than the buffer written directly", () => {
  const writes: number[] = [];
  const buffer = new LineBuffer({
    write: (bytes) => void writes.push(bytes.length),
    onWaiting: () => {},
  });
  buffer.text("x".repeat(20_000));
  assertEquals(writes, []);
  // The length is unknown before encoding: each character may take three bytes.
  buffer.text("y".repeat(20_000));
  assertEquals(writes, [20_000]);
  buffer.text("é".repeat(10_000));
  assertEquals(writes, [20_000]);
  buffer.text("z".repeat(30_000));
  assertEquals(writes, [20_000, 40_000, 30_000]);
  assertEquals([buffer.beginLine(65_536), buffer.beginLine(65_537)], [true, false]);
  buffer.flush();
  assertEquals(writes.length, 3);
});
