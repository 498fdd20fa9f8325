import type { Agent } from "../agent.ts";
import type { ChatModel } from "../chat.ts";
import { anySignal, loopOver } from "../http/wait.ts";
import { RunLoop, type RunRequest } from "./loop.ts";
import { checkRunOptions } from "./tool_calls.ts";
import type { RunArguments, RunEvent, RunInput, RunResult } from "./types.ts";

/**
 * Runs an agent until it has an answer: asks the model, runs the tools that it calls, and asks again.
 * The tools of one round run in parallel. The error of a failed tool becomes text for the model.
 *
 * @param agent The agent that starts; hand-offs change it.
 * @returns The answer, or with the status `needs_approval` the calls that wait for a decision. It rejects
 * with an `AiError` whose `history` contains the conversation so far, and after an abort with the
 * signal's reason.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct, text } from "@fw/fw";
 * import { agent, approve, run, tool } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const book = tool({
 *   name: "book",
 *   description: "Books a seat.",
 *   input: struct({ event: text("required") }),
 *   needsApproval: true,
 * }, ({ event }) => `Booked: ${event}`);
 * const helper = agent({ name: "helper", instructions: "Help with events.", tools: [book] });
 * const model = scriptedModel([
 *   { toolCalls: [{ name: "book", arguments: { event: "Concert" } }] },
 *   "You have a seat.",
 * ]);
 *
 * const paused = await run(model, helper, "Book me a seat at the concert");
 * assertEquals(paused.status, "needs_approval");
 * const decisions = paused.pending.map(({ callId }) => approve(callId));
 * const result = await run(model, helper, decisions, { history: paused.messages });
 * assertEquals([result.status, result.output], ["done", "You have a seat."]);
 * ```
 */
export async function run<T = undefined, Context = unknown>(
  client: ChatModel,
  agent: Agent<T, Context>,
  input: RunInput,
  ...[options = {}]: RunArguments<Context>
): Promise<RunResult<T>> {
  return await runWith({ client, agent, input, options });
}

export async function runWith<T>(request: Omit<RunRequest<T>, "isStream">): Promise<RunResult<T>> {
  for await (const event of openRun({ ...request, isStream: false })) {
    if (event.kind === "done") return event.result;
  }
  throw unfinishedRun();
}

/**
 * Runs an agent as {@link run} does and yields its events. Leaving the loop early aborts the model and the
 * tools.
 *
 * @returns The events, which can be iterated over once; the last one is `done`. The run starts with the iteration.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { agent, runStream } from "@fw/fw/ai";
 * import { scriptedModel } from "@fw/fw/ai/testing";
 *
 * const helper = agent({ name: "helper", instructions: "Help." });
 * let text = "";
 * for await (const event of runStream(scriptedModel(["Good morning"]), helper, "Hi")) {
 *   if (event.kind === "text") text += event.text;
 * }
 * assertEquals(text, "Good morning");
 * ```
 */
export function runStream<T = undefined, Context = unknown>(
  client: ChatModel,
  agent: Agent<T, Context>,
  input: RunInput,
  ...[options = {}]: RunArguments<Context>
): AsyncIterable<RunEvent<T>> {
  return openRun({ client, agent, input, options, isStream: true });
}

export function unfinishedRun(): TypeError {
  return new TypeError('The event stream ended before its final event: pass all of "runStream".');
}

function openRun<T>({ options, ...rest }: RunRequest<T>): AsyncIterable<RunEvent<T>> {
  const checked = checkRunOptions(options);
  const controller = new AbortController();
  async function* events(): AsyncGenerator<RunEvent<T>> {
    options.signal?.throwIfAborted();
    const signal = anySignal(controller.signal, options.signal);
    const loop = new RunLoop({ ...rest, options: checked, signal });
    yield* loop.events();
  }
  let isStarted = false;
  return {
    [Symbol.asyncIterator]: () => {
      if (isStarted) throw new TypeError("Cannot iterate over a run twice: run the agent again.");
      isStarted = true;
      const reason = new DOMException("The run was left.", "AbortError");
      return loopOver(events(), () => controller.abort(reason));
    },
  };
}
