/**
 * Members that a provider adds to its messages and tool calls, and requires in the next request.
 */
import { assertEquals } from "@std/assert";
import { agent, type Message, readChat, run, runStream, sendRun, tool } from "../../ai/mod.ts";
import { App, createLogger, type Handler } from "../../mod.ts";
import { testRequest, withHeader, withJson } from "../../runtime/testing/mod.ts";
import { ask, chunk, clientOf, endChunk, eventResponse, replying, textChunk } from "./support.ts";

type Json = Record<string, unknown>;

const signature = { google: { thought_signature: "c2ln" } };
const call = {
  id: "c1",
  type: "function",
  function: { name: "look", arguments: "{}", strictness: 1 },
  extra_content: signature,
};
const asking = {
  role: "assistant",
  content: null,
  reasoning_content: "Hm",
  reasoning_details: [{ type: "reasoning.text", text: "Hm", index: 0 }],
  tool_calls: [call],
};
const look = tool({ name: "look", description: "" }, () => "seen");
const looker = agent({ name: "looker", instructions: "", tools: [look] });

/** Creates a server that calls a tool, then replies; `sent` has the messages of each request. */
function provider(first: object = asking): { sent: Json[][]; fetch: typeof fetch } {
  const sent: Json[][] = [];
  const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body));
    sent.push(body.messages);
    const isFirst = !(body.messages as Json[]).some(({ role }) => role === "tool");
    const message = isFirst ? first : { content: "Done" };
    const finish_reason = isFirst ? "tool_calls" : "stop";
    if (body.stream !== true) {
      return Promise.resolve(Response.json({ choices: [{ message, finish_reason }] }));
    }
    const { tool_calls: calls = [], ...delta } = message as Json;
    const frames = [
      chunk({ delta }),
      ...(calls as Json[]).map((each, index) =>
        chunk({ delta: { tool_calls: [{ index, ...each }] } })
      ),
      endChunk(finish_reason),
    ];
    return Promise.resolve(eventResponse(frames.join("")));
  };
  return { sent, fetch };
}

const assistantOf = (messages: readonly Json[] = []): Json | undefined =>
  messages.find(({ role }) => role === "assistant");

for (const isStream of [false, true]) {
  Deno.test(`provider members are sent back unchanged, ${isStream ? "streamed" : "whole"}`, async () => {
    const { sent, fetch } = provider();
    const client = clientOf("http://localhost/v1", { fetch });
    if (isStream) { for await (const _ of runStream(client, looker, "Hi")); }
    else await run(client, looker, "Hi");
    assertEquals(assistantOf(sent[1]), asking);
  });
}

const otherTypes: readonly Json[] = [
  { id: "c1", type: "builtin_function", function: { name: "look", arguments: '{"a":1}' } },
  { id: "c1", type: "custom", custom: { name: "look", input: "{}" }, more: 1 },
  { id: "c1", type: "mcp", mcp: { server: "a" }, function: { name: "look", arguments: "{}" } },
];

for (const each of otherTypes) {
  for (const isStream of [false, true]) {
    Deno.test(`a call of the type ${each.type} is sent back unchanged, ${isStream ? "streamed" : "whole"}`, async () => {
      const { sent, fetch } = provider({ ...asking, tool_calls: [each] });
      const client = clientOf("http://localhost/v1", { fetch });
      if (isStream) { for await (const _ of runStream(client, looker, "Hi")); }
      else await run(client, looker, "Hi");
      assertEquals([assistantOf(sent[1])?.tool_calls, sent[1]?.at(-1)?.content], [[each], "seen"]);
    });
  }
}

const fn = { name: "look", arguments: "{}" };
const signed = { ...asking, content: "Hm, yes", signature: "s1" };

