/** A run of two agents and a tool, for the test of its trace. */
import { agent, run, runStream, tool } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";

const failing = tool({ name: "look", description: "Looks." }, () => {
  throw new TypeError("nothing there");
});
const second = agent({ name: "second", instructions: "" });
const first = agent({ name: "first", instructions: "", tools: [failing], handoffs: [second] });
const script = [
  { toolCalls: [{ name: "look", id: "call_1" }], usage: { inputTokens: 5, outputTokens: 2 } },
  { toolCalls: [{ name: "transfer_to_second" }] },
  "A secret answer",
];
await run(scriptedModel(script), first, "A secret question");
for await (const _ of runStream(scriptedModel(script), first, "A secret question")) {
  // Only the trace is of interest.
}
await run(scriptedModel([{ status: 401 }]), first, "Hi").catch(() => {});
