import type { ChatRequest } from "./chat.ts";
import { encodeFormat } from "./http/request_body.ts";
import { checkToolName, checkTools, type Tool } from "./tool.ts";

/** The definition that {@link agent} takes. */
export interface AgentDefinition<T = undefined, Context = unknown>
  extends Pick<ChatRequest<T>, "output" | "model" | "temperature" | "maxTokens" | "extra"> {
  /** The name, for traces and hand-offs: 1 to 52 letters, digits, `_` and `-`. */
  readonly name: string;
  /** The agent's instructions, or a function that returns them for the `context` of each run. */
  readonly instructions: string | ((context: Context) => string | Promise<string>);
  /** Description of the agent's purpose for models that may hand over to it. @default none */
  readonly description?: string | undefined;
  /** Tools that the agent may call. @default none */
  readonly tools?: readonly Tool<Context>[] | undefined;
  /** The agents that this one may hand over to; use a function if they refer to each other. @default none */
  readonly handoffs?:
    | readonly Agent<unknown, Context>[]
    | (() => readonly Agent<unknown, Context>[])
    | undefined;
}

/** A model with instructions and tools. {@link agent} creates one. */
export interface Agent<T = undefined, Context = unknown>
  extends Readonly<AgentDefinition<T, Context>> {
  /** The tools, frozen. */
  readonly tools: readonly Tool<Context>[];
}

export type AnyAgent = Agent<unknown, never>;

export type AnyTool = Tool<never>;

export interface Offer {
  readonly tools: readonly AnyTool[];
  readonly byName: ReadonlyMap<string, AnyTool>;
  readonly handoffs: ReadonlyMap<string, AnyAgent>;
}

const handoffPrefix = "transfer_to_";

/** Maximum length of a name, so that its hand-off tool has a valid name. */
const maxNameChars = 64 - handoffPrefix.length;

/**
 * Defines an agent: a model with instructions, tools and agents that it may hand over to.
 *
 * @throws {TypeError} for an invalid name, duplicate tool names, and an `output` that does not describe an object.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { agent, run } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const helper = agent({ name: "helper", instructions: "Answer in one sentence." });
 * const result = await run(scriptedModel(["It opens at nine."]), helper, "When does it open?");
 * assertEquals(result.output, "It opens at nine.");
 * ```
 */
export function agent<T = undefined, Context = unknown>(
  definition: AgentDefinition<T, Context>,
): Agent<T, Context> {
  const { name, tools = [] } = definition;
  checkToolName(name, "agent");
  if (name.length > maxNameChars) {
    throw new TypeError(
      `Cannot name an agent "${name}": use at most ${maxNameChars} characters, because a hand-off's ` +
        `tool is named "${handoffPrefix}" and the name.`,
    );
  }
  // Encode at boot, so that an invalid schema fails early.
  if (definition.output !== undefined) encodeFormat(definition.output);
  checkTools(tools, `give the agent "${name}"`);
  return Object.freeze({ ...definition, tools: Object.freeze([...tools]) });
}

const offers: WeakMap<AnyAgent, Offer> = new WeakMap();

/** Returns the tools of an agent's model. @throws {TypeError} for a tool with the name of a hand-off. */
export function offerOf(agent: AnyAgent): Offer {
  const known = offers.get(agent);
  if (known !== undefined) return known;
  const byName = new Map(agent.tools.map((tool) => [tool.name, tool]));
  const handoffs = new Map<string, AnyAgent>();
  const offered: AnyTool[] = [...agent.tools];
  for (const target of handoffsOf(agent)) {
    const tool = handoffTool(target);
    if (byName.has(tool.name) || handoffs.has(tool.name)) {
      throw new TypeError(
        `Cannot let the agent "${agent.name}" hand over to "${target.name}": it has two tools named ` +
          `"${tool.name}".`,
      );
    }
    handoffs.set(tool.name, target);
    offered.push(tool);
  }
  const offer: Offer = { tools: Object.freeze(offered), byName, handoffs };
  offers.set(agent, offer);
  return offer;
}

export function findAgent(start: AnyAgent, name: string): AnyAgent | undefined {
  const reached = new Set<AnyAgent>([start]);
  for (const each of reached) {
    if (each.name === name) return each;
    for (const next of handoffsOf(each)) reached.add(next);
  }
  return undefined;
}

function handoffsOf({ handoffs = [] }: AnyAgent): readonly AnyAgent[] {
  return typeof handoffs === "function" ? handoffs() : handoffs;
}

function handoffTool({ name, description }: AnyAgent): Tool {
  const purpose = description === undefined ? "" : ` It is for: ${description}`;
  return {
    name: `${handoffPrefix}${name}`,
    description: `Hands the conversation over to the agent "${name}".${purpose}`,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    call: () => Promise.resolve(`The agent "${name}" takes over.`),
  };
}
