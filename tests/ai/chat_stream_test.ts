/** Reading a streamed response: in a loop, as a whole, and one after the other. */
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { ResponseBuilder } from "../../ai/http/response_body.ts";
import { agent, type AiClient, AiError, type ChatStream, runStream } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import { App, Off, struct, text } from "../../mod.ts";
import { chunk, clientOf, endChunk, eventResponse, textChunk } from "./support.ts";

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

Deno.test("ResponseBuilder joins the pieces of tool calls once, whatever the number of whole messages after them", () => {
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

Deno.test("response() returns the whole response after or without a loop, and throws during one", async () => {
  const stream = hello();
  const pieces: string[] = [];
  for await (const { content, finishReason } of stream) {
    await assertRejects(() => stream.response(), TypeError, "to the end first");
    pieces.push(finishReason ?? content);
  }
  assertEquals(pieces, ["Hel", "lo", "!", "stop"]);
  for (const each of [stream, hello()]) {
    const wholes = await Promise.all([each.response(), each.response()]);
    assertEquals(wholes.map(({ text }) => text), ["Hello!", "Hello!"]);
    assertThrows(() => each[Symbol.asyncIterator](), TypeError, "twice");
  }
});

Deno.test("response() rejects for a broken stream, after or without a loop", async () => {
  const broken = () => streaming(textChunk("Hel")).stream({ messages: [] });
  await assertRejects(() => broken().response(), AiError, "middle");
  const stream = broken();
  const pieces: string[] = [];
  const loop = async (): Promise<void> => {
    for await (const { content } of stream) pieces.push(content);
  };
  const error = await assertRejects(loop, AiError, "middle");
  assertEquals([pieces, error.partial], [["Hel"], "Hel"]);
  await assertRejects(() => stream.response(), AiError, "middle");
});

Deno.test("leaving the loop before the first byte aborts the request and its retries", async () => {
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
    assertEquals([(await first).value, isAborted, asked], [undefined, !answersFirst, 1]);
    await assertRejects(() => stream.response(), TypeError, "left early");
  }
});

for (
  const [name, stream] of [
    ["a server", hello],
    ["a scripted model", () => scriptedModel(["Hello!"]).stream({ messages: [] })],
  ] as const
) {
  Deno.test(`leaving the loop at the last chunk keeps the whole response of ${name}`, async () => {
    const answer = stream();
    for await (const { finishReason } of answer) if (finishReason !== undefined) break;
    assertEquals((await answer.response()).text, "Hello!");
  });
}

Deno.test("leaving the loop at the last chunk keeps the reason why the response is invalid", async () => {
  const output = struct({ name: text("required") });
  const usage = { prompt_tokens: 7 };
  const client = streaming(textChunk("{}"), endChunk(), chunk({}, { usage }), done);
  const answer = client.stream({ messages: [], output });
  for await (const { finishReason } of answer) if (finishReason !== undefined) break;
  const error = await assertRejects(() => answer.response(), AiError);
  assertEquals([error.code, error.partial, error.usage?.inputTokens], ["ai_bad_output", "{}", 7]);
});

Deno.test("a response left at its last chunk counts as a success", async () => {
  const observability = { metrics: "/metrics", trusted: ["127.0.0.1"] };
  const app = new App({ logRequest: Off, observability });
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
