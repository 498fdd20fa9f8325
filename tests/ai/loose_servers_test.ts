import { assert, assertEquals, assertMatch } from "@std/assert";
import { ResponseBuilder } from "../../ai/http/response_body.ts";
import { parseError } from "../../ai/http/failure.ts";
import { CallFragments } from "../../ai/http/call_fragments.ts";
import { cpuMs } from "../cpu_time.ts";
import { measureSlowness } from "../slowness.ts";
import {
  ask,
  chunk,
  clientOf,
  endChunk,
  eventResponse,
  failureOf,
  inPieces,
  replying,
  serve,
  textChunk,
} from "./support.ts";

const done = "data: [DONE]\n\n";
const cached = { prompt_tokens_details: { cached_tokens: 2 } };
const usage = { prompt_tokens: 3, completion_tokens: 4, ...cached };

const hello = textChunk("Hello");
const whole = hello + endChunk() + done;

const streams: [name: string, stream: string][] = [
  ["[DONE] absent", hello + endChunk()],
  ["CRLF", whole.replaceAll("\n", "\r\n")],
  ["comments, keep-alives", `: hi\n\n:\n\n${hello}: OPENROUTER PROCESSING\n\n${endChunk()}${done}`],
  ["a byte order mark", `\ufeff${whole}`],
  [
    "empty choices",
    `data: {"choices":[]}\n\n${hello}${endChunk()}data: {"choices":[],"usage":null}\n\n${done}`,
  ],
  ["choices absent", `data: {}\n\n${whole}`],
  ["content null", chunk({ delta: { role: "assistant", content: null } }) + whole],
  ["an absent or null delta", chunk({}) + chunk({ delta: null }) + whole],
  ["a whole message", chunk({ message: { content: "Hello" }, finish_reason: "stop" }) + done],
  [
    "a whole message after its chunks",
    hello + chunk({ message: { content: "Hello" }, finish_reason: "stop" }) + done,
  ],
  ["parts", chunk({ delta: { content: [{ type: "text", text: "Hello" }] } }) + endChunk() + done],
  ["event names and ids", `event: message\nid: 1\n${whole}`],
  ["no space after data", whole.replaceAll("data: ", "data:")],
  ["a missing last blank line", hello + endChunk().trimEnd()],
  ["missing blank lines throughout", whole.replaceAll("\n\n", "\n")],
  ["missing blank lines throughout, with CRLF", whole.replaceAll("\n\n", "\r\n")],
  [
    "a chunk split over several data lines",
    JSON.stringify({ choices: [{ delta: { content: "Hello" } }] }, null, 1).replaceAll(
      /^/gm,
      "data: ",
    ) + `\n\n${endChunk()}${done}`,
  ],
  ["a null error", chunk({ delta: { content: "Hello" } }, { error: null }) + endChunk() + done],
  ["[DONE] with a space", `${hello}${endChunk()}data: [DONE] \n\n`],
  [
    "keep-alive events of text",
    `data: ping\n\nevent: ping\ndata:\n\n${hello}data: keep-alive\n\n${endChunk()}${done}`,
  ],
  ...["[done]", "[Done]"].map((end): [string, string] => [
    `data: ${end}`,
    `${hello}${endChunk()}data: ${end}\n\n`,
  ]),
  ...["...", "…", "[ping]", "[heartbeat]", "ping!", "(keep-alive)", "处理中", "💓", "- - -"].map((
    text,
  ): [string, string] => [
    `the keep-alive ${text}`,
    `data: ${text}\n\n${hello}data: ${text}\n\n${endChunk()}${done}`,
  ]),
  [
    "members that report no failure",
    `data: {"code":0,"status":"thinking","type":"ping","success":true}\n\ndata: {"code":"200"}\n\n${hello}${endChunk()}`,
  ],
  ["text after [DONE]", whole + textChunk("!")],
  ["prototype names", `data: {"__proto__":{"choices":[]},"constructor":1}\n\n${whole}`],
  [
    "members of the wrong type",
    `data: {"id":7,"model":{},"choices":"x","usage":"y"}\n\ndata: [1]\n\ndata: null\n\n${whole}`,
  ],
];

