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
const official = (fetch: Fetch): OpenAI => new OpenAI({ baseURL, apiKey: "test-key-1", fetch });
const frame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const head: Omit<ChatCompletionChunk, "choices"> = {
  ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_780_000_000 },
  ...{ model: "m-2026-05-01", service_tier: "default", system_fingerprint: "fp_1", usage: null },
};

/** Writes a chunk as the service of 2026 does; the compiler compares it with the SDK's types. */
function chunk(delta: Choice["delta"], finish: Choice["finish_reason"] = null): string {
  const choice: Choice = { index: 0, delta, finish_reason: finish, logprobs: null };
  return frame({ ...head, choices: [choice] } satisfies ChatCompletionChunk);
}

function call(index: number, id: string, name: string): string {
  const tool = { index, id, type: "function", function: { name, arguments: "" } } as const;
  return chunk({ tool_calls: [tool] });
}

function args(index: number, text: string): string {
  return chunk({ tool_calls: [{ index, function: { arguments: text } }] });
}

const usage: ChatCompletionChunk["usage"] = {
  ...{ prompt_tokens: 20, completion_tokens: 12, total_tokens: 32 },
  prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 4, accepted_prediction_tokens: 0 },
};
const tokens = frame({ ...head, choices: [], usage } satisfies ChatCompletionChunk);
const done = "data: [DONE]\n\n";
const begin = chunk({ role: "assistant", content: "", refusal: null });
const end = chunk({}, "stop") + tokens + done;
const calls = chunk({}, "tool_calls") + tokens + done;
const text = begin + chunk({ content: "Olá, " }) + chunk({ content: "mundo" });

const streams: Readonly<Record<string, string>> = {
  "text": text + chunk({}, "stop") + done,
  "usage in the last chunk": text + end,
  "comments and an event name": `: OPENROUTER PROCESSING\n\nevent: message\n${text}${end}`,
  "parallel calls, one after the other": begin + call(0, "call_1", "weather") +
    args(0, '{"city"') + args(0, ':"Lisboa"}') + call(1, "call_2", "weather") +
    args(1, '{"city":"Porto"}') + calls,
  "parallel calls whose fragments alternate": begin + call(0, "call_1", "weather") +
    call(1, "call_2", "time") + args(0, '{"city"') + args(1, '{"zone"') + args(0, ':"Lisboa"}') +
    args(1, ':"WET"}') + calls,
  "text before a call": text + call(0, "call_1", "weather") + args(0, "{}") + calls,
  "a refusal": begin + chunk({ refusal: "I cannot " }) + chunk({ refusal: "do that." }) + end,
  "a filtered answer": text + chunk({}, "content_filter") + done,
  "an answer that was cut off": text + chunk({}, "length") + done,
  "an error after a piece": text + frame({ error: { message: "no", type: "server_error" } }),
  "an event of the type error": `${begin}event: error\n${frame({ error: { message: "busy" } })}`,
  "a piece that is not JSON": `${begin}data: {"choices": [\n\n${done}`,
};

async function readOfficial(fetch: Fetch): Promise<unknown> {
  const messages = [{ role: "user" as const, content: "Hi" }];
  const stream = official(fetch).chat.completions.stream({ model: "m", messages });
  let usage: ChatCompletionChunk["usage"];
  let snapshot: typeof stream.currentChatCompletionSnapshot;
  // Not `finalChatCompletion`, which throws for an answer that was cut off.
  for await (const piece of stream) {
    usage = piece.usage ?? usage;
    snapshot = stream.currentChatCompletionSnapshot ?? snapshot;
  }
  const [choice] = snapshot?.choices ?? [];
  const { content, tool_calls: calls = [], refusal } = choice?.message ?? {};
  return {
    said: [content || undefined, refusal ?? undefined, choice?.finish_reason, snapshot?.model],
    calls: calls.map((each) => each.type === "function" && [each.id, { ...each.function }]),
    tokens: usage &&
      [
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.prompt_tokens_details?.cached_tokens ?? 0,
      ],
  };
}

async function readOwn(fetch: Fetch): Promise<unknown> {
  const client = clientOf(baseURL, { fetch: fetch as typeof globalThis.fetch });
  const answer = await client.stream({ messages: [user("Hi")] }).response();
  const { text, refusal, finishReason, model, toolCalls, usage } = answer;
  return {
    said: [text || undefined, refusal, finishReason, model],
    calls: toolCalls.map(({ id, name, arguments: args }) => [id, { name, arguments: args }]),
    tokens: usage && [usage.inputTokens, usage.outputTokens, usage.cachedTokens],
  };
}

for (const [name, stream] of Object.entries(streams)) {
  Deno.test(`AiClient reads what the official client reads: ${name}`, async () => {
    const [own, other] = await Promise.all(
      [readOwn, readOfficial].map((read) =>
        read(() => Promise.resolve(eventResponse(stream))).catch(() => "failure")
      ),
    );
    assertEquals(own, other);
    assertEquals(own === "failure", /error|not JSON/.test(name));
  });
}

/** Sends a request to a server that fails, and returns the number of tries. */
async function countTries(read: typeof readOwn, failure: () => Response): Promise<number> {
  let tries = 0;
  await read(() => {
    tries++;
    return Promise.resolve(failure());
  }).catch(() => {});
  return tries;
}

const statuses = [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529];
for (const should of [undefined, "true", "false"]) {
  Deno.test(`AiClient retries what the official client retries: x-should-retry ${should}`, async () => {
    for (const status of statuses) {
      const headers = { "retry-after-ms": "1", ...(should && { "x-should-retry": should }) };
      const failure = (): Response => Response.json({ error: {} }, { status, headers });
      const [own, other] = [readOwn, readOfficial].map((read) => countTries(read, failure));
      assertEquals(await own, await other, String(status));
    }
  });
}

const delays: readonly (readonly [leastMs: number, headers: () => Record<string, string>])[] = [
  [200, () => ({ "retry-after": "0.2" })],
  [150, () => ({ "retry-after-ms": "150", "retry-after": "9" })],
  [900, () => ({ "retry-after": new Date(Date.now() + 2_000).toUTCString() })],
];

Deno.test("AiClient waits before a retry as the official client does", async () => {
  for (const [leastMs, headers] of delays) {
    for (const read of [readOwn, readOfficial]) {
      const answers = [
        new Response("{}", { status: 429, headers: headers() }),
        eventResponse(text + end),
      ];
      const startedAt = performance.now();
      await read(() => Promise.resolve(answers.shift() ?? Response.error()));
      const ms = performance.now() - startedAt;
      assertEquals([answers.length, ms >= leastMs && ms < leastMs + 5_000], [0, true], String(ms));
    }
  }
});

Deno.test("the official client reads a scripted model", async () => {
  const weather = { name: "weather", arguments: '{"city":"Lisboa"}' };
  const script = [{ text: "Let me look.", toolCalls: [weather] }, { refusal: "I cannot." }];
  const reads = script.map(async (reply) => {
    const model = scriptedModel([reply]);
    return await readOfficial((_, init) => model.respond(String(init?.body)));
  });
  const said = (text?: string, refusal?: string, finish = "stop") => [text, refusal, finish, "m"];
  assertEquals(await Promise.all(reads), [
    {
      said: said("Let me look.", undefined, "tool_calls"),
      calls: [["call_1_1", weather]],
      tokens: [1, 3, 0],
    },
    { said: said(undefined, "I cannot."), calls: [], tokens: [1, 0, 0] },
  ]);
});
