import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { readFailure } from "../../ai/http/failure.ts";
import { AiClient, file, user } from "../../ai/mod.ts";
import type { AiClientOptions, AiError, ChatRequest } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import {
  ask,
  clientOf,
  endChunk,
  eventResponse,
  failureOf,
  inPieces,
  serve,
  textChunk,
} from "./support.ts";
import { withMoreTime } from "../until.ts";

const secret = "test-key-123456";
const good = (): Response => eventResponse(textChunk("Hello") + endChunk());
const failing = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message: "no", code: "x" } }, { status, headers });

const bodies: [request: Partial<ChatRequest>, want: Record<string, unknown>][] = [
  [{ maxTokens: 9 }, { max_completion_tokens: 9, max_tokens: undefined }],
  [{}, { stream: true, stream_options: { include_usage: true } }],
  [{ extra: { stream_options: undefined } }, { stream: true, stream_options: undefined }],
  [{ extra: { max_tokens: 9 } }, { max_completion_tokens: undefined, max_tokens: 9 }],
];
for (const [request, want] of bodies) {
  Deno.test(`AiClient sends a request body for ${Deno.inspect(request)}`, async () => {
    const model = scriptedModel(["Hello"]);
    await model.stream({ messages: [user("Hi")], ...request }).response();
    const { body } = model.requests[0] ?? {};
    assertEquals(Object.fromEntries(Object.keys(want).map((name) => [name, body?.[name]])), want);
  });
}

Deno.test("scriptedModel splits a streamed text every pieceChars characters", async () => {
  const stream = scriptedModel(["Hello"], { pieceChars: 2 }).stream({ messages: [user("Hi")] });
  const pieces = (await Array.fromAsync(stream)).map(({ content }) => content);
  assertEquals(pieces.filter((piece) => piece !== ""), ["He", "ll", "o"]);
});

const statuses: [status: number, code: string, tries: number][] = [
  [400, "ai_bad_request", 1],
  [401, "ai_auth", 1],
  [403, "ai_auth", 1],
  [404, "ai_bad_request", 1],
  [408, "ai_unavailable", 3],
  [409, "ai_bad_request", 3],
  [422, "ai_bad_request", 1],
  [429, "ai_rate_limited", 3],
  [500, "ai_unavailable", 3],
  [503, "ai_unavailable", 3],
];

for (const [status, code, tries] of statuses) {
  Deno.test(`AiClient fails with ${code} for ${status} after ${tries} tries`, async () => {
    await using server = serve(() => failing(status, { "retry-after": "0" }));
    const error = await failureOf(ask(clientOf(server.baseUrl)));
    assertEquals([error.code, error.status, server.requests()], [code, status, tries]);
  });
}

Deno.test("AiClient waits at most maxRetryDelayMs and names the delay that the server requested", async () => {
  await using server = serve(() => failing(429, { "retry-after": "3600" }));
  const error = await failureOf(ask(clientOf(server.baseUrl)));
  assertEquals([error.retryAfterMs, server.requests()], [3_600_000, 1]);
});

const notDates = ["-5", "2", "soon", "2020", "1/1/2020", "Sun, 06 Nov 1994"];
Deno.test("readFailure: ignores a Retry-After that is not an HTTP date", async () => {
  const past = "Sun, 06 Nov 1994 08:49:37 GMT";
  const { signal } = new AbortController();
  const msOf = async (value: string): Promise<number | undefined> =>
    (await readFailure(failing(429, { "retry-after": value }), { hide: String, signal })).error
      .retryAfterMs;
  const found = await Promise.all([...notDates, past].map(msOf));
  assertEquals(found, [undefined, 2_000, undefined, 2_020_000, undefined, undefined, 0]);
});

Deno.test("AiClient does not retry a request over the quota", async () => {
  const error = { message: "pay", code: "insufficient_quota" };
  await using server = serve(() => Response.json({ error }, { status: 429 }));
  const { code } = await failureOf(ask(clientOf(server.baseUrl)));
  assertEquals([code, server.requests()], ["ai_rate_limited", 1]);
});