for (const [name, stream] of streams) {
  Deno.test(`AiClient.stream understands ${name}`, async () => {
    const answer = await ask(replying(stream));
    assertEquals([answer.text, answer.finishReason], ["Hello", "stop"]);
  });
}

Deno.test("AiClient.stream joins UTF-8 sequences split at any byte", async () => {
  const text = "Olá, 🌍! 日本語";
  const bytes = new TextEncoder().encode(textChunk(text) + endChunk() + done);
  await using server = serve(() =>
    eventResponse(inPieces([...bytes].map((byte) => new Uint8Array([byte]))))
  );
  assertEquals((await ask(clientOf(server.baseUrl))).text, text);
});

Deno.test("AiClient.stream reads the usage of a chunk with a finish_reason", async () => {
  const stream = textChunk("a") + chunk({ delta: {}, finish_reason: "stop" }, { usage }) + done;
  const { usage: read } = await ask(replying(stream));
  assertEquals(read, { inputTokens: 3, outputTokens: 4, cachedTokens: 2 });
});

Deno.test("AiClient.stream counts no tokens that are not whole and positive", async () => {
  for (const count of [-3, 1.5, "3", null, 2 ** 60]) {
    const usage = { prompt_tokens: count, completion_tokens: 4 };
    const answer = await ask(replying(
      textChunk("a") + chunk(
        { delta: {}, finish_reason: "stop" },
        { usage },
      ),
    ));
    assertEquals(answer.usage, { inputTokens: 0, outputTokens: 4, cachedTokens: 0 }, String(count));
  }
});