/** Frames of a stream before the whole message, and the members sent back. */
const wholes: readonly [name: string, deltas: Json[], whole: Json, back: Json][] = [
  ["all of it in pieces", [{ content: "Hm, " }, { content: "yes" }], {
    role: "assistant",
    content: "Hm, yes",
  }, { role: "assistant", content: "Hm, yes" }],
  ["more text and members", [{ content: "Hm" }, { reasoning_content: "Hm" }], signed, signed],
  ["other text", [{ content: "No" }], { content: "Yes" }, { role: "assistant", content: "No" }],
  [
    "members of the same call",
    [{ content: "Hm, yes", tool_calls: [{ index: 0, id: "c1", function: fn }] }],
    signed,
    { ...signed, reasoning_content: "Hm" },
  ],
  [
    "calls with generated ids",
    [{ tool_calls: [{ index: 0, id: "x", type: "function", function: fn }] }],
    { tool_calls: [{ id: "y", type: "function", function: fn }] },
    { role: "assistant", content: null, tool_calls: [{ id: "x", type: "function", function: fn }] },
  ],
  ["one more call", [{ tool_calls: [{ index: 0, id: "x", type: "function", function: fn }] }], {
    tool_calls: [{ id: "x", function: fn }, { id: "y", type: "function", function: fn }],
  }, {
    role: "assistant",
    content: null,
    tool_calls: ["x", "y"].map((id) => ({ id, type: "function", function: fn })),
  }],
  ["two calls with one id", [{
    tool_calls: [
      { index: 0, id: "x", type: "function", function: fn },
      { index: 1, id: "x", type: "function", function: { ...fn, name: "other" } },
    ],
  }], {
    tool_calls: [
      { id: "x", type: "function", function: fn },
      { id: "x", type: "function", function: { ...fn, name: "other" }, mark: 1 },
    ],
  }, {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "x", type: "function", function: fn },
      { id: "call_", type: "function", function: { ...fn, name: "other" }, mark: 1 },
    ],
  }],
  ["parts with a signature", [{ content: "Hm" }], {
    content: [{ type: "text", text: "Hm", signature: "s" }],
  }, { role: "assistant", content: [{ type: "text", text: "Hm", signature: "s" }] }],
];

for (const [name, deltas, whole, back] of wholes) {
  for (const delta of [undefined, null, {}]) {
    Deno.test(`a whole message after its chunks adds missing members: ${name}, delta ${JSON.stringify(delta)}`, async () => {
      const frames = [
        ...deltas.map((each) => chunk({ delta: each })),
        chunk({ ...(delta === undefined ? {} : { delta }), message: whole, finish_reason: "stop" }),
      ];
      const sent: Json[][] = [];
      const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
        sent.push(JSON.parse(String(init?.body)).messages);
        return Promise.resolve(eventResponse(frames.join("")));
      };
      const client = clientOf("http://localhost/v1", { fetch });
      const { message } = await ask(client);
      await client.stream({ messages: [message] }).response();
      const text = JSON.stringify(sent[1]?.[0]).replace(/"call_[\da-f-]+"/, '"call_"');
      assertEquals(JSON.parse(text), back);
    });
  }
}

Deno.test("provider members are sent back after a hand-off and from a stored history", async () => {
  const transfer = { ...call, function: { ...call.function, name: "transfer_to_looker" } };
  const first = { ...asking, tool_calls: [transfer] };
  const { sent, fetch } = provider(first);
  const client = clientOf("http://localhost/v1", { fetch });
  const front = agent({ name: "front", instructions: "", handoffs: [looker] });
  const { messages } = await run(client, front, "Hi");
  assertEquals(assistantOf(sent[1]), first);
  const history: Message[] = JSON.parse(JSON.stringify(messages));
  await run(client, front, "And?", { history });
  assertEquals(assistantOf(sent[2]), first);
});

Deno.test("content parts other than text are sent back while the text is unchanged", async () => {
  const thinking = [{ type: "text", text: "Hm" }];
  const content = [{ type: "thinking", thinking }, { type: "text", text: "Yes" }];
  const { sent, fetch } = provider({ ...asking, content });
  const client = clientOf("http://localhost/v1", { fetch });
  const { messages } = await run(client, looker, "Hi");
  assertEquals(assistantOf(sent[1])?.content, content);
  const edited = messages.map((each) =>
    each.role === "assistant" ? { ...each, content: "No" } : each
  );
  await run(client, looker, "And?", { history: edited });
  assertEquals(assistantOf(sent[2])?.content, "No");
});

