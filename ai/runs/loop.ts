import { type Agent, type AnyAgent, findAgent, type Offer, offerOf } from "../agent.ts";
import type { ChatModel, ChatRequest, ChatResponse } from "../chat.ts";
import { addUsage, collectUsage, type Usage } from "../usage.ts";
import { AiError } from "../errors.ts";
import { assistant, type Message, system, type ToolCall, toolResult, user } from "../message.ts";
import {
  findUnanswered,
  lastAgentName,
  matchDecisions,
  rejectionText,
  splitByApproval,
} from "./approval.ts";
import type {
  Decision,
  PendingCall,
  RunEvent,
  RunInput,
  RunOptions,
  RunResult,
  Step,
} from "./types.ts";
import {
  type CheckedRunOptions,
  maxToolCalls,
  parseCallArguments,
  runCalls,
  toolErrorText,
} from "./tool_calls.ts";

export interface RunRequest<T> {
  readonly client: ChatModel;
  readonly agent: Agent<T, never>;
  readonly input: RunInput;
  readonly options: RunOptions;
  readonly isStream: boolean;
}

interface RunPlan<T> extends Omit<RunRequest<T>, "options"> {
  readonly options: CheckedRunOptions;
  readonly signal: AbortSignal;
}

interface Transfer {
  readonly agent: AnyAgent;
  readonly callId: string;
}

export class RunLoop<T> {
  readonly #plan: RunPlan<T>;
  readonly #messages: Message[];
  readonly #steps: Step[] = [];
  #agent: AnyAgent;
  #usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  /** Messages to the model about an answer that did not match its schema; not part of the history. */
  #repair: readonly Message[] = [];

  constructor(plan: RunPlan<T>) {
    this.#plan = plan;
    this.#messages = [...plan.options.history];
    const name = lastAgentName(this.#messages);
    // A history may come from a browser, so a renamed or invented agent falls back to this one.
    this.#agent = (name === undefined ? undefined : findAgent(plan.agent, name)) ?? plan.agent;
  }

  async *events(): AsyncGenerator<RunEvent<T>> {
    try {
      const paused = yield* this.#begin();
      if (paused !== undefined) return yield { kind: "done", result: paused };
      for (let turn = 0; turn < this.#plan.options.maxTurns; turn++) {
        const result = yield* this.#turn();
        if (result !== undefined) return yield { kind: "done", result };
      }
      throw new AiError(
        "ai_max_turns",
        `The agent found no answer in ${this.#plan.options.maxTurns} turns: see maxTurns.`,
      );
    } catch (thrown) {
      const history = [...this.#messages];
      throw thrown instanceof AiError ? thrown.with({ history }) : thrown;
    }
  }

  /** Adds the input to the conversation, after running the calls that decisions approve. */
  async *#begin(): AsyncGenerator<RunEvent<T>, RunResult<T> | undefined> {
    const { input } = this.#plan;
    const unanswered = findUnanswered(this.#messages).calls;
    if (!isDecisions(input)) {
      // A new message instead of a decision approves nothing.
      for (const { id } of unanswered) this.#refuse(id, "The user did not approve this.");
      this.#messages.push(user(input));
      return undefined;
    }
    // A turn never leaves more calls, but a history from a browser may.
    if (unanswered.length > maxToolCalls) {
      const message = `The history has over ${maxToolCalls} waiting calls.`;
      throw new AiError("ai_bad_history", message);
    }
    const decisions = matchDecisions(input, unanswered);
    const approved: ToolCall[] = [];
    const open: ToolCall[] = [];
    for (const call of unanswered) {
      const decision = decisions.get(call.id);
      if (decision === undefined) open.push(call);
      else if (decision.approved) approved.push(call);
      else this.#answer(call.id, rejectionText(decision));
    }
    yield* this.#runTools(approved);
    return open.length === 0 ? undefined : this.#paused(open);
  }

  async *#turn(): AsyncGenerator<RunEvent<T>, RunResult<T> | undefined> {
    const agent = this.#agent;
    const offer = offerOf(agent);
    const response = yield* this.#ask(agent, offer);
    if (response === undefined) return undefined;
    this.#repair = [];
    this.#count(response.usage);
    this.#messages.push({ ...response.message, agent: agent.name });
    const { toolCalls } = response;
    if (toolCalls.length === 0) return this.#finished(response);
    const { calls, transfer } = this.#sort(toolCalls, offer);
    const { free, guarded } = await splitByApproval(calls, {
      offer,
      context: this.#plan.options.context,
    });
    yield* this.#runTools(free);
    if (guarded.length > 0) {
      // The agent that made the calls must stay active until they are decided.
      if (transfer !== undefined) this.#refuse(transfer.callId, "Other calls are waiting.");
      return this.#paused(guarded);
    }
    if (transfer === undefined) return undefined;
    const { name } = this.#agent = transfer.agent;
    this.#answer(transfer.callId, `The agent "${name}" takes over.`);
    yield { kind: "handoff", from: agent.name, to: name };
    return undefined;
  }

  /** Asks the model; `undefined` if its structured answer did not match and must be repeated. */
  async *#ask(
    agent: AnyAgent,
    offer: Offer,
  ): AsyncGenerator<RunEvent<T>, ChatResponse<unknown> | undefined> {
    const { client, isStream, signal, options } = this.#plan;
    const instructions = await instructionsOf(agent, options.context);
    const messages = [...instructions, ...this.#messages, ...this.#repair];
    const { output, model, temperature, maxTokens, extra } = agent;
    const own = { output, model, temperature, maxTokens, extra };
    const request: ChatRequest<unknown> = { messages, tools: offer.tools, ...own, signal };
    try {
      if (!isStream) return await client.chat(request);
      const stream = client.stream(request);
      for await (const { content } of stream) {
        if (content !== "") yield { kind: "text", agent: agent.name, text: content };
      }
      return await stream.response();
    } catch (error) {
      if (!(error instanceof AiError) || error.code !== "ai_bad_output") throw error;
      this.#count(error.usage);
      this.#repair = [
        assistant(error.partial),
        user(`${toolErrorText(error)} Answer with JSON only.`),
      ];
      return undefined;
    }
  }