const nested = JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`);
const hugeAnswers: [name: string, delta: unknown, message: RegExp][] = [
  ["1,025 tool calls", {
    tool_calls: Array.from({ length: 1_025 }, (_, index) => ({ index, function: { name: "f" } })),
  }, /more than 1024 tools/],
  ["members that nest too deeply", { reasoning_details: nested }, /nests too deeply/],
  ["members of a call that nest too deeply", {
    tool_calls: [{ index: 0, id: "1", function: { name: "f" }, extra_content: nested }],
  }, /nests too deeply/],
];
for (const [name, delta, message] of hugeAnswers) {
  Deno.test(`AiClient.stream refuses ${name}`, async () => {
    const error = await failureOf(ask(replying(chunk({ delta }) + endChunk())));
    assertEquals(error.code, "ai_bad_response");
    assertMatch(error.message, message);
  });
}

Deno.test("AiClient.stream accepts a complete document from a server that does not stream", async () => {
  await using server = serve(() => Response.json({ choices: [{ message: { content: "Hello" } }] }));
  const pieces: string[] = [];
  for await (const { content } of clientOf(server.baseUrl).stream({ messages: [] })) {
    pieces.push(content);
  }
  assertEquals(pieces, ["Hello"]);
});

Deno.test("AiClient.chat accepts a stream of a server that always streams", async () => {
  await using server = serve(() => eventResponse(textChunk("Hello") + endChunk() + done));
  assertEquals((await clientOf(server.baseUrl).chat({ messages: [] })).text, "Hello");
});

Deno.test("AiClient.stream yields its final event before the body ends", async () => {
  await using server = serve(() => {
    // The body stays open after [DONE]; the client waits 100 ms for its end, then stops reading.
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(textChunk("Hello") + endChunk() + done)),
    });
    return eventResponse(body);
  });
  const waits: number[] = [];
  // On a busy machine even these two may be far apart, so one fast attempt is enough.
  while (waits.length < 20 && !waits.some((ms) => ms < 80)) {
    const times: number[] = [];
    for await (const _ of clientOf(server.baseUrl).stream({ messages: [] })) {
      times.push(performance.now());
    }
    waits.push((times.at(-1) ?? NaN) - (times[0] ?? NaN));
  }
  assert(Math.min(...waits) < 80, String(waits));
});

Deno.test("AiClient.stream returns reasoning apart from the text, for both member names", async () => {
  for (const name of ["reasoning_content", "reasoning"]) {
    const stream = chunk({ delta: { [name]: "Hm. " } }) + textChunk("Yes") + endChunk() + done;
    const answer = await ask(replying(stream));
    assertEquals([answer.reasoning, answer.text], ["Hm. ", "Yes"]);
  }
});

const fn = (name: string | undefined, args: unknown): object => ({ name, arguments: args });

const call = (name: string | undefined, args: unknown, place: object = {}): string =>
  chunk({ delta: { tool_calls: [{ ...place, function: fn(name, args) }] } });

const f = (args: unknown, place?: object): string => call("f", args, place);
const g = (args: unknown, place?: object): string => call("g", args, place);
const more = (args: unknown, place?: object): string => call(undefined, args, place);
const [first, second] = [{ index: 0, id: "a" }, { index: 1, id: "b" }];

const toolStreams: [name: string, stream: string, calls: string][] = [
  [
    "no index, by id",
    f('{"x"', { id: "a" }) + g("{}", { id: "b" }) +
    more(":1}", { id: "a" }),
    'f{"x":1} g{}',
  ],
  ["no index, no id", f('{"x"') + more(":1}") + g("{}"), 'f{"x":1} g{}'],
  ["one index for all", f("{}", first) + g("{}", { index: 0, id: "b" }), "f{} g{}"],
  ["one index, by name", f("{}", { index: 0 }) + g("{}", { index: 0 }), "f{} g{}"],
  [
    "one index and one id for all calls, distinguished by name",
    f('{"x"', first) + more(":1}", { index: 0 }) +
    g("{}", first),
    'f{"x":1} g{}',
  ],
  [
    "one index for all calls of the same tool",
    f('{"x":1}', { index: 0 }) + f('{"x":2}', { index: 0 }),
    'f{"x":1} f{"x":2}',
  ],
  [
    "one index for all calls of the same tool, in many fragments",
    f('{"x":"', { index: 0 }) + more("a", { index: 0 }).repeat(100) +
    more('"}', { index: 0 }) + f("{}", { index: 0 }),
    `f{"x":"${"a".repeat(100)}"} f{}`,
  ],
  [
    "one index and the name in every fragment",
    f('{"x":', { index: 0 }) + f('{"y":1}}', { index: 0 }) +
    f("", { index: 0 }),
    'f{"x":{"y":1}}',
  ],
  ["the name in every fragment", f('{"x"', first) + f(":1}", first), 'f{"x":1}'],
  ["one id, two names", f("{}", { id: "a" }) + g("{}", { id: "a" }), "f{} g{}"],
  [
    "a separate id for every fragment",
    f('{"x"', first) + more(":1}", { index: 0, id: "b" }),
    'f{"x":1}',
  ],
  [
    "one number, no id, and brackets in a string",
    f('{"x":"}', { index: 0 }) + f('{\\""}', { index: 0 }) +
    f("{}", { index: 0 }),
    'f{"x":"}{\\""} f{}',
  ],
  [
    "an empty object before the arguments",
    f("{}", first) + more('{"x"', { index: 0 }) +
    more(":1}", { index: 0 }),
    'f{"x":1}',
  ],
  ["numbers out of order", g("{}", second) + f("{}", first), "f{} g{}"],
  [
    "function_call",
    chunk({ delta: { function_call: fn("f", '{"x"') } }) +
    chunk({ delta: { function_call: fn(undefined, ":1}") } }),
    'f{"x":1}',
  ],
  ["arguments as an object", f({ x: 1 }, first), 'f{"x":1}'],
  [
    "tool_calls as one call",
    chunk({ delta: { tool_calls: { index: 0, id: "a", function: fn("f", "{}") } } }),
    "f{}",
  ],
  [
    "tool_calls as an object by number",
    chunk({
      delta: { tool_calls: { 0: { function: fn("f", "{}") }, 1: { function: fn("g", "{}") } } },
    }),
    "f{} g{}",
  ],
  [
    "tool_calls as one call of a whole message",
    chunk({ message: { tool_calls: { id: "a", function: fn("f", "{}") } } }),
    "f{}",
  ],
  ["arguments absent", f(undefined, first), "f{}"],
  ["a name of the prototype", call("__proto__", "{}", first), "__proto__{}"],
  [
    "a call that is nothing",
    chunk({ delta: { tool_calls: [null] } }) + f("{}", { index: 5, id: "a" }),
    "{} f{}",
  ],
];

for (const [name, stream, wanted] of toolStreams) {
  Deno.test(`AiClient.stream joins tool calls: ${name}`, async () => {
    const { toolCalls, finishReason } = await ask(replying(stream + endChunk("tool_calls") + done));
    assertEquals(toolCalls.map((each) => each.name + each.arguments).join(" "), wanted);
    assertEquals(finishReason, "tool_calls");
    assertEquals(new Set(toolCalls.map(({ id }) => id)).size, toolCalls.length);
  });
}

for (const [reason, wanted] of [["length", "f{} g"], ["safety", "f{} g"], ["stop", "f{} g{}"]]) {
  Deno.test(`AiClient.stream invents no arguments for a call cut off by ${reason}`, async () => {
    const stream = call("f", "", { index: 0, id: "a" }) + call("g", "", { index: 1, id: "b" });
    const { toolCalls } = await ask(replying(stream + endChunk(reason) + done));
    assertEquals(toolCalls.map((each) => each.name + each.arguments).join(" "), wanted);
  });
}

const repeated: Readonly<Record<string, (index: number) => Record<string, unknown>>> = {
  "beginnings of arguments": () => ({ index: 0, function: fn("f", `{"${"x".repeat(50)}":`) }),
  "members": (index) => ({ index: 0, id: "a", [`m${index}`]: "", function: fn("f", "") }),
  "nested members": (index) => ({ index: 0, id: "a", m: { [`m${index}`]: "" } }),
};
for (const [name, piece] of Object.entries(repeated)) {
  Deno.test(`CallFragments takes time linear in the number of ${name}`, () => {
    const fragments = new CallFragments();
    const startMs = cpuMs();
    for (let index = 0; index < 6_000; index++) fragments.add(piece(index));
    const spentMs = cpuMs() - startMs;
    assert(spentMs < 800 * measureSlowness(), `${spentMs} ms`);
  });
}

const chunks: Readonly<Record<string, Record<string, unknown>>> = {
  "pieces of text": { delta: { content: "ab" } },
  "pieces, each with a whole message": { delta: { content: "ab" }, message: { content: "a" } },
  "calls of whole messages": {
    message: { tool_calls: Array.from({ length: 1_000 }, () => ({ function: fn("f", "{}") })) },
  },
};
for (const [name, choice] of Object.entries(chunks)) {
  Deno.test(`ResponseBuilder takes time linear in the number of ${name}`, () => {
    const builder = new ResponseBuilder("m");
    const startMs = cpuMs();
    const count = name.startsWith("calls") ? 300 : 24_000;
    for (let index = 0; index < count; index++) builder.addChunk({ choices: [choice] });
    const spentMs = cpuMs() - startMs;
    assert(spentMs < 800 * measureSlowness(), `${spentMs} ms`);
  });
}

Deno.test("AiClient keeps the calls of a whole message separate, even if their ids are equal", async () => {
  const calls = ["f", "g", "f"].map((name) => ({ id: "a", function: fn(name, "{}") }));
  const fetch = () =>
    Promise.resolve(Response.json({ choices: [{ message: { tool_calls: calls } }] }));
  const { toolCalls } = await clientOf("http://localhost/v1", { fetch }).chat({ messages: [] });
  assertEquals(toolCalls.map(({ name }) => name), ["f", "g", "f"]);
  assertEquals(new Set(toolCalls.map(({ id }) => id)).size, 3);
});

const broken = "ai_broken_stream";
const hel = textChunk("Hel");

const errors: [name: string, stream: string, code: string, partial?: string][] = [
  ["an error in the middle", `${hel}data: {"error":{"message":"overloaded"}}\n\n`, broken, "Hel"],
  [
    "an error with a status",
    `${hel}data: {"error":{"message":"slow down","code":429}}\n\n`,
    "ai_rate_limited",
    "Hel",
  ],
  ...[
    ["overloaded_error", "ai_unavailable"],
    ["rate_limit_exceeded", "ai_rate_limited"],
    ["server_error", broken],
  ].map(([name = "", code = ""]): [string, string, string, string] => [
    `an error named ${name}`,
    `${hel}data: {"type":"error","error":{"type":"${name}","message":"x"}}\n\n`,
    code,
    "Hel",
  ]),
  ["an error as text", `data: {"error":"out of memory"}\n\n`, broken],
  ["an error known by its object", `data: {"object":"error","message":"x"}\n\n${done}`, broken],
  ["an error as detail", `data: {"detail":"x"}\n\n${done}`, broken],
  ["an error as message", `data: {"message":"x","code":400}\n\n${done}`, "ai_bad_request"],
  ["an error in a list", `data: [{"error":{"message":"x","code":429}}]\n\n`, "ai_rate_limited"],
  ["an event error", `${hel}event: error\ndata: {"x":1}\n\n${endChunk()}`, broken, "Hel"],
  ["an event error with text", `event: error\ndata: busy\n\n${endChunk()}`, broken],
  ["choice's error", chunk({ error: { message: "x", code: 502 } }) + endChunk(), "ai_unavailable"],
  ["an error known by its code", `${hel}data: {"code":503}\n\n${done}`, "ai_unavailable", "Hel"],
  ["an error recognized by a custom code", `data: {"code":"1302"}\n\n${endChunk()}`, broken],
  ["an error recognized by its type", `data: {"type":"server_error"}\n\n${endChunk()}`, broken],
  ["an error recognized by its status", `data: {"status":429}\n\n${endChunk()}`, "ai_rate_limited"],
  ["an error recognized by a status name", `data: {"status":"failed"}\n\n${endChunk()}`, broken],
  ["an error with success: false", `data: {"success":false}\n\n${endChunk()}`, broken],
  ["an error, no choices", `data: {"choices":[],"code":500}\n\n${endChunk()}`, "ai_unavailable"],
  ["error_code", `data: {"error_code":336003,"error_msg":"x"}\n\n${endChunk()}`, broken],
  ["error in a delta", chunk({ delta: { error: { message: "x", code: 503 } } }), "ai_unavailable"],
  ["an error in a message", chunk({ message: { error: "x" } }) + endChunk(), broken],
  ...["Error", "ERROR", "server_error", "response.error"].map((name): [string, string, string] => [
    `an event ${name}`,
    `event: ${name}\ndata: {"x":1}\n\n${endChunk()}`,
    broken,
  ]),
  ["finish_reason error", hel + endChunk("error") + done, broken, "Hel"],
  ["finish_reason network_error", hel + endChunk("network_error"), broken, "Hel"],
  ["finish_reason ERROR", hel + endChunk("ERROR"), broken, "Hel"],
  ["[DONE] alone", done, broken],
  ["text without a finish_reason", hel + done, broken, "Hel"],
  [
    "tool calls without a finish_reason",
    chunk({ delta: { tool_calls: [{ id: "a", function: { name: "f" } }] } }) + done,
    broken,
  ],
  ["garbage instead of an end", `${hel}data: Internal Server Error\n\n`, broken, "Hel"],
  ["an end in the middle", hel, broken, "Hel"],
  ["a chunk that is not JSON", `${hel}data: <html>\n\n`, "ai_bad_response", "Hel"],
  ["an end before the first chunk", ": hi\n\n", broken],
];

for (const [name, stream, code, partial = ""] of errors) {
  Deno.test(`AiClient.stream fails with ${code} for ${name}`, async () => {
    await using server = serve(() => eventResponse(stream));
    const error = await failureOf(ask(clientOf(server.baseUrl, { maxRetries: 0 })));
    assertEquals([error.code, error.partial, server.requests()], [code, partial, 1]);
  });
}

const documents: [name: string, body: unknown, code: string][] = [
  ["object error", { object: "error", message: "x" }, broken],
  ["detail", { detail: "Not Found" }, broken],
  ["error", { error: { message: "x", status: 503 } }, "ai_unavailable"],
  ["errors", { errors: [{ message: "x" }] }, broken],
  ["a code", { code: 429 }, "ai_rate_limited"],
  ["a type", { type: "invalid_request_error" }, broken],
  ["an error in a choice", { choices: [{ error: { message: "x" } }] }, broken],
  ["finish: error", { choices: [{ message: { content: "Hel" }, finish_reason: "error" }] }, broken],
  ["an empty message", { choices: [{ message: {} }] }, "ai_bad_response"],
  ["no choices", { choices: [] }, "ai_bad_response"],
];

for (const [name, body, code] of documents) {
  for (const isStream of [false, true]) {
    Deno.test(`AiClient fails with ${code} for a 200 with ${name}, ${isStream ? "streamed" : "whole"}`, async () => {
      const client = clientOf("http://localhost/v1", {
        fetch: () => Promise.resolve(Response.json(body)),
      });
      const asked = isStream ? ask(client) : client.chat({ messages: [] });
      assertEquals((await failureOf(asked)).code, code);
    });
  }
}

const plain = '{"choices":[{"message":{"content":"Hello"}}]}';
const bodies: [name: string, type: string | undefined, body: string][] = [
  ["a stream without a content type", undefined, whole],
  ["a stream as JSON", "application/json", whole],
  ["a text stream that starts with a comment", "text/plain", `: hi\n\n${hello}${endChunk()}`],
  ["a document as a stream", "text/event-stream", plain],
  ["a document as text", "text/plain", ` ${plain}`],
  ["a delayed document as a stream", "text/event-stream", `\n ${plain}`],
  ["a stream with a byte order mark", undefined, `\ufeff${hello}${endChunk()}`],
];

for (const [name, type, body] of bodies) {
  Deno.test(`AiClient.stream understands ${name}`, async () => {
    const headers = type === undefined ? {} : { "content-type": type };
    const bytes = new TextEncoder().encode(body);
    // As a whole, and byte by byte.
    for (const pieces of [[bytes], [...bytes].map((byte) => Uint8Array.of(byte))]) {
      const fetch = () => Promise.resolve(new Response(ReadableStream.from(pieces), { headers }));
      assertEquals((await ask(clientOf("http://localhost/v1", { fetch }))).text, "Hello");
    }
  });
}

const said: [name: string, body: unknown][] = [
  ["detail in a list", { detail: [{ loc: ["body"], msg: "words" }] }],
  ["an error in an error", { error: { error: { message: "words" } } }],
  ["a list around it", [{ error: { message: "words", code: 400 } }]],
  ["JSON as text", { error: { message: '{"error":{"message":"words"}}' } }],
  ["what gateways add", { error: { message: "Provider", metadata: { raw: '{"error":"words"}' } } }],
  ["errors", { errors: [{ message: "words" }] }],
];

for (const [name, body] of said) {
  Deno.test(`AiClient shows the server's error message: ${name}`, async () => {
    for (const status of [400, 200]) {
      const fetch = () => Promise.resolve(Response.json(body, { status }));
      const client = clientOf("http://localhost/v1", { fetch });
      const { message } = await failureOf(client.chat({ messages: [] }));
      assertMatch(message, /: (?:Provider: )?words$/);
    }
  });
}