const merged: [name: string, deltas: object[], extra: Json][] = [
  ["texts", [{ thinking: "a" }, { thinking: "b" }, { thinking: null }], { thinking: "ab" }],
  [
    "objects",
    [{ more: { a: "x", n: 1 } }, { more: { a: "y", n: 2, b: true } }],
    { more: { a: "xy", n: 2, b: true } },
  ],
  [
    "items by their index",
    [
      { parts: [{ index: 0, type: "t", text: "a" }] },
      { parts: [{ index: 0, type: "t", text: "b" }, { index: 1, type: "t", text: "c" }] },
    ],
    { parts: [{ index: 0, type: "t", text: "ab" }, { index: 1, type: "t", text: "c" }] },
  ],
  [
    "items without an index",
    [{ parts: [{ text: "a" }] }, { parts: [{ text: "b" }] }],
    { parts: [{ text: "a" }, { text: "b" }] },
  ],
  [
    "a repeated signature",
    [{ signature: "s".repeat(40) }, { signature: "s".repeat(40) }],
    { signature: "s".repeat(40) },
  ],
  [
    "names of the prototype",
    [
      JSON.parse('{"__proto__":{"a":"x"},"constructor":"y"}'),
      JSON.parse('{"__proto__":{"a":"x"}}'),
    ],
    JSON.parse('{"__proto__":{"a":"xx"},"constructor":"y"}'),
  ],
];

for (const [name, deltas, extra] of merged) {
  Deno.test(`streamed provider members are joined: ${name}`, async () => {
    const frames = deltas.map((delta) => chunk({ delta })).join("") + textChunk("a") + endChunk();
    const { message } = await ask(replying(frames));
    assertEquals(JSON.stringify(message.extra), JSON.stringify(extra));
  });
}

/** Creates a chat whose history is stored in the browser. */
function chat(): { sent: Json[][]; post: (body: Json) => Promise<Json> } {
  const { sent, fetch } = provider();
  const client = clientOf("http://localhost/v1", { fetch });
  const app = new App({ env: "prod", logger: createLogger({ write: () => {} }) });
  const POST: Handler = async (c) => {
    const { input, history } = await readChat(c);
    return await sendRun(c, runStream(client, looker, input, { history }));
  };
  app.route({ pattern: "/chat", methods: { POST }, kind: "api" });
  const accept = withHeader("accept", "application/json");
  const post = async (body: Json): Promise<Json> =>
    JSON.parse((await testRequest(app, "POST", "/chat", withJson(body), accept)).body);
  return { sent, post };
}

const kept: [name: string, change: (message: Json) => Json, isKept: boolean][] = [
  ["nothing", (message) => message, true],
  ["its members' order", (message) => Object.fromEntries(Object.entries(message).reverse()), true],
  ["extra", (message) => ({ ...message, extra: { reasoning_content: "Obey" } }), false],
  ["the text", (message) => ({ ...message, content: "Obey" }), false],
  ["the signature", (message) => ({ ...message, signature: "x" }), false],
  ["no signature", (message) => ({ ...message, signature: undefined }), false],
  [
    "extra of a call",
    (message) => ({ ...message, toolCalls: [{ ...(message.toolCalls as Json[])[0], extra: {} }] }),
    false,
  ],
];

for (const [name, change, isKept] of kept) {
  Deno.test(`readChat ${isKept ? "keeps" : "drops"} provider members if the browser changed ${name}`, async () => {
    const { sent, post } = chat();
    const { history } = await post({ message: "Hi" });
    const changed = (history as Json[]).map((message) =>
      message.toolCalls === undefined ? message : change(message)
    );
    await post({ message: "And?", history: changed });
    const back = assistantOf(sent[2]);
    const found = [back?.reasoning_content, (back?.tool_calls as Json[])[0]?.extra_content];
    assertEquals(found, isKept ? ["Hm", signature] : [undefined, undefined]);
  });
}

Deno.test("readChat drops provider members that another application signed", async () => {
  const [one, other] = [chat(), chat()];
  const { history } = await one.post({ message: "Hi" });
  await other.post({ message: "And?", history });
  assertEquals(assistantOf(other.sent[0])?.reasoning_content, undefined);
});
