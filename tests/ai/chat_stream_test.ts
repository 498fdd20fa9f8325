/** How a streamed answer is read: by a loop, as a whole, and by both. */
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { ResponseBuilder } from "../../ai/http/response_body.ts";
import { agent, type AiClient, AiError, type ChatStream, runStream } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import { App, struct, text } from "../../mod.ts";
import { chunk, clientOf, endChunk, eventResponse, serve, textChunk } from "./support.ts";

const done = "data: [DONE]\n\n";

function streaming(...frames: string[]): AiClient {
  const pieces = frames.map((frame) => new TextEncoder().encode(frame));
  const fetch = (): Promise<Response> =>
    Promise.resolve(eventResponse(ReadableStream.from(pieces)));
  return clientOf("http://localhost/v1", { fetch });
}

function hello(): ChatStream {
  return streaming(textChunk("Hel"), textChunk("lo"), textChunk("!"), endChunk(), done)
    .stream({ messages: [] });
}

Deno.test("ResponseBuilder joins the pieces of tool calls once, however many whole messages follow", () => {
  const builder = new ResponseBuilder("m");
  const piece = { tool_calls: [{ index: 0, function: { name: "f", arguments: "x" } }] };
  for (let count = 0; count < 100; count++) builder.addChunk({ choices: [{ delta: piece }] });
  const { randomUUID } = crypto;
  let ids = 0;
  crypto.randomUUID = () => {
    ids++;
    return randomUUID.call(crypto);
  };
  try {
    for (let count = 0; count < 1_000; count++) builder.addChunk({ choices: [{ message: {} }] });
    assertEquals(ids, 0, "an id is only made for the whole answer");
    assertEquals(builder.build().toolCalls.map((call) => call.arguments.length), [100]);
  } finally {
    crypto.randomUUID = randomUUID;
  }
});

Deno.test("response() in the loop reads the rest, which the loop still gets", async () => {
  const stream = hello();
  const pieces: string[] = [];
  for await (const { content, finishReason } of stream) {
    if (pieces.length === 0) assertEquals((await stream.response()).text, "Hello!");
    pieces.push(finishReason ?? content);
  }
  assertEquals(pieces, ["Hel", "lo", "!", "stop"]);
  assertEquals((await stream.response()).text, "Hello!");
});

Deno.test("response() beside a loop leaves it every piece, in order", async () => {
  const stream = hello();
  const iterator = stream[Symbol.asyncIterator]();
  const [first, whole, second] = await Promise.all([
    iterator.next(),
    stream.response(),
    iterator.next(),
  ]);
  assertEquals([first.value?.content, second.value?.content], ["Hel", "lo"]);
  assertEquals(whole.text, "Hello!");
  const rest: string[] = [];
  for await (const { content, finishReason } of { [Symbol.asyncIterator]: () => iterator }) {
    rest.push(finishReason ?? content);
  }
  assertEquals(rest, ["!", "stop"]);
});

Deno.test("response() before a loop leaves it every piece, whether the answer is whole or not", async () => {
  for (const isWhole of [true, false]) {
    const stream = hello();
    const whole = stream.response();
    if (isWhole) await whole;
    const pieces: string[] = [];
    for await (const { content, finishReason } of stream) pieces.push(finishReason ?? content);
    assertEquals(pieces, ["Hel", "lo", "!", "stop"]);
    assertEquals((await whole).text, "Hello!");
    assertThrows(() => stream[Symbol.asyncIterator](), TypeError, "twice");
  }
});

Deno.test("response() before a loop over a stream that breaks fails, and so does the loop", async () => {
  const stream = streaming(textChunk("Hel")).stream({ messages: [] });
  await assertRejects(() => stream.response(), AiError, "middle");
  const pieces: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { content } of stream) pieces.push(content);
  };
  await assertRejects(loop, AiError, "middle");
  assertEquals(pieces, ["Hel"]);
});