Deno.test("parseError: an error without a text takes little time", () => {
  const startMs = cpuMs();
  for (const body of ["{}", '{"x":1}', '{"error":{"error":{}}}', '[{"errors":[{},{},{}]}]']) {
    for (let round = 0; round < 5; round++) assertEquals(parseError(body).message, "");
  }
  const spentMs = cpuMs() - startMs;
  assert(spentMs < 100 * measureSlowness(), `${spentMs} ms`);
});

Deno.test("AiClient quotes a body that is not JSON", async () => {
  for (
    const [body, quoted] of [
      [`${textChunk("a")}data: <html>502\n\n`, "<html>502"],
      [`${textChunk("a")}data: Bad Gateway\n\n`, "Bad Gateway"],
      ["<html>502", "<html>502"],
    ] as const
  ) {
    const error = await failureOf(ask(replying(body)));
    const partial = body.startsWith("data") ? "a" : "";
    assertEquals([error.message.includes(quoted), error.partial], [true, partial]);
  }
});

for (
  const [wanted, reasons] of [
    ["stop", ["stop", "STOP", "end_turn", "endTurn", "FINISH_REASON_STOP", "eos"]],
    ["length", ["MAX_TOKENS", "max-tokens", "maxTokens", "max_completion_tokens", "model_length"]],
    ["tool_calls", ["tool_use", "toolUse", "function_call"]],
    ["content_filter", ["SAFETY", "content_filter"]],
    ["other", ["constructor", "whatever"]],
  ] as const
) {
  Deno.test(`AiClient reads the finish reasons ${reasons.join(", ")} as ${wanted}`, async () => {
    for (const reason of reasons) {
      assertEquals((await ask(replying(textChunk("a") + endChunk(reason)))).finishReason, wanted);
    }
  });
}
