import { assertEquals } from "@std/assert";
import { bool, struct, text } from "../../mod.ts";
import { agent, approve, asTool, chain, parallel, run, runStream, tool } from "../../ai/mod.ts";
import type { ToolContext } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";

/** The context that an application passes to a run: the caller. */
interface Caller {
  readonly user: string;
  readonly isAdmin?: boolean;
}

const whoAmI = tool(
  { name: "who_am_i", description: "Says who asks." },
  (_, { context }: ToolContext<Caller>) => context.user,
);
const helper = agent({
  name: "helper",
  instructions: ({ user }: Caller) => `Help ${user}.`,
  tools: [whoAmI],
});
const script = () => scriptedModel([{ toolCalls: [{ name: "who_am_i" }] }, "done"]);
const context: Caller = { user: "Ada" };

Deno.test("run passes its context to tools, not to the model", async () => {
  const model = script();
  const result = await run(model, helper, "Who am I?", { context });
  assertEquals(result.steps.map(({ output }) => output), ["Ada"]);
  assertEquals(result.messages.filter(({ role }) => role === "system"), []);
});

Deno.test("run passes its context to the instructions of each agent that takes over", async () => {
  const seen: string[] = [];
  const second = agent({
    name: "second",
    instructions: ({ user }: Caller) => `Second, for ${user}.`,
  });
  const first = agent({
    name: "first",
    instructions: ({ user }: Caller) => `First, for ${user}.`,
    handoffs: [second],
  });
  const model = scriptedModel(({ instructions }) => {
    seen.push(instructions);
    return seen.length === 1 ? { toolCalls: [{ name: "transfer_to_second" }] } : "done";
  });
  await run(model, first, "Hi", { context });
  assertEquals(seen, ["First, for Ada.", "Second, for Ada."]);
});

Deno.test("run passes its context to needsApproval, before and after the approval", async () => {
  const remove = tool({
    name: "remove",
    description: "Removes an event.",
    input: struct({ event: text("required"), quiet: bool() }),
    needsApproval: ({ event }, { isAdmin = false }: Caller) => event === "fair" && !isAdmin,
  }, ({ event }, { context }) => `${context.user} removed ${event}`);
  const keeper = agent({ name: "keeper", instructions: "Keep.", tools: [remove] });
  const model = () =>
    scriptedModel([{ toolCalls: [{ name: "remove", arguments: { event: "fair" } }] }, "done"]);
  const admin = await run(model(), keeper, "Remove it", { context: { ...context, isAdmin: true } });
  assertEquals([admin.status, admin.steps[0]?.output], ["done", "Ada removed fair"]);
  const paused = await run(model(), keeper, "Remove it", { context });
  assertEquals(paused.status, "needs_approval");
  const decisions = paused.pending.map(({ callId }) => approve(callId));
  const history = paused.messages;
  const after = await run(scriptedModel(["done"]), keeper, decisions, { context, history });
  assertEquals(after.steps[0]?.output, "Ada removed fair");
});

Deno.test("runStream, asTool, parallel and chain pass the context on", async () => {
  const steps: string[] = [];
  for await (const event of runStream(script(), helper, "Who?", { context })) {
    if (event.kind === "tool_result") steps.push(event.output);
  }
  const outer = agent({
    name: "outer",
    instructions: "Ask.",
    tools: [asTool(
      scriptedModel(({ instructions }) => instructions),
      agent({ name: "inner", instructions: ({ user }: Caller) => `I serve ${user}` }),
      "Knows.",
    )],
  });
  const toolCalls = [{ name: "inner", arguments: { input: "?" } }];
  const asked = scriptedModel([{ toolCalls }, "done"]);
  steps.push((await run(asked, outer, "Who?", { context })).steps[0]?.output ?? "");
  const echo = scriptedModel(({ instructions }) => instructions);
  const named = agent({ name: "named", instructions: ({ user }: Caller) => user });
  steps.push(
    ...(await parallel(echo, [named, named], "Hi", { context })).map(({ output }) => output),
  );
  steps.push((await chain(echo, [named, named], "Hi", { context })).output);
  assertEquals(steps, ["Ada", "I serve Ada", "Ada", "Ada", "Ada"]);
});

Deno.test("run requires the context of its tools at compile time", () => {
  const plain = agent({ name: "plain", instructions: "Help." });
  // Never called: only the types matter.
  const calls = (): unknown[] => [
    run(script(), plain, "Hi"),
    run(script(), helper, "Hi", { context }),
    // @ts-expect-error the agent needs a context
    run(script(), helper, "Hi"),
    // @ts-expect-error the options have none
    run(script(), helper, "Hi", { maxTurns: 2 }),
    // @ts-expect-error it is of another type
    runStream(script(), helper, "Hi", { context: { user: 42 } }),
    // @ts-expect-error a chain needs it too
    chain(script(), [helper], "Hi"),
    // @ts-expect-error so does an agent that hands over to one which needs it
    run(script(), agent({ name: "desk", instructions: "Route.", handoffs: [helper] }), "Hi"),
  ];
  assertEquals(typeof calls, "function");
});