Deno.test("AiClient does not retry after the first byte of a response", async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = serve(() =>
    eventResponse(
      new ReadableStream({
        async start(controller): Promise<void> {
          controller.enqueue(new TextEncoder().encode(textChunk("Hel")));
          await arrived.promise;
          controller.error(new Error("broken"));
        },
      }),
    )
  );
  const reading = async (): Promise<void> => {
    for await (const _ of clientOf(server.baseUrl).stream({ messages: [] })) arrived.resolve();
  };
  const error = await failureOf(reading());
  assertEquals([error.code, error.partial, server.requests()], ["ai_broken_stream", "Hel", 1]);
});

Deno.test("AiClient retries if the connection closes before the first byte", async () => {
  await using server = serve((_, index) => index === 0 ? eventResponse("") : good());
  assertEquals((await ask(clientOf(server.baseUrl))).text, "Hello");
});

const overload = '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}';
const firsts: [name: string, stream: string, requests: number][] = [
  ["an overload", `data: ${overload}\n\n`, 2],
  ["an overload in an event named error", `: hi\n\nevent: error\ndata: ${overload}\n\n`, 2],
  ["an exhausted quota", 'data: {"error":{"code":"insufficient_quota","status":429}}\n\n', 1],
  ["a refused request", 'data: {"error":{"message":"no","code":400}}\n\n', 1],
  ["an overload after a piece", `${textChunk("a")}data: ${overload}\n\n`, 1],
];
for (const [name, stream, requests] of firsts) {
  Deno.test(`AiClient asks ${requests} times if a stream reports ${name}`, async () => {
    await using server = serve((_, index) => index === 0 ? eventResponse(stream) : good());
    const text = await ask(clientOf(server.baseUrl, { maxRetryDelayMs: 10 }))
      .then(({ text }) => text, () => undefined);
    assertEquals([text, server.requests()], [requests === 2 ? "Hello" : undefined, requests]);
  });
}

Deno.test("AiClient fails with ai_unreachable if the connection is refused", async () => {
  // Tests do not listen on a port this low, and `fetch` does not block this one.
  const client = clientOf("http://127.0.0.1:2/v1", { maxRetries: 1 });
  assertEquals((await failureOf(ask(client))).code, "ai_unreachable");
});

Deno.test("AiClient does not follow a redirect, which would send the key elsewhere", async () => {
  await using server = serve(() => Response.redirect("http://127.0.0.1:1/", 307));
  const error = await failureOf(ask(clientOf(server.baseUrl)));
  assertEquals([error.code, error.status, server.requests()], ["ai_bad_response", 307, 1]);
});

function silentAfter(...pieces: string[]): Response {
  return eventResponse(
    new ReadableStream({
      start(controller): void {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      },
    }),
  );
}

type Timeout = "firstByteTimeoutMs" | "idleTimeoutMs" | "timeoutMs";
const silences: [name: string, timeout: Timeout, pieces: string[], kept: string][] = [
  ["before the first byte", "firstByteTimeoutMs", [], ""],
  ["between bytes", "idleTimeoutMs", [textChunk("Hel")], "Hel"],
  ["altogether", "timeoutMs", [textChunk("Hel")], "Hel"],
];

for (const [name, timeout, pieces, partial] of silences) {
  Deno.test(`AiClient fails with ai_timeout after a silence ${name}`, () =>
    withMoreTime(async (factor) => {
      await using server = serve(() => silentAfter(...pieces));
      const options = { timeoutMs: 5_000 * factor, [timeout]: 100 * factor, maxRetries: 0 };
      const error = await failureOf(ask(clientOf(server.baseUrl, options)));
      assertEquals([error.code, error.partial, server.requests()], ["ai_timeout", partial, 1]);
      assertEquals(error.message.includes("silent"), name !== "altogether");
    }));
}

Deno.test("AiClient retries if no byte arrives before the timeout", () =>
  withMoreTime(async (factor) => {
    await using server = serve((_, index) => index === 0 ? silentAfter() : good());
    const options = { firstByteTimeoutMs: 200 * factor, maxRetryDelayMs: 10 };
    const { text } = await ask(clientOf(server.baseUrl, options));
    assertEquals([text, server.requests()], ["Hello", 2]);
  }));

