import { AsyncLocalStorage } from "node:async_hooks";
import type { Agent } from "./agent.ts";
import type { ChatModel } from "./chat.ts";
import { addUsage, reportUsage } from "./usage.ts";
import { jsonSchema } from "./schema/schema.ts";
import { anySignal } from "./http/wait.ts";
import { runWith } from "./runs/run.ts";
import type { RunArguments, RunInput, RunOptions, RunResult } from "./runs/types.ts";
import { type Tool, tool, type ToolContext } from "./tool.ts";

const maxDepth = 8;

const depths: AsyncLocalStorage<number> = new AsyncLocalStorage();

/**
 * Turns an agent into a tool of another agent: the model passes it a task as text and gets the answer.
 * The tool is named after the agent, whose conversation stays separate.
 *
 * @param agent The agent; its tools must not need approval, because a call cannot wait for a person.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { agent, asTool, run } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const translator = agent({ name: "translator", instructions: "Translate to Portuguese." });
 * const helper = agent({
 *   name: "helper",
 *   instructions: "Help.",
 *   tools: [asTool(scriptedModel(["Bom dia"]), translator, "Translates a text.")],
 * });
 * const model = scriptedModel([
 *   { toolCalls: [{ name: "translator", arguments: { input: "Good morning" } }] },
 *   "It is: Bom dia",
 * ]);
 * assertEquals((await run(model, helper, "Translate: Good morning")).output, "It is: Bom dia");
 * ```
 */
export function asTool<Context = unknown>(
  client: ChatModel,
  agent: Agent<unknown, Context>,
  description: string,
  options: Omit<RunOptions, "history" | "signal" | "context"> = {},
): Tool<Context> {
  const input = jsonSchema<{ input: string }>({
    type: "object",
    properties: { input: { type: "string", description: "The task, with all it needs to know." } },
    required: ["input"],
    additionalProperties: false,
  });
  const call = async (
    { input }: { input: string },
    { signal, context }: ToolContext<Context>,
  ): Promise<string> => {
    const depth = depths.getStore() ?? 0;
    if (depth >= maxDepth) throw new Error(`Agents nest more than ${maxDepth} calls deep.`);
    const result = await depths.run(
      depth + 1,
      () => runWith({ client, agent, input, options: { ...options, signal, context } }),
    );
    reportUsage(result.usage);
    if (result.status === "done") return result.output;
    throw new Error(`The agent "${agent.name}" needs an approval, which a call cannot wait for.`);
  };
  // The timeouts of the models end a call; thinking takes longer than other tools may.
  return tool({ name: agent.name, description, input, timeoutMs: Infinity }, call);
}

/**
 * Runs several agents on one input concurrently. The first failure aborts the others.
 *
 * @returns The results in the order of the agents. It rejects with the first failure.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { agent, parallel } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const names = ["realist", "pessimist"];
 * const agents = names.map((name) => agent({ name, instructions: `You are a ${name}.` }));
 * const model = scriptedModel(({ instructions }) => instructions);
 * const results = await parallel(model, agents, "How is the weather?");
 * assertEquals(results.map(({ output }) => output), ["You are a realist.", "You are a pessimist."]);
 * ```
 */
export async function parallel<T = undefined, Context = unknown>(
  client: ChatModel,
  agents: readonly Agent<T, Context>[],
  input: RunInput,
  ...[options = {}]: RunArguments<Context>
): Promise<RunResult<T>[]> {
  const controller = new AbortController();
  options.signal?.throwIfAborted();
  const signal = anySignal(controller.signal, options.signal);
  const runs = agents.map((agent) =>
    runWith({ client, agent, input, options: { ...options, signal } })
  );
  try {
    return await Promise.all(runs);
  } catch (error) {
    controller.abort(error);
    await Promise.allSettled(runs);
    throw error;
  }
}

/**
 * Runs agents in sequence: the output of each is the input of the next, and only the first gets the history.
 *
 * @returns The last result, with the steps and tokens of all agents. An agent that needs an approval ends
 * the chain with its result, which `run` can resume.
 * @throws {TypeError} without agents.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { agent, chain } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const writer = agent({ name: "writer", instructions: "Write." });
 * const editor = agent({ name: "editor", instructions: "Shorten." });
 * const model = scriptedModel(({ text }) => `${text}!`);
 * assertEquals((await chain(model, [writer, editor], "Hello")).output, "Hello!!");
 * ```
 */
export async function chain<T = undefined, Context = unknown>(
  client: ChatModel,
  agents: readonly Agent<T, Context>[],
  input: RunInput,
  ...[options = {}]: RunArguments<Context>
): Promise<RunResult<T>> {
  const [first, ...rest] = agents;
  if (first === undefined) {
    throw new TypeError("Cannot run a chain without agents: use at least one.");
  }
  let result = await runWith({ client, agent: first, input, options });
  for (const agent of rest) {
    if (result.status !== "done") return result;
    const { steps, usage, output: input } = result;
    const next = await runWith({ client, agent, input, options: { ...options, history: [] } });
    result = { ...next, steps: [...steps, ...next.steps], usage: addUsage(usage, next.usage) };
  }
  return result;
}
