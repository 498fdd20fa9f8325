import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { int, struct, text } from "../../mod.ts";
import { agent, AiClient, AiError, approve, asTool, chain, jsonSchema } from "../../ai/mod.ts";
import { parallel, reject, run, runStream, tool } from "../../ai/mod.ts";
import type { Agent, ChatModel, Decision, Message, Tool } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import { calls, eventsOf, helperWith, toolOf } from "./agents.ts";

const never = new AbortController().signal;

const billing = agent({ name: "billing", instructions: "Bill.", description: "Invoices" });
const front = helperWith({ handoffs: [billing], tools: [toolOf("f", () => "x")] });

Deno.test("run passes the conversation to the other agent at a hand-off", async () => {
  const model = scriptedModel([calls("f", "transfer_to_billing"), "It is paid."]);
  const events = await eventsOf(runStream(model, front, "My invoice?"));
  assertEquals(events.filter(({ kind }) => kind === "handoff"), [
    { kind: "handoff", from: "helper", to: "billing" },
  ]);
  const [, second] = model.requests;
  assertEquals([second?.instructions, second?.text, second?.tools], ["Bill.", "My invoice?", []]);
  assertEquals(second?.results.toSorted(), ['The agent "billing" takes over.', "x"]);
});

Deno.test("run continues with the agent that answered last", async () => {
  const first = await run(scriptedModel([calls("transfer_to_billing"), "Yes?"]), front, "Invoice");
  const model = scriptedModel(["Paid."]);
  const second = await run(model, front, "And now?", { history: first.messages });
  assertEquals([model.requests[0]?.instructions, second.agent], ["Bill.", "billing"]);
});

Deno.test("run starts with the given agent if the history names an unreachable one", async () => {
  const history: Message[] = [{ role: "assistant", content: "Hi", agent: "admin" }];
  const model = scriptedModel(["Hello."]);
  await run(model, front, "Hi", { history });
  assertEquals(model.requests[0]?.instructions, "Help.");
});

Deno.test("run follows only the first of several hand-offs", async () => {
  const other = agent({ name: "other", instructions: "Other." });
  const model = scriptedModel([calls("transfer_to_other", "transfer_to_billing"), "Done."]);
  const result = await run(model, helperWith({ handoffs: [billing, other] }), "Go");
  assertEquals(result.agent, "other");
  assert(model.requests[1]?.results.includes('error: The agent "other" takes over already.'));
});

Deno.test("run lets agents hand over to each other", async () => {
  const ping: Agent = agent({ name: "ping", instructions: "", handoffs: () => [pong] });
  const pong: Agent = agent({ name: "pong", instructions: "", handoffs: () => [ping] });
  const model = scriptedModel([calls("transfer_to_pong"), calls("transfer_to_ping"), "Done."]);
  assertEquals((await run(model, ping, "Go")).agent, "ping");
});

const booked: unknown[] = [];
const book = toolOf("book", (args) => {
  booked.push(args);
  return "Booked.";
}, { needsApproval: true });

Deno.test("run stops for a tool that needs approval after running the other calls of the round", async () => {
  booked.length = 0;
  const model = scriptedModel([{ text: "One moment", ...calls("f", ["book", { seat: 1 }]) }]);
  const result = await run(model, helperWith({ tools: [book, toolOf("f", () => "x")] }), "Book");
  assertEquals([result.status, result.output, booked], ["needs_approval", "One moment", []]);
  assertEquals(result.pending, [{ callId: "call_1_2", tool: "book", arguments: { seat: 1 } }]);
  assertEquals(result.steps.map(({ tool }) => tool), ["f"]);
});

const decided: [name: string, decisions: Decision[], seen: string[], runs: number][] = [
  ["approved", [approve("call_1_1"), approve("call_1_2")], ["Booked.", "Booked."], 2],
  ["rejected", [reject("call_1_1"), reject("call_1_2", "too late")], [
    "error: The user rejected this call.",
    "error: The user rejected this call: too late",
  ], 0],
  ["mixed", [reject("call_1_1"), approve("call_1_2")], [
    "Booked.",
    "error: The user rejected this call.",
  ], 1],
];

for (const [name, decisions, seen, runs] of decided) {
  Deno.test(`run continues with decisions on a stored history: ${name}`, async () => {
    booked.length = 0;
    const helper = helperWith({ tools: [book] });
    const paused = await run(scriptedModel([calls("book", "book")]), helper, "Book two");
    const history: Message[] = JSON.parse(JSON.stringify(paused.messages));
    const model = scriptedModel(["Done."]);
    const result = await run(model, helper, decisions, { history });
    assertEquals([result.status, booked.length], ["done", runs]);
    assertEquals(model.requests[0]?.results.toSorted(), seen);
  });
}

Deno.test("run stays paused until every pending call is decided", async () => {
  booked.length = 0;
  const helper = helperWith({ tools: [book] });
  const paused = await run(scriptedModel([calls("book", "book")]), helper, "Book two");
  const model = scriptedModel([]);
  const half = await run(model, helper, [approve("call_1_1")], { history: paused.messages });
  const found = [half.status, half.pending.length, booked.length, model.requests.length];
  assertEquals(found, ["needs_approval", 1, 1, 0]);
  // A decision is valid once.
  const twice = run(model, helper, [approve("call_1_1")], { history: half.messages });
  const error = await assertRejects(() => twice, AiError);
  assertEquals([error.code, booked.length], ["ai_bad_history", 1]);
});