Deno.test("AiClient waits for a model that thinks silently for minutes, before and in its stream", async () => {
  const { setTimeout } = globalThis;
  const waits: unknown[] = [];
  globalThis.setTimeout =
    ((_: () => void, ms: number) => void waits.push(ms)) as unknown as typeof setTimeout;
  try {
    for (const pieces of [[], [textChunk("Hel")]]) {
      const controller = new AbortController();
      const fetch = (): Promise<Response> => Promise.resolve(silentAfter(...pieces));
      const client = clientOf("http://localhost/v1", { fetch });
      const stream = client.stream({ messages: [], signal: controller.signal });
      const reading = Array.fromAsync(stream).catch(() => {});
      for (let turn = 0; turn < 100; turn++) await undefined;
      controller.abort();
      await reading;
    }
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assert(waits.length > 0 && waits.every((ms) => Number(ms) > 240_000), String(waits));
});

Deno.test("AiClient does not count a slow reader's pauses as silence", () =>
  withMoreTime(async (factor) => {
    await using server = serve(() =>
      eventResponse(inPieces([textChunk("a"), textChunk("b"), endChunk()]))
    );
    let text = "";
    const client = clientOf(server.baseUrl, { idleTimeoutMs: 100 * factor });
    for await (const { content } of client.stream({ messages: [] })) {
      text += content;
      await new Promise((resolve) => setTimeout(resolve, 150 * factor));
    }
    assertEquals(text, "ab");
  }));

Deno.test("AiClient rejects with the reason of its signal, at any stage", async () => {
  const reason = new Error("enough");
  await using server = serve(() => silentAfter(textChunk("Hel")));
  const client = clientOf(server.baseUrl);
  for (const delayMs of [0, 20]) {
    const controller = new AbortController();
    const { signal } = controller;
    setTimeout(() => controller.abort(reason), delayMs);
    const error = await assertRejects(() => client.stream({ messages: [], signal }).response());
    assertEquals(error, reason);
  }
  const signal = AbortSignal.abort(reason);
  assertEquals(await assertRejects(() => client.chat({ messages: [], signal })), reason);
});

Deno.test("AiClient stops on abort while waiting for a retry", async () => {
  const reason = new Error("enough");
  await using server = serve(() => failing(500, { "retry-after": "30" }));
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  const call = clientOf(server.baseUrl).chat({ messages: [], signal: controller.signal });
  assertEquals(await assertRejects(() => call), reason);
});

const endless = (status: number) => (): Promise<Response> =>
  Promise.resolve(
    new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), { status }),
  );
const deaf: [name: string, fetch: () => Promise<Response>][] = [
  ["never answers", () => new Promise(() => {})],
  ["answers with an endless body", endless(200)],
  ["answers with an endless error page", endless(500)],
];
for (const [name, fetch] of deaf) {
  Deno.test(`AiClient rejects on abort even if fetch ignores the signal and ${name}`, async () => {
    const client = clientOf("http://localhost/v1", { fetch, timeoutMs: 50 });
    assertEquals((await failureOf(ask(client))).code, "ai_timeout");
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("left")), 5);
    const call = clientOf("http://localhost/v1", { fetch })
      .chat({ messages: [], signal: controller.signal });
    await assertRejects(() => call, Error, "left");
  });
}

Deno.test("AiClient.stream closes the connection if the caller leaves the loop", async () => {
  const left = Promise.withResolvers<void>();
  await using server = serve(() =>
    eventResponse(
      new ReadableStream({
        start: (controller): void => controller.enqueue(new TextEncoder().encode(textChunk("a"))),
        cancel: (): void => left.resolve(),
      }),
    )
  );
  const stream = clientOf(server.baseUrl).stream({ messages: [] });
  for await (const _ of stream) break;
  await left.promise;
  await assertRejects(() => stream.response(), TypeError, "left early");
  assertThrows(() => stream[Symbol.asyncIterator](), TypeError, "twice");
});

const kilobyte = "x".repeat(1024);

/** Returns a body of many chunks that are created when they are read. */
function* flood(first: string, piece: string): Generator<string> {
  yield first;
  for (;;) yield piece;
}

/** Returns a body without the pauses of `inPieces`, with which 100 MB would take too long. */
function floodOf(first: string, piece: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = flood(first, piece);
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller): void {
      controller.enqueue(encoder.encode(pieces.next().value ?? ""));
    },
  });
}

const floods: [name: string, first: string, piece: string][] = [
  ["an endless line", "data: ", kilobyte.repeat(64)],
  ["100 MB in one event", "data: {", `data: ${kilobyte.repeat(16)}\n`],
  ["endless comments", ":", `: ${kilobyte.repeat(16)}\n`],
  ["endless empty events", "", "data:\n\n".repeat(4096)],
  ["endless text", "", textChunk("x").repeat(512)],
];

