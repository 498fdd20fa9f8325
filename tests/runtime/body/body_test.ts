import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { App, createLogger, HttpError, Off, type Settings } from "../../../mod.ts";
import { testRequest, withBody, withHeader } from "../../../runtime/testing/mod.ts";
import { serveLocal } from "../../serve_local.ts";
import { type Case, inHandler } from "./case.ts";
import { routeOf } from "../app/support.ts";
import { converse } from "../../security/raw_client.ts";

const silent = createLogger({ write: () => {} });

function bodyApp(settings: Settings = {}): App {
  const app = new App({ logRequest: Off, logger: silent, maxBodyBytes: 1_000, ...settings });
  app.route({ pattern: "/ok", methods: { GET: (c) => c.text(200, "ok") } });
  app.route({ pattern: "/form", methods: { POST: async (c) => c.json(200, await c.form("a")) } });
  app.route(routeOf("POST", "/raw", async (c) => c.text(200, await c.request.text())));
  app.route(
    routeOf("POST", "/pieces", async (c) => c.text(200, await new Response(c.request.body).text())),
  );
  app.route({ pattern: "/ignored", methods: { POST: (c) => c.text(200, "done") } });
  return app;
}

const type = "Content-Type: application/x-www-form-urlencoded\r\n";
const announced = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${type}Content-Length: ${length}\r\n\r\n`;
const chunkedHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${type}Transfer-Encoding: chunked\r\n\r\n`;
const ok = "GET /ok HTTP/1.1\r\nHost: a\r\n\r\n";
const mega = "a".repeat(1_000_000);

/** Sends texts and pauses over one connection, and returns the statuses until a mark. */
async function exchange(
  app: App,
  steps: readonly (string | number)[],
  until = "\r\n\r\n",
): Promise<number[]> {
  await using server = serveLocal(app.handler());
  const text = await converse(server.addr, steps, until);
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
}

const oversize: readonly [name: string, request: string][] = [
  ["an announced length", announced("/form", 3_000_000) + mega.repeat(3)],
  [
    "an announced length, before the body is read",
    announced("/ignored", 3_000_000) + mega.repeat(3),
  ],
  ["an announced length, through c.request", announced("/raw", 1_001) + "a".repeat(1_001)],
  ["chunks", chunkedHead("/form") + `F4240\r\n${mega}\r\n`.repeat(3) + "0\r\n\r\n"],
  ["chunks of c.request", chunkedHead("/raw") + `F4240\r\n${mega}\r\n`.repeat(3) + "0\r\n\r\n"],
];

for (const [name, request] of oversize) {
  Deno.test(`413 reaches the client and the connection stays usable: ${name}`, async () => {
    assertEquals(await exchange(bodyApp(), [request, ok], "\r\n\r\nok"), [413, 200]);
  });
}

Deno.test("413 reaches a client that waits for 100 Continue", async () => {
  const expecting = "\r\nExpect: 100-continue\r\n\r\n";
  const request = announced("/form", 5_000).replace("\r\n\r\n", expecting);
  assertEquals((await exchange(bodyApp(), [request])).at(-1), 413);
});

const exact: readonly [name: string, request: string][] = [
  ["an announced length", announced("/raw", 1_000) + "a".repeat(1_000)],
  ["chunks", chunkedHead("/raw") + `3E8\r\n${"a".repeat(1_000)}\r\n0\r\n\r\n`],
];

for (const [name, request] of exact) {
  Deno.test(`a body of exactly the limit is accepted: ${name}`, async () => {
    assertEquals(await exchange(bodyApp(), [request]), [200]);
  });
}

const slow: readonly [name: string, request: string][] = [
  ["a form of known length", announced("/form", 10) + "a=1"],
  ["a chunked form", chunkedHead("/form") + "3\r\na=1\r\n"],
  ["c.request of known length", announced("/raw", 10) + "a=1"],
  ["c.request, chunked", chunkedHead("/raw") + "3\r\na=1\r\n"],
  ["c.request.body of known length", announced("/pieces", 10) + "a=1"],
];

