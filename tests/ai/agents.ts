/** Agents, tools and replies for the suites of runs. */
import { agent, jsonSchema, tool } from "../../ai/mod.ts";
import type { Agent, AgentDefinition, RunEvent, Tool } from "../../ai/mod.ts";
import type { Reply } from "../../ai/testing.ts";

export function toolOf(
  name: string,
  fn: (args: Record<string, unknown>) => unknown,
  rest: object = {},
): Tool {
  return tool({ name, description: name, input: jsonSchema({ type: "object" }), ...rest }, fn);
}

export function calls(...names: (string | [name: string, args: unknown])[]): Reply {
  return {
    toolCalls: names.map((each) =>
      typeof each === "string" ? { name: each } : { name: each[0], arguments: each[1] }
    ),
  };
}

export function helperWith(rest: Partial<AgentDefinition>): Agent {
  return agent({ name: "helper", instructions: "Help.", ...rest });
}

export async function eventsOf<T>(events: AsyncIterable<RunEvent<T>>): Promise<RunEvent<T>[]> {
  return await Array.fromAsync(events);
}