Deno.test("leaving the loop before the first byte aborts the request and its repetitions", async () => {
  for (const answersFirst of [false, true]) {
    let isAborted = false;
    let asked = 0;
    const sent = Promise.withResolvers<void>();
    const fetch: typeof globalThis.fetch = (_, init) => {
      asked++;
      sent.resolve();
      if (answersFirst) {
        const headers = { "retry-after": "60" };
        return Promise.resolve(new Response("busy", { status: 503, headers }));
      }
      return new Promise((_, reject) =>
        init?.signal?.addEventListener("abort", () => {
          isAborted = true;
          reject(init.signal?.reason);
        })
      );
    };
    const stream = clientOf("http://localhost/v1", { fetch, maxRetryDelayMs: 60_000 })
      .stream({ messages: [] });
    const reader = ReadableStream.from(stream).getReader();
    const first = reader.read();
    await sent.promise;
    await reader.cancel();
    assertEquals((await first).value, undefined);
    assertEquals([isAborted, asked], [!answersFirst, 1]);
    await assertRejects(() => stream.response(), TypeError, "left early");
  }
});

Deno.test("response() in a loop over a stream that breaks fails, and so does the loop", async () => {
  const stream = streaming(textChunk("Hel"), textChunk("lo")).stream({ messages: [] });
  const pieces: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { content } of stream) {
      if (pieces.length === 0) await assertRejects(() => stream.response(), AiError, "middle");
      pieces.push(content);
    }
  };
  const error = await assertRejects(loop, AiError, "middle");
  assertEquals([pieces, error.partial], [["Hel", "lo"], "Hello"]);
});

Deno.test("leaving the loop early aborts the request, also while response() reads", async () => {
  const left = Promise.withResolvers<void>();
  await using server = serve(() => {
    const encoder = new TextEncoder();
    let timer: ReturnType<typeof setInterval> | undefined;
    return eventResponse(
      new ReadableStream({
        start: (controller): void => {
          timer = setInterval(() => controller.enqueue(encoder.encode(textChunk("a"))), 5);
        },
        cancel: (): void => {
          clearInterval(timer);
          left.resolve();
        },
      }),
    );
  });
  const stream = clientOf(server.baseUrl).stream({ messages: [] });
  let whole: Promise<unknown> = Promise.resolve();
  for await (const _ of stream) {
    whole = assertRejects(() => stream.response(), TypeError, "left early");
    break;
  }
  await whole;
  await left.promise;
});

for (
  const [name, stream] of [
    ["a server", hello],
    ["a scripted model", () => scriptedModel(["Hello!"]).stream({ messages: [] })],
  ] as const
) {
  Deno.test(`leaving the loop at the last piece keeps the whole answer of ${name}`, async () => {
    const answer = stream();
    for await (const { finishReason } of answer) if (finishReason !== undefined) break;
    assertEquals((await answer.response()).text, "Hello!");
  });
}

Deno.test("leaving the loop at the last piece keeps the reason why the answer is invalid", async () => {
  const output = struct({ name: text("required") });
  const client = streaming(
    textChunk("{}"),
    endChunk(),
    chunk({}, { usage: { prompt_tokens: 7 } }),
    done,
  );
  const answer = client.stream({ messages: [], output });
  for await (const { finishReason } of answer) if (finishReason !== undefined) break;
  const error = await assertRejects(() => answer.response(), AiError);
  assertEquals([error.code, error.partial, error.usage?.inputTokens], ["ai_bad_output", "{}", 7]);
});

Deno.test("an answer left at its last piece counts as a success", async () => {
  const app = new App({
    logRequest: () => false,
    observability: { metrics: "/metrics", trusted: ["127.0.0.1"] },
  });
  const model = scriptedModel(["Hello!"], { metrics: app.metrics });
  for await (const { finishReason } of model.stream({ messages: [] })) {
    if (finishReason !== undefined) break;
  }
  const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
  const info = { remoteAddr, completed: Promise.resolve() };
  const response = await app.fetch(new Request("http://localhost/metrics"), info);
  assertMatch(await response.text(), /fw_ai_requests_total\{[^}]*outcome="ok"[^}]*\} 1/);
});

Deno.test("runStream refuses a second iteration", async () => {
  const events = runStream(scriptedModel(["hello"]), agent({ name: "a", instructions: "" }), "hi");
  for await (const _ of events);
  assertThrows(() => events[Symbol.asyncIterator](), TypeError, "twice");
});