for (const [name, request] of slow) {
  Deno.test(`a body that arrives too slowly gets 408: ${name}`, async () => {
    assertEquals(await exchange(bodyApp({ timeouts: { readMs: 100 } }), [request]), [408]);
  });
}

const paces: readonly [name: string, bytesAtOnce: number, settings: Settings, status: number][] = [
  ["at 16 KB a second exceeds readMs", 400, { timeouts: { readMs: 2_000 } }, 200],
  ["at 40 bytes a second", 1, { timeouts: { readMs: 300 } }, 408],
  [
    "at 40 bytes a second without a minimum rate",
    1,
    { timeouts: { readMs: 2_000 }, bodyLimits: { minBytesPerSecond: 0 } },
    200,
  ],
  ["that stalls after a fast start", 0, { timeouts: { readMs: 300 } }, 408],
];

for (const [name, bytesAtOnce, settings, status] of paces) {
  for (const path of ["/raw", "/pieces"]) {
    Deno.test(`a body ${name}: ${status} from ${path}`, async () => {
      const start = bytesAtOnce === 0 ? 4_000 : 0;
      const length = start + Math.max(bytesAtOnce, 1) * (status === 200 ? 100 : 10_000);
      const pieces = bytesAtOnce === 0 ? [] : new Array(100).fill(["a".repeat(bytesAtOnce), 25]);
      const steps = [announced(path, length) + "a".repeat(start), ...pieces.flat()];
      assertEquals(await exchange(bodyApp({ maxBodyBytes: 1e6, ...settings }), steps), [status]);
    });
  }
}

const cutOff: readonly [name: string, request: string][] = [
  ["a form of known length", announced("/form", 500) + "a=1"],
  ["a chunked form", chunkedHead("/form") + "3\r\na=1\r\n"],
  ["invalid chunks", chunkedHead("/form") + "zz\r\na=1\r\n"],
];

for (const [name, request] of cutOff) {
  Deno.test(`a client that disconnects fails only its own request: ${name}`, async () => {
    const failures: unknown[] = [];
    const logger = createLogger({ level: "warn", write: (text) => void failures.push(text) });
    {
      await using server = serveLocal(bodyApp({ logger }).handler());
      await converse(server.addr, [request], "");
      assertMatch(await converse(server.addr, [ok], "ok"), /^HTTP\/1\.1 200 /);
    }
    assertEquals(failures, []);
  });
}

Deno.test("c.noReadDeadline accepts a slow body", async () => {
  const app = bodyApp({ timeouts: { readMs: 100 } });
  app.route(routeOf("POST", "/slow", async (c) => {
    c.noReadDeadline();
    return c.json(200, await c.form("a"));
  }));
  assertEquals(await exchange(app, [announced("/slow", 6) + "a=1", 600, "234"]), [200]);
});

Deno.test("a body over the limit is a security event", async () => {
  const events: unknown[] = [];
  const app = bodyApp({
    logger: silent,
    onSecurityEvent: ({ kind, path }) => void events.push([kind, path]),
  });
  const headers = { "content-length": "2000" };
  const request = new Request("http://localhost/form", { method: "POST", body: "a", headers });
  assertEquals([(await app.fetch(request)).status, events], [413, [["body", "/form"]]]);
});

const cases = [["dev", true], ["prod", false]] as const;
for (const [env, isExplained] of cases) {
  Deno.test(`a body over the limit, in ${env}: ${isExplained ? "the answer and the log name" : "nothing names"} c.allowBody`, async () => {
    const lines: string[] = [];
    const logger = createLogger({ format: "text", write: (text) => void lines.push(text) });
    const app = new App({ env, devReload: Off, logRequest: Off, logger, maxBodyBytes: 10 });
    app.route(routeOf("POST", "/form", async (c) => c.text(200, await c.request.text())));
    for (const announced of [[withHeader("content-length", "50")], []]) {
      lines.length = 0;
      const option = withBody("text/plain", "a".repeat(50));
      const { body } = await testRequest(app, "POST", "/form", option, ...announced).wantStatus(
        413,
      );
      for (const part of ["c.allowBody(", "config.maxBodyBytes"]) {
        assertEquals(body.includes(part), isExplained, body);
        assertEquals(lines.join("").includes(part), isExplained, lines.join(""));
      }
    }
  });
}

