import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { int, struct, text } from "../../mod.ts";
import { agent, AiError, jsonSchema, run, runStream, tool } from "../../ai/mod.ts";
import type { Message, RunInput, RunOptions, Tool } from "../../ai/mod.ts";
import { type Reply, scriptedModel } from "../../ai/testing.ts";
import { calls, eventsOf, helperWith, toolOf } from "./agents.ts";

/** Returns the tool results that the model gets in its second turn. */
async function resultsOf(
  tools: Tool[],
  reply: Reply,
  options: RunOptions = {},
): Promise<readonly string[]> {
  const model = scriptedModel([reply, "Done."]);
  await run(model, helperWith({ tools }), "Go", options);
  return model.requests[1]?.results ?? [];
}

Deno.test("run asks the model, runs the tools and asks again", async () => {
  const input = struct({ a: int(), b: int() });
  const add = tool({ name: "add", description: "Adds.", input }, ({ a, b }) => ({ sum: a + b }));
  const model = scriptedModel([calls(["add", { a: 1, b: 2 }]), "It is 3."]);
  const result = await run(model, helperWith({ tools: [add] }), "1 + 2?");
  assertEquals([result.status, result.output, result.agent], ["done", "It is 3.", "helper"]);
  assertEquals(result.steps.map(({ durationMs: _, ...step }) => step), [{
    agent: "helper",
    callId: "call_1_1",
    tool: "add",
    arguments: { a: 1, b: 2 },
    output: '{"sum":3}',
    isError: false,
  }]);
  assertEquals(result.messages.map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
  assertEquals(model.requests.map(({ instructions }) => instructions), ["Help.", "Help."]);
  assert(result.usage.inputTokens > 0 && result.usage.outputTokens > 0);
});

const results: [name: string, fn: () => unknown, wanted: string][] = [
  ["a text", () => "text", "text"],
  ["an object", () => ({ a: [1] }), '{"a":[1]}'],
  ["nothing", () => undefined, ""],
  ["null", () => null, "null"],
  ["a bigint", () => ({ a: 1n }), '{"a":"1"}'],
  ["a promise", () => Promise.resolve("later"), "later"],
  ["an error", () => Promise.reject(new Error("no seat")), "error: no seat"],
  ["a synchronous error", () => {
    throw new TypeError("no seat");
  }, "error: no seat"],
  ["a thrown string", () => Promise.reject("no seat"), "error: no seat"],
  ["an error without a message", () => Promise.reject(new Error()), "error: the tool failed"],
  ["a thrown value without text", () => Promise.reject(Object.create(null)), "error: {}"],
  [
    "an error whose message is not a string",
    () => Promise.reject(Object.assign(new Error("x"), { message: undefined })),
    "error: the tool failed",
  ],
  ["a circle", () => {
    const a: unknown[] = [];
    a.push(a);
    return a;
  }, "error: Converting circular"],
  ["a symbol", () => Symbol("x"), "Symbol(x)"],
];

for (const [name, fn, wanted] of results) {
  Deno.test(`run tells the model the result of a tool: ${name}`, async () => {
    const [seen = "none"] = await resultsOf([toolOf("f", fn)], calls("f"));
    assertEquals(seen.slice(0, wanted.length || undefined), wanted);
  });
}

const city = tool(
  { name: "f", description: "f", input: struct({ city: text("required") }) },
  ({ city }) => city,
);
const noTool = 'error: There is no tool "';

const wrong: [name: string, reply: Reply, wanted: string][] = [
  ["a missing field", calls(["f", {}]), 'error: The arguments of "f" are invalid: city:'],
  [
    "an unknown field",
    calls(["f", { city: "a", x: 1 }]),
    'error: The arguments of "f" are invalid: x: Unknown field',
  ],
  ["a list", calls(["f", [1]]), 'error: The arguments of "f" are invalid: Expected an object'],
  ["invalid JSON", calls(["f", '{"city":']), 'error: The arguments of "f" are not JSON.'],
  ["a tool that does not exist", calls("g"), `${noTool}g". There is: f.`],
  ["a tool without a name", calls(""), `${noTool}". There is: f.`],
  ["__proto__ as a tool", calls("__proto__"), `${noTool}__proto__".`],
  ["a tool called constructor", calls("constructor"), `${noTool}constructor".`],
  ["toString as a tool", calls("toString"), `${noTool}toString".`],
  ["a name of 1 MB", calls("x".repeat(1 << 20)), `${noTool}${"x".repeat(80)}…". There is: f.`],
];

for (const [name, reply, wanted] of wrong) {
  Deno.test(`run tells the model the mistake: ${name}`, async () => {
    const [seen = "none"] = await resultsOf([city], reply);
    assertEquals(seen.slice(0, wanted.length), wanted);
    assert(seen.length < 1000);
  });
}

Deno.test("run truncates a tool name of a megabyte in the history", async () => {
  const model = scriptedModel([calls("x".repeat(1 << 20)), "Done."]);
  const result = await run(model, helperWith({}), "Go");
  assert(JSON.stringify(result.messages).length < 10_000);
});

Deno.test("run passes arguments with prototype names as plain data", async () => {
  const seen: unknown[] = [];
  const any = toolOf("f", (args) => void seen.push(Object.keys(args), Object.getPrototypeOf(args)));
  await resultsOf([any], calls(["f", '{"__proto__":{"polluted":true},"constructor":1}']));
  assertEquals(seen, [["__proto__", "constructor"], Object.prototype]);
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

for (const [maxTurns, turns] of [[20, 20], [undefined, 10]] as const) {
  Deno.test(`run ends with ai_max_turns and the history after ${turns} calls of a missing tool`, async () => {
    const model = scriptedModel(() => calls("missing"));
    const call = () => run(model, helperWith({}), "Go", maxTurns === undefined ? {} : { maxTurns });
    const { code, history } = await assertRejects(call, AiError, `${turns} turns`);
    assertEquals([code, model.requests.length, history.length], [
      "ai_max_turns",
      turns,
      2 * turns + 1,
    ]);
  });
}

Deno.test("run continues a stored history turn by turn, with the members of the agent's requests", async () => {
  let ran = 0;
  const helper = helperWith({
    tools: [toolOf("f", () => ++ran)],
    extra: { reasoning_effort: "low" },
  });
  const model = scriptedModel([calls("f"), calls("f"), "Done."]);
  const turn = (input: RunInput, history: readonly Message[]) =>
    run(model, helper, input, { history: JSON.parse(JSON.stringify(history)), maxTurns: 1 });
  const first = await assertRejects(() => turn("Go", []), AiError);
  const second = await assertRejects(() => turn([], first.history), AiError);
  const { output } = await turn([], second.history);
  assertEquals([output, ran, model.requests[2]?.messages.length], ["Done.", 2, 6]);
  assertEquals(model.requests[0]?.body.reasoning_effort, "low");
});

Deno.test("run replies to a thousand calls in one round and runs the first 64", async () => {
  let runs = 0;
  const one = toolOf("f", () => ++runs);
  const seen = await resultsOf([one], calls(...Array(1000).fill("f")));
  const refused = seen.filter((text) => text.startsWith("error: Too many calls at once"));
  assertEquals([seen.length, runs, refused.length], [1000, 64, 936]);
});

Deno.test("run runs the tools of a round in parallel, up to a limit", async () => {
  let running = 0;
  let most = 0;
  const slow = toolOf("f", async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running--;
  });
  await resultsOf([slow], calls(...Array(20).fill("f")));
  assertEquals(most, 8);
});

Deno.test("run starts no waiting tool after an abort", async () => {
  const controller = new AbortController();
  let started = 0;
  const slow = {
    ...toolOf("f", () => {}),
    call: () => {
      if (++started === 8) controller.abort(new Error("enough"));
      return new Promise(() => {});
    },
  };
  const model = scriptedModel([calls(...Array(20).fill("f"))]);
  const { signal } = controller;
  await assertRejects(() => run(model, helperWith({ tools: [slow] }), "Go", { signal }), "enough");
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(started, 8);
});

Deno.test("a tool does not run if its run is aborted while the arguments are checked", async () => {
  const controller = new AbortController();
  const validate = (value: unknown) => {
    controller.abort(new Error("enough"));
    return Promise.resolve({ value });
  };
  const input = jsonSchema({ type: "object" });
  const late = { ...input, "~standard": { ...input["~standard"], validate } };
  let ran = false;
  const slow = tool({ name: "f", description: "", input: late }, () => ran = true);
  await assertRejects(() => slow.call({}, { signal: controller.signal }), "enough");
  assert(!ran);
});

Deno.test("run aborts a tool at its timeout", async () => {
  let reason: unknown;
  const stuck = tool({ name: "f", description: "f", timeoutMs: 20 }, (_, { signal }) => {
    signal.addEventListener("abort", () => reason = signal.reason);
    return new Promise(() => {});
  });
  assertEquals(await resultsOf([stuck], calls("f")), ["error: The tool took longer than 20 ms."]);
  assertEquals((reason as Error).name, "TimeoutError");
});

Deno.test("run truncates long results and long errors", async () => {
  const long = toolOf("f", () => "x".repeat(500));
  assertEquals(await resultsOf([long], calls("f"), { maxResultChars: 10 }), [
    "xxxxxxxxxx\n[cut off after 10 characters]",
  ]);
  const failing = toolOf("f", () => Promise.reject(new Error("x".repeat(100_000))));
  assert((await resultsOf([failing], calls("f")))[0]?.length === 2_039);
});

Deno.test("run removes lone surrogates from results and errors for the model", async () => {
  const cases: [work: () => string, maxResultChars: number, result: string][] = [
    [() => `x${"😀".repeat(60)}`, 100, `x${"😀".repeat(49)}\n[cut off after 100 characters]`],
    [() => "cut before: \ud83d", 100, "cut before: \ufffd"],
    [
      () => {
        throw new Error(`x${"😀".repeat(1_000)}`);
      },
      100,
      `error: x${"😀".repeat(999)}\n[cut off after 2000 characters]`,
    ],
  ];
  for (const [work, maxResultChars, result] of cases) {
    assertEquals(await resultsOf([toolOf("f", work)], calls("f"), { maxResultChars }), [result]);
  }
});

Deno.test("run stops the model and the tools on an abort, and rejects with its reason", async () => {
  const reason = new Error("enough");
  let toolReason: unknown;
  const controller = new AbortController();
  const stuck = tool({ name: "f", description: "f" }, (_, { signal }) => {
    signal.addEventListener("abort", () => toolReason = signal.reason);
    setTimeout(() => controller.abort(reason), 10);
    return new Promise(() => {});
  });
  const promise = run(scriptedModel([calls("f")]), helperWith({ tools: [stuck] }), "Go", {
    signal: controller.signal,
  });
  assertEquals([await assertRejects(() => promise), toolReason], [reason, reason]);
  const slow = scriptedModel(["never"], { pauseMs: 60_000 });
  const signal = AbortSignal.timeout(20);
  const late = await assertRejects(() => run(slow, helperWith({}), "Go", { signal }), DOMException);
  assertEquals(late.name, "TimeoutError");
});

Deno.test("runStream yields events in the order in which they happen", async () => {
  const model = scriptedModel([{ text: "Looking", ...calls("f") }, "Done."]);
  const events = await eventsOf(
    runStream(model, helperWith({ tools: [toolOf("f", () => "x")] }), "Go"),
  );
  const found = events.map(({ kind }) => kind);
  assertEquals(found, ["text", "tool_call", "tool_result", "text", "done"]);
  const last = events.at(-1);
  const seen = last?.kind === "done" && [last.result.status, last.result.output];
  assertEquals(seen, ["done", "Done."]);
});

Deno.test("runStream yields fast tools before slow ones; the history keeps all", async () => {
  const seen = Promise.withResolvers<string>();
  const tools = [toolOf("slow", () => seen.promise), toolOf("fast", () => "fast")];
  const model = scriptedModel([calls("slow", "fast"), "Done."]);
  const order: unknown[] = [];
  for await (const event of runStream(model, helperWith({ tools }), "Go")) {
    if (event.kind === "tool_result") order.push(event.output);
    if (order.length > 0) seen.resolve("slow");
  }
  assertEquals(order, ["fast", "slow"]);
});

Deno.test("leaving the loop of runStream aborts the model and the tools", async () => {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const stuck = tool({ name: "f", description: "f" }, (_, { signal }) => {
    started.resolve();
    signal.addEventListener("abort", () => aborted.resolve());
    return new Promise(() => {});
  });
  const stream = runStream(scriptedModel([calls("f")]), helperWith({ tools: [stuck] }), "Go");
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.next();
  const pending = iterator.next();
  await started.promise;
  await iterator.return?.();
  await assertRejects(() => pending);
  await aborted.promise;
});

Deno.test("leaving the loop of runStream before a tool starts prevents the tool", async () => {
  let runs = 0;
  const model = scriptedModel([calls("f")]);
  const helper = helperWith({ tools: [toolOf("f", () => ++runs)] });
  for await (const event of runStream(model, helper, "Go")) {
    if (event.kind === "tool_call") break;
  }
  const iterator = runStream(model, helper, "Go")[Symbol.asyncIterator]();
  await iterator.next().catch(() => {});
  await iterator.return?.();
  assertEquals(runs, 0);
});

Deno.test("run finds one of ten thousand tools by name", async () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => toolOf(`tool_${index}`, () => index));
  const model = scriptedModel([calls("tool_9999"), calls("tool_0"), "Done."]);
  const result = await run(model, helperWith({ tools }), "Go");
  assertEquals(result.steps.map(({ output }) => output), ["9999", "0"]);
  assertEquals(model.requests[2]?.tools.length, 10_000);
});