/** Measures this file's memory only, because the process also runs other tests. */
function ownBytes(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

for (const [name, first, piece] of floods) {
  Deno.test(`AiClient.stream fails with ai_too_large for ${name}, in bounded memory`, async () => {
    await using server = serve(() => eventResponse(floodOf(first, piece)));
    const before = ownBytes();
    const error = await failureOf(ask(clientOf(server.baseUrl, { maxBytes: 2 * 1024 * 1024 })));
    assertEquals(error.code, "ai_too_large");
    assert(ownBytes() - before < 75 * 1024 * 1024);
  });
}

Deno.test("AiClient.chat fails with ai_too_large for an endless document", async () => {
  const headers = { "content-type": "application/json" };
  await using server = serve(() => new Response(floodOf('{"a":"', kilobyte), { headers }));
  const client = clientOf(server.baseUrl, { maxBytes: 1024 * 1024 });
  assertEquals((await failureOf(client.chat({ messages: [] }))).code, "ai_too_large");
});

Deno.test("AiClient reads only the start of an endless error page", async () => {
  await using server = serve(() => new Response(floodOf("", kilobyte), { status: 400 }));
  const error = await failureOf(ask(clientOf(server.baseUrl)));
  assertEquals(error.code, "ai_bad_request");
  assert(error.message.length < 1000);
});

const leaks: [name: string, options: Partial<AiClientOptions>, body: string][] = [
  ["a server that repeats the key", {}, `Incorrect API key provided: ${secret}`],
  ["a repeated header", { headers: { "api-key": "other-secret-99" } }, "bad other-secret-99"],
  ["a key across the truncation point", {}, `${"x".repeat(490)}${secret}`],
  ["a key in a header with its scheme", {
    apiKey: undefined,
    headers: { authorization: "Bearer other-secret-99" },
  }, "bad other-secret-99"],
  ["a key in the URL, in its original spelling", {
    baseUrl: `http://127.0.0.1:1/v1?key=abc%2Bdef%2F0123%3D&other=${secret}`,
    fetch: () =>
      Promise.resolve(
        Response.json(
          { error: { message: `no key=abc%2Bdef%2F0123%3D abc+def/0123= ${secret}` } },
          { status: 401 },
        ),
      ),
  }, ""],
  ["line breaks", {}, `first\nsecond ${secret}\u0007`],
];

for (const [name, options, message] of leaks) {
  Deno.test(`AiError never carries a secret: ${name}`, async () => {
    await using server = serve(() => Response.json({ error: { message } }, { status: 401 }));
    const error = await failureOf(ask(clientOf(server.baseUrl, options)));
    assertStringIncludes(error.message, "[hidden]");
    const seen = textOf(error);
    for (const text of [secret, "other-secret-99", "0123", "\nsecond", "\u0007"]) {
      assert(!seen.includes(text));
    }
  });
}

function textOf(error: AiError): string {
  return [error.message, JSON.stringify(error), Deno.inspect(error.cause), error.partial].join(" ");
}

Deno.test("AiError never contains a key from the URL's query", async () => {
  const client = clientOf("http://127.0.0.1:1/v1?key=query-secret-1", { maxRetries: 0 });
  const error = await failureOf(ask(client));
  assert(!Deno.inspect(error).includes("query-secret-1"));
});

Deno.test("AiClient does not show its key when printed", () => {
  const client = clientOf("http://localhost/v1");
  const shown = Deno.inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client);
  assert(!shown.includes(secret));
});