const form = (body: BodyInit, settings: Settings = {}): Case => ({
  body,
  type: "application/x-www-form-urlencoded",
  settings: { maxBodyBytes: 10, ...settings },
});

Deno.test("c.allowBody in a handler raises the limit of a chunked body", async () => {
  const value = await inHandler(form(`a=${"b".repeat(50)}`), (c) => {
    c.allowBody(100);
    return c.form("a");
  });
  assertEquals(value?.length, 50);
});

Deno.test("c.allowBody can lower the limit", async () => {
  await inHandler(form("a=12345"), async (c) => {
    c.allowBody(6);
    const error = await assertRejects(() => c.form("a"), HttpError);
    assertEquals(error.message, "the body is over the limit of 6 bytes");
  });
});

Deno.test("a body over the limit: the error page shows the limit with a unit", async () => {
  await inHandler(form(`a=${"b".repeat(2_000)}`), async (c) => {
    c.allowBody(1_536);
    const error = await assertRejects(() => c.form("a"), HttpError);
    assertEquals(error.message, "the body is over the limit of 1.5 KiB");
  });
});

Deno.test("c.allowBody in a middleware raises the limit of an announced length", async () => {
  const app = new App({ logRequest: Off, logger: silent, maxBodyBytes: 10 });
  app.route({
    pattern: "/",
    middleware: [{
      MiddlewarePOST: (c, next) => {
        c.allowBody(100);
        return next();
      },
    }],
    methods: { POST: async (c) => c.text(200, await c.request.text()) },
  });
  const send = (length: number): Promise<Response> =>
    app.fetch(
      new Request("http://localhost/", {
        method: "POST",
        body: "a".repeat(length),
        headers: { "content-length": String(length) },
      }),
    );
  assertEquals([(await send(100)).status, (await send(101)).status], [200, 413]);
});

Deno.test("c.allowBody throws for an invalid byte count", async () => {
  await inHandler(form("a=1"), (c) => {
    for (const bytes of [-1, NaN]) {
      assertThrows(() => c.allowBody(bytes), RangeError, String(bytes));
    }
  });
});

Deno.test("c.allowBody after the body was read throws and names the reader", async () => {
  await inHandler(form("a=1"), async (c) => {
    await c.form("a");
    const error = assertThrows(() => c.allowBody(5), TypeError);
    assertStringIncludes(error.message, "c.form has read it already");
  });
});

Deno.test("Infinity disables the limit and the deadline", async () => {
  const settings: Settings = { maxBodyBytes: Infinity, timeouts: { readMs: Infinity } };
  for (const headers of [{}, { "content-length": "2000002" }]) {
    const given: Case = { ...form(`a=${"b".repeat(2_000_000)}`, settings), headers };
    assertEquals((await inHandler(given, (c) => c.form("a")))?.length, 2_000_000);
  }
});

const patient: readonly [name: string, sizes: readonly number[]][] = [
  ["4,000 chunks of 256 bytes", new Array<number>(4_000).fill(256)],
  ["4,400 chunks of 100 bytes", new Array<number>(4_400).fill(100)],
  ["4,096 chunks of one byte", new Array<number>(4_096).fill(1)],
  ["a large chunk between small ones", [1, 1, 100_000, 1, 1]],
];

for (const [name, sizes] of patient) {
  Deno.test(`a body in small chunks is accepted up to a number of chunks: ${name}`, async () => {
    const body = ReadableStream.from(sizes.map((size) => new Uint8Array(size).fill(120)));
    const text = await inHandler({ body, type: "text/plain" }, (c) => c.request.text());
    assertEquals(text.length, sizes.reduce((sum, size) => sum + size, 0));
  });
}