const circular: Record<string, unknown> = { type: "object" };
circular.properties = { self: circular };

const refused: [name: string, make: () => unknown, message: string][] = [
  ["a tool name with a space", () => toolOf("a b", () => 1), 'Cannot name the tool "a b"'],
  ["a tool name of a megabyte", () => toolOf("x".repeat(1 << 20), () => 1), `"${"x".repeat(80)}…"`],
  ["an empty tool name", () => toolOf("", () => 1), 'Cannot name the tool ""'],
  [
    "a string as the schema",
    () => tool({ name: "f", description: "", input: jsonSchema({ type: "string" }) }, () => 1),
    'the type "object"',
  ],
  ["a schema that references itself", () => jsonSchema(circular), "circular"],
  ["a bad pattern", () => jsonSchema({ type: "string", pattern: "(" }), "not a regular expression"],
  ["a timeout of 0", () => toolOf("f", () => 1, { timeoutMs: 0 }), "timeoutMs"],
  ["a dotted name", () => agent({ name: "a.b", instructions: "" }), 'Cannot name the agent "a.b"'],
  ["a long name", () => agent({ name: "a".repeat(53), instructions: "" }), "at most 52"],
  [
    "two tools with one name",
    () => helperWith({ tools: [toolOf("f", () => 1), toolOf("f", () => 2)] }),
    'two tools named "f"',
  ],
];

for (const [name, make, message] of refused) {
  Deno.test(`agent and tool refuse ${name}`, () => {
    const error = assertThrows(make, Error, message);
    assert(error.message.length < 400);
  });
}

Deno.test("run refuses a tool named like a hand-off, and numbers out of range", async () => {
  const billing = agent({ name: "billing", instructions: "Bill." });
  const both = helperWith({ tools: [toolOf("transfer_to_billing", () => 1)], handoffs: [billing] });
  await assertRejects(() => run(scriptedModel([]), both, "Go"), TypeError, "transfer_to_billing");
  for (const options of [{ maxTurns: 0 }, { maxResultChars: 1.5 }, { toolTimeoutMs: -1 }]) {
    await assertRejects(() => run(scriptedModel([]), helperWith({}), "Go", options), RangeError);
  }
});