  /** Separates hand-offs from tool calls, and refuses calls beyond the limits at once. */
  #sort(
    toolCalls: readonly ToolCall[],
    { handoffs }: Offer,
  ): { readonly calls: ToolCall[]; readonly transfer: Transfer | undefined } {
    const calls: ToolCall[] = [];
    let transfer: Transfer | undefined;
    for (const call of toolCalls) {
      const handoff = handoffs.get(call.name);
      if (handoff === undefined && calls.length >= maxToolCalls) {
        this.#refuse(call.id, `Too many calls at once: make at most ${maxToolCalls}.`);
      } else if (handoff === undefined) {
        calls.push(call);
      } else if (transfer === undefined) {
        transfer = { agent: handoff, callId: call.id };
      } else {
        this.#refuse(call.id, `The agent "${transfer.agent.name}" takes over already.`);
      }
    }
    return { calls, transfer };
  }

  async *#runTools(calls: readonly ToolCall[]): AsyncGenerator<RunEvent<T>> {
    if (calls.length === 0) return;
    const { options, signal, client } = this.#plan;
    const agent = this.#agent.name;
    for (const call of calls) {
      const { value } = parseCallArguments(call);
      yield { kind: "tool_call", agent, callId: call.id, tool: call.name, arguments: value };
    }
    const metrics = options.metrics ?? client.metrics;
    const round = { ...options, metrics, agent, offer: offerOf(this.#agent), signal };
    const steps = runCalls(calls, round);
    const start = (): ReturnType<typeof steps.next> =>
      collectUsage((usage) => this.#count(usage), () => steps.next());
    try {
      for (let next = await start(); !next.done; next = await steps.next()) {
        const step = next.value;
        this.#steps.push(step);
        this.#answer(step.callId, step.output);
        yield { kind: "tool_result", ...step };
      }
    } finally {
      await steps.return(undefined);
    }
  }

  #answer(callId: string, text: string): void {
    this.#messages.push(toolResult(callId, text));
  }

  #refuse(callId: string, text: string): void {
    this.#answer(callId, toolErrorText(text));
  }

  #count(usage: Usage | undefined): void {
    if (usage !== undefined) this.#usage = addUsage(this.#usage, usage);
  }

  #finished({ text, refusal, value, finishReason }: ChatResponse<unknown>): RunResult<T> {
    return {
      status: "done",
      output: text === "" ? refusal ?? "" : text,
      // After a hand-off the value matches another agent's schema, not the one that types this result.
      value: this.#agent.output === this.#plan.agent.output ? value as T | undefined : undefined,
      finishReason,
      pending: [],
      ...this.#state(),
    };
  }

  #paused(calls: readonly ToolCall[]): RunResult<T> {
    const last = this.#messages.findLast((message) => message.role === "assistant");
    const pending: PendingCall[] = calls.map((call) => ({
      callId: call.id,
      tool: call.name,
      arguments: parseCallArguments(call).value,
    }));
    return {
      status: "needs_approval",
      output: last?.content ?? "",
      value: undefined,
      pending,
      ...this.#state(),
    };
  }

  #state(): Pick<RunResult<T>, "agent" | "steps" | "messages" | "usage"> {
    return {
      agent: this.#agent.name,
      steps: [...this.#steps],
      messages: [...this.#messages],
      usage: this.#usage,
    };
  }
}

async function instructionsOf(
  { instructions }: AnyAgent,
  context: unknown,
): Promise<readonly Message[]> {
  // The compiler checked at `run` that the context fits the agent.
  const text = typeof instructions === "string"
    ? instructions
    : await instructions(context as never);
  return text === "" ? [] : [system(text)];
}

function isDecisions(input: RunInput): input is readonly Decision[] {
  if (typeof input === "string") return false;
  const [first] = input;
  return first === undefined || "callId" in first;
}