const refused: [name: string, options: Partial<AiClientOptions>, message: string][] = [
  ["a relative URL", { baseUrl: "/v1" }, "as the base URL"],
  ["a password without a scheme", { baseUrl: "//u:pw@a/v1" }, 'Cannot use "[hidden]@a/v1" as'],
  ["another scheme", { baseUrl: "ftp://a/v1" }, "as the base URL"],
  ["the endpoint's URL", { baseUrl: "http://a/v1/chat/completions/" }, "use the URL above"],
  ["a password in the URL", { baseUrl: "http://user:secret@a/v1" }, "user name or password"],
  ["no model", { model: "" }, "without a model"],
  ["a key over plain HTTP", { apiKey: "abc" }, "in the clear"],
  ["an empty key", { apiKey: "" }, "API key"],
  ["a key with a line break", { apiKey: "abc\n" }, "API key"],
  ["a header with a line break", { headers: { a: "b\r\nc: d" } }, 'header "a"'],
  ["a negative timeout", { timeoutMs: -1 }, "timeoutMs"],
  ["too long a timeout", { idleTimeoutMs: 2 ** 31 }, "idleTimeoutMs"],
  ["half a retry", { maxRetries: 0.5 }, "maxRetries"],
  ["no bytes", { maxBytes: 0 }, "maxBytes"],
];

for (const [name, options, message] of refused) {
  Deno.test(`AiClient refuses ${name}`, () => {
    const make = () => new AiClient({ baseUrl: "http://a/v1", model: "m", ...options });
    assertThrows(make, Error, message);
  });
}

Deno.test("AiClient sends the request to /chat/completions of the base URL", async () => {
  const seen: unknown[] = [];
  await using server = serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    seen.push(pathname + search, request.headers.get("authorization"), await request.json());
    return good();
  });
  const client = clientOf(`${server.baseUrl}/?v=1`, { model: "big" });
  const photo = { type: "image", url: "https://a/b.png", detail: "low" } as const;
  const bill = file(new Uint8Array([37]), { name: "a.pdf" });
  const messages = [user([{ type: "text", text: "What?" }, photo, bill])];
  await client.stream({ messages, temperature: 0, maxTokens: 5, extra: { seed: 1 } }).response();
  assertEquals(seen, ["/v1/chat/completions?v=1", `Bearer ${secret}`, {
    model: "big",
    messages: [{
      role: "user",
      content: [{ type: "text", text: "What?" }, {
        type: "image_url",
        image_url: { url: "https://a/b.png", detail: "low" },
      }, {
        type: "file",
        file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JQ==" },
      }],
    }],
    temperature: 0,
    max_completion_tokens: 5,
    stream: true,
    stream_options: { include_usage: true },
    seed: 1,
  }]);
});

const ends: Record<string, (controller: ReadableStreamDefaultController) => void> = {
  "stays open": () => {},
  "breaks": (controller) => controller.error(new Error("reset")),
};
for (const [name, end] of Object.entries(ends)) {
  Deno.test(`AiClient.stream keeps a finished answer whose connection ${name}`, async () => {
    const start = textChunk("Hello") + endChunk();
    const body = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(start));
          setTimeout(() => end(controller), 5);
        },
      });
    const fetch = (): Promise<Response> => Promise.resolve(eventResponse(body()));
    const client = clientOf("http://localhost/v1", { fetch, idleTimeoutMs: 50 });
    assertEquals((await client.stream({ messages: [] }).response()).text, "Hello");
  });
}

Deno.test("AiClient accepts a fetch that returns its response without a promise", async () => {
  const fetch = (() => good()) as unknown as typeof globalThis.fetch;
  const { text } = await clientOf("http://localhost/v1", { fetch }).chat({ messages: [] });
  assertEquals(text, "Hello");
});

const halves: [text: string, json: string][] = [
  ["a\ud800", '"a\ufffd"'],
  ["\udc00b", '"\ufffdb"'],
  ["😀", '"😀"'],
  ["\\ud800", '"\\\\ud800"'],
  ["\\\ud800\\", '"\\\\\ufffd\\\\"'],
];
for (const [text, json] of halves) {
  Deno.test(`AiClient sends no lone surrogate, which servers refuse: ${json}`, async () => {
    let body = "";
    const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
      body = String(init?.body);
      return Promise.resolve(good());
    };
    await clientOf("http://localhost/v1", { fetch }).chat({ messages: [user(text)] });
    assertStringIncludes(body, `"content":${json}`);
  });
}

Deno.test("AiClient sends a key over plain HTTP only to loopback or if allowed", () => {
  const rows = ["http://localhost/v1", "http://127.0.0.1:8080/v1", "https://a.example/v1"];
  for (const baseUrl of rows) new AiClient({ baseUrl, apiKey: "abc", model: "m" });
  new AiClient({ baseUrl: "http://models/v1", apiKey: "abc", model: "m", allowPlainHttp: true });
});
