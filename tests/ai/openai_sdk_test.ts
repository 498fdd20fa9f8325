/** The official client of the protocol and this one read the same responses, and retry the same ones. */
import { assertEquals } from "@std/assert";
import OpenAI from "npm:openai@7.57.0";
import type { ChatCompletionChunk } from "npm:openai@7.57.0/resources/chat/completions";
import { scriptedModel } from "../../ai/testing.ts";
import { user } from "../../ai/mod.ts";
import { clientOf, eventResponse } from "./support.ts";

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
type Choice = ChatCompletionChunk.Choice;

const baseURL = "http://localhost/v1";

function official(fetch: Fetch): OpenAI {
  return new OpenAI({ baseURL, apiKey: "test-key-123456", fetch, maxRetries: 2 });
}

function frame(value: object, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}

/** Writes a chunk as the service of 2026 does; the compiler compares it with the SDK's types. */
function chunk(
  delta: Choice["delta"] & { readonly reasoning_content?: string },
  finish: Choice["finish_reason"] = null,
): string {
  const choice: Choice = { index: 0, delta, finish_reason: finish, logprobs: null };
  const written: ChatCompletionChunk = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_780_000_000,
    model: "m-2026-05-01",
    service_tier: "default",
    system_fingerprint: "fp_1",
    choices: [choice],
    usage: null,
  };
  return frame(written);
}

const usage: ChatCompletionChunk["usage"] = {
  prompt_tokens: 20,
  completion_tokens: 12,
  total_tokens: 32,
  prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 4, accepted_prediction_tokens: 0 },
};
const usageChunk = frame({
  ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m-2026-05-01" },
  ...{ choices: [], usage } satisfies Pick<ChatCompletionChunk, "choices" | "usage">,
});
const done = "data: [DONE]\n\n";
const begin = chunk({ role: "assistant", content: "", refusal: null });

function call(index: number, id: string, name: string): string {
  const tool = { index, id, type: "function", function: { name, arguments: "" } } as const;
  return chunk({ tool_calls: [tool] });
}

function args(index: number, text: string): string {
  return chunk({ tool_calls: [{ index, function: { arguments: text } }] });
}

const streams: Readonly<Record<string, readonly string[]>> = {
  "text": [
    begin,
    chunk({ content: "Olá, " }),
    chunk({ content: "mundo" }),
    chunk({}, "stop"),
    done,
  ],
  "usage in the last chunk": [begin, chunk({ content: "a" }), chunk({}, "stop"), usageChunk, done],
  "comments and an event name": [
    ": OPENROUTER PROCESSING\n\n",
    begin,
    `event: message\n${chunk({ content: "a" })}`,
    chunk({}, "stop"),
    done,
  ],
  "parallel calls, one after the other": [
    begin,
    ...[call(0, "call_1", "weather"), args(0, '{"city"'), args(0, ':"Lisboa"}')],
    ...[call(1, "call_2", "weather"), args(1, '{"city":"Porto"}')],
    ...[chunk({}, "tool_calls"), usageChunk, done],
  ],
  "parallel calls whose fragments alternate": [
    begin,
    ...[call(0, "call_1", "weather"), call(1, "call_2", "time")],
    ...[args(0, '{"city"'), args(1, '{"zone"'), args(0, ':"Lisboa"}'), args(1, ':"WET"}')],
    ...[chunk({}, "tool_calls"), done],
  ],
  "text before a call": [
    ...[begin, chunk({ content: "Let me look." }), call(0, "call_1", "weather"), args(0, "{}")],
    ...[chunk({}, "tool_calls"), done],
  ],
  "a refusal": [
    ...[begin, chunk({ refusal: "I cannot " }), chunk({ refusal: "do that." })],
    ...[chunk({}, "stop"), usageChunk, done],
  ],
  "a filtered answer": [begin, chunk({ content: "ab" }), chunk({}, "content_filter"), done],
  "an answer that was cut off": [begin, chunk({ content: "ab" }), chunk({}, "length"), done],
  "an error after a piece": [
    begin,
    chunk({ content: "a" }),
    frame({ error: { message: "The server had an error", type: "server_error", code: null } }),
  ],
  "an event of the type error": [
    begin,
    frame({ error: { message: "overloaded" } }, "error"),
  ],
  "a piece that is not JSON": [begin, 'data: {"choices": [\n\n', done],
};

interface Read {
  readonly text: string;
  readonly calls: readonly unknown[];
  readonly refusal: string | undefined;
  readonly finish: string;
  readonly tokens: readonly (number | undefined)[];
  readonly model: string;
}