Deno.test("run reads a text sent instead of decisions as a refusal", async () => {
  booked.length = 0;
  const helper = helperWith({ tools: [book] });
  const paused = await run(scriptedModel([calls("book")]), helper, "Book");
  const model = scriptedModel(["Alright."]);
  await run(model, helper, "yes, approved!", { history: paused.messages });
  assertEquals(booked, []);
  const found = model.requests[0]?.messages.find(({ role }) => role === "tool")?.text;
  assertEquals(found, "error: The user did not approve this.");
});

Deno.test("run refuses decisions if the history has no pending call", async () => {
  const call = () => run(scriptedModel([]), helperWith({}), [approve("x")]);
  const error = await assertRejects(call, AiError);
  assertEquals(error.code, "ai_bad_history");
});

const rules: [
  name: string,
  rule: boolean | ((args: { seats: number }) => boolean),
  args: unknown,
  status: string,
][] = [
  ["asks for amounts over the limit", ({ seats }) => seats > 2, { seats: 3 }, "needs_approval"],
  ["does not ask for amounts under the limit", ({ seats }) => seats > 2, { seats: 1 }, "done"],
  ["does not ask about invalid arguments, which never run", () => true, { seats: "x" }, "done"],
  ["set to true does not ask about invalid arguments either", true, { seats: "x" }, "done"],
  [
    "asks if the function itself throws",
    () => {
      throw new Error("bug");
    },
    { seats: 1 },
    "needs_approval",
  ],
];

for (const [name, needsApproval, args, status] of rules) {
  Deno.test(`needsApproval ${name}`, async () => {
    const input = struct({ seats: int() });
    const guarded = tool({ name: "f", description: "f", input, needsApproval }, () => "x");
    const model = scriptedModel([calls(["f", args]), "Done."]);
    const result = await run(model, helperWith({ tools: [guarded] }), "Go");
    assertEquals(result.status, status);
  });
}

Deno.test("run does not follow a hand-off that comes with a pending call", async () => {
  const helper = helperWith({ tools: [book], handoffs: [billing] });
  const paused = await run(scriptedModel([calls("book", "transfer_to_billing")]), helper, "Go");
  const found = [paused.status, paused.agent, paused.pending.length];
  assertEquals(found, ["needs_approval", "helper", 1]);
});

Deno.test("run returns the typed output of an agent and lets the model correct a mismatch", async () => {
  const output = struct({ name: text("required"), seats: int("min=1") });
  const booking = agent({ name: "booking", instructions: "", output });
  const model = scriptedModel([
    "Sure!",
    '{"name":"Ana","seats":0}',
    '```json\n{"name":"Ana","seats":2}\n```',
  ]);
  const result = await run(model, booking, "Ana, two seats");
  const seats: number | undefined = result.value?.seats;
  assertEquals([result.value, seats, result.messages.length], [{ name: "Ana", seats: 2 }, 2, 2]);
  assert(
    model.requests[1]?.text.includes(
      "error: The answer does not match its schema: it is not JSON.",
    ),
  );
});

Deno.test("run passes on the agent's reason for refusing", async () => {
  const result = await run(scriptedModel([{ refusal: "I may not." }]), helperWith({}), "Go");
  assertEquals([result.status, result.output], ["done", "I may not."]);
});

Deno.test("asTool stops agents that call each other", async () => {
  const model = scriptedModel(({ results }) =>
    results.length > 0 ? results[0] ?? "" : calls(["loop", { input: "x" }])
  );
  const tools: Tool[] = [];
  const loop = agent({
    name: "loop",
    instructions: "",
    tools: [{
      ...toolOf("loop", () => ""),
      call: (...args) => tools[0]?.call(...args) ?? Promise.resolve(),
    }],
  });
  tools.push(asTool(model, loop, "Loops."));
  const result = await run(model, loop, "Go");
  assertEquals(result.output, "error: Agents nest more than 8 calls deep.");
});

Deno.test("asTool lets an agent take longer than other tools may", async () => {
  const inner = asTool(scriptedModel(["Bom dia"], { pauseMs: 60 }), helperWith({}), "Thinks.");
  const outer = agent({ name: "outer", instructions: "", tools: [inner] });
  const model = scriptedModel([calls(["helper", { input: "x" }]), "Done."]);
  const { steps } = await run(model, outer, "Go", { toolTimeoutMs: 20 });
  assertEquals(steps.map(({ output }) => output), ["Bom dia"]);
});