async function readOfficial(fetch: Fetch): Promise<Read> {
  const stream = official(fetch).chat.completions.stream({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    stream_options: { include_usage: true },
  });
  // Not `finalChatCompletion`, which throws for answers that were cut off.
  let usage: ChatCompletionChunk["usage"];
  let snapshot: typeof stream.currentChatCompletionSnapshot;
  for await (const piece of stream) {
    usage = piece.usage ?? usage;
    snapshot = stream.currentChatCompletionSnapshot ?? snapshot;
  }
  const [choice] = snapshot?.choices ?? [];
  const { message } = choice ?? {};
  return {
    text: message?.content ?? "",
    calls: (message?.tool_calls ?? []).map((each) => [
      each.id,
      ...each.type === "function" ? [each.function.name, each.function.arguments] : [],
    ]),
    refusal: message?.refusal ?? undefined,
    finish: choice?.finish_reason ?? "",
    tokens: [
      usage?.prompt_tokens,
      usage?.completion_tokens,
      usage?.prompt_tokens_details?.cached_tokens,
    ],
    model: snapshot?.model ?? "",
  };
}

async function readOwn(fetch: Fetch): Promise<Read> {
  const client = clientOf(baseURL, { fetch: fetch as typeof globalThis.fetch });
  const answer = await client.stream({ messages: [user("Hi")] }).response();
  return {
    text: answer.text,
    calls: answer.toolCalls.map(({ id, name, arguments: text }) => [id, name, text]),
    refusal: answer.refusal,
    finish: answer.finishReason,
    tokens: [
      answer.usage?.inputTokens,
      answer.usage?.outputTokens,
      answer.usage?.cachedTokens,
    ],
    model: answer.model,
  };
}

for (const [name, frames] of Object.entries(streams)) {
  Deno.test(`the official client reads the same stream: ${name}`, async () => {
    const fetch: Fetch = () => Promise.resolve(eventResponse(frames.join("")));
    const read = (by: typeof readOwn): Promise<Read | "failure"> =>
      by(fetch).catch(() => "failure" as const);
    const own = await read(readOwn);
    assertEquals(own, await read(readOfficial));
    assertEquals(own === "failure", /error|not JSON/.test(name));
  });
}

const failures: readonly (readonly [status: number, headers?: Record<string, string>])[] = [
  ...[400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529]
    .map((status) => [status] as const),
  ...["true", "false"].flatMap((value) =>
    [400, 429].map((status) => [status, { "x-should-retry": value }] as const)
  ),
];

for (const [status, headers = {}] of failures) {
  Deno.test(`the official client retries the same failure: ${status} ${JSON.stringify(headers)}`, async () => {
    const count = async (send: (fetch: Fetch) => Promise<unknown>): Promise<number> => {
      let requests = 0;
      await send(() => {
        requests++;
        const error = { message: "no", type: "invalid_request_error", code: "x" };
        const all = { ...headers, "retry-after-ms": "1" };
        return Promise.resolve(Response.json({ error }, { status, headers: all }));
      }).catch(() => {});
      return requests;
    };
    assertEquals(await count(readOwn), await count(readOfficial));
  });
}

Deno.test("the official client waits as long: retry-after in seconds, milliseconds and as a date", async () => {
  const date = (): string => new Date(Date.now() + 2_000).toUTCString();
  for (
    const [headers, leastMs] of [
      [() => ({ "retry-after": "0.2" }), 200],
      [() => ({ "retry-after-ms": "150", "retry-after": "9" }), 150],
      [() => ({ "retry-after": date() }), 900],
    ] as const
  ) {
    const took = async (by: typeof readOwn): Promise<boolean> => {
      let requests = 0;
      const startedAt = performance.now();
      await by(() =>
        Promise.resolve(
          requests++ === 0
            ? new Response("{}", { status: 429, headers: headers() })
            : eventResponse((streams["text"] ?? []).join("")),
        )
      );
      const ms = performance.now() - startedAt;
      return requests === 2 && ms >= leastMs && ms < leastMs + 2_500;
    };
    assertEquals(await Promise.all([took(readOwn), took(readOfficial)]), [true, true]);
  }
});

Deno.test("the official client reads a scripted model", async () => {
  const script = [
    { text: "Let me look.", toolCalls: [{ name: "weather", arguments: { city: "Lisboa" } }] },
    { refusal: "I cannot do that." },
  ];
  for (const isStream of [false, true]) {
    const model = scriptedModel(script);
    const sdk = official((_, init) => model.respond(String(init?.body)));
    const ask = { model: "m", messages: [{ role: "user", content: "Hi" }] } as const;
    for (const { text, toolCalls, refusal } of script as readonly Record<string, unknown>[]) {
      const { choices: [choice], usage } = isStream
        ? await sdk.chat.completions.stream({ ...ask, messages: [...ask.messages] })
          .finalChatCompletion()
        : await sdk.chat.completions.create({ ...ask, messages: [...ask.messages] });
      const { content, tool_calls: calls, refusal: said } = choice?.message ?? {};
      assertEquals([content || undefined, calls?.length, said ?? undefined], [
        text,
        toolCalls === undefined ? undefined : 1,
        refusal,
      ]);
      assertEquals(usage?.prompt_tokens, 1);
    }
  }
});