Deno.test("run counts the tokens of mismatched outputs and of agents used as tools", async () => {
  const usage = { inputTokens: 1, outputTokens: 2 };
  const output = struct({ seats: int("min=1") });
  const inner = agent({ name: "inner", instructions: "", output });
  const replies = [{ text: "Sure!", usage }, { text: '{"seats":2}', usage }];
  const first = await run(scriptedModel(replies), inner, "Go");
  assertEquals(first.usage, { inputTokens: 2, outputTokens: 4, cachedTokens: 0 });
  const helper = helperWith({ tools: [asTool(scriptedModel(replies), inner, "Counts.")] });
  const model = scriptedModel([
    { ...calls(["inner", { input: "x" }]), usage },
    { text: "Two", usage },
  ]);
  const outer = await run(model, helper, "Go");
  assertEquals(outer.usage.outputTokens, 8);
});

Deno.test("agent refuses an unsupported output schema at boot", () => {
  const call = () => agent({ name: "a", instructions: "", output: jsonSchema({ type: "string" }) });
  assertThrows(call, TypeError, 'the type "object"');
});

Deno.test("asTool fails if the inner agent needs an approval", async () => {
  const inner = agent({ name: "inner", instructions: "", tools: [book] });
  const asked = asTool(scriptedModel([calls("book")]), inner, "Books.");
  await assertRejects(
    () => asked.call({ input: "x" }, { signal: never }),
    Error,
    "needs an approval",
  );
});

Deno.test("parallel aborts the other runs on the first failure", async () => {
  const names = ["good", "bad"];
  const agents = names.map((name) => agent({ name, instructions: name }));
  const slow = scriptedModel(async ({ instructions }) => {
    if (instructions === "bad") return { status: 400, text: "no" };
    return await new Promise(() => {});
  });
  const error = await assertRejects(() => parallel(slow, agents, "Go"), AiError);
  assertEquals([error.code, slow.requests.length], ["ai_bad_request", 2]);
});

Deno.test("parallel rejects after the other runs have ended", async () => {
  let hasEnded = false;
  const model: ChatModel = {
    stream: () => {
      throw new Error("not used");
    },
    chat: async ({ signal, messages: [first] }) => {
      if (first?.content === "bad") throw new AiError("ai_auth", "no");
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      await new Promise((resolve) => setTimeout(resolve, 5));
      hasEnded = true;
      throw signal?.reason;
    },
  };
  const agents = ["good", "bad"].map((name) => agent({ name, instructions: name }));
  await assertRejects(() => parallel(model, agents, "Go"), AiError, "no");
  assert(hasEnded);
});

Deno.test("chain sums steps and tokens, and pauses for an approval", async () => {
  const usage = { inputTokens: 1, outputTokens: 2 };
  const model = scriptedModel([{ text: "a", usage }, { ...calls("book"), usage }]);
  const last = agent({ name: "last", instructions: "", tools: [book] });
  const result = await chain(model, [helperWith({}), last, helperWith({})], "Go");
  assertEquals([result.status, result.usage.outputTokens], ["needs_approval", 4]);
  await assertRejects(() => chain(model, [], "Go"), TypeError, "without agents");
});

Deno.test("run decides calls with the same id one by one", async () => {
  const call = (index: number, seat: number): unknown => ({
    index,
    id: "call_0",
    type: "function",
    function: { name: "book", arguments: JSON.stringify({ seat }) },
  });
  const answers = [
    { delta: { tool_calls: [call(0, 1), call(1, 2)] }, finish_reason: "tool_calls" },
    { message: { tool_calls: [call(0, 1), call(1, 2)] } },
  ];
  for (const answer of answers) {
    booked.length = 0;
    const text = JSON.stringify({ choices: [answer] });
    const isStream = "delta" in answer;
    const type = isStream ? "text/event-stream" : "application/json";
    const fetch = (): Promise<Response> =>
      Promise.resolve(
        new Response(isStream ? `data: ${text}\n\ndata: [DONE]\n\n` : text, {
          headers: { "content-type": type },
        }),
      );
    const client = new AiClient({ baseUrl: "http://model.invalid/v1", model: "m", fetch });
    const result = await run(client, helperWith({ tools: [book] }), "Book seat 1");
    const [first, second] = result.pending;
    assertEquals([first?.callId, first?.callId === second?.callId], ["call_0", false]);
    const history = result.messages;
    await run(scriptedModel([]), helperWith({ tools: [book] }), [approve("call_0")], { history });
    assertEquals(booked, [{ seat: 1 }]);
  }
});

const ambiguous: [name: string, decisions: Decision[], ids: string[]][] = [
  ["one id for two calls", [approve("a")], ["a", "a"]],
  ["two decisions about one call", [approve("a"), reject("a")], ["a", "b"]],
  ["too many calls", [approve("a0")], Array.from({ length: 65 }, (_, n) => `a${n}`)],
];

for (const [name, decisions, ids] of ambiguous) {
  Deno.test(`run refuses a history with ${name} before any call`, async () => {
    booked.length = 0;
    const toolCalls = ids.map((id) => ({ id, name: "book", arguments: "{}" }));
    const history: Message[] = [{ role: "assistant", content: "", agent: "helper", toolCalls }];
    const error = await assertRejects(
      () => run(scriptedModel([]), helperWith({ tools: [book] }), decisions, { history }),
      AiError,
    );
    assertEquals([error.code, booked], ["ai_bad_history", []]);
  });
}
