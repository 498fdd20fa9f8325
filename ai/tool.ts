import type { AnySchema, JsonSchema } from "../mod.ts";
import { noteStoreState } from "../runtime/addon.ts";
import { AiError } from "./errors.ts";
import { cutLine } from "./json.ts";
import { checkTimeout } from "./options.ts";
import { describeObject, validate, type Validated } from "./schema/schema.ts";

/** The context of every tool call. */
export interface ToolCallContext {
  /** Aborts when the run is aborted or the tool times out. */
  readonly signal: AbortSignal;
  /** The id that the model gave to this call; `undefined` outside of a run. */
  readonly callId?: string | undefined;
  /** The `context` that the application passes to `run`, such as the user or a database. */
  readonly context?: unknown;
}

/** The second argument of a tool's function; `run` requires the `Context` that the tool needs. */
export interface ToolContext<Context = unknown> extends ToolCallContext {
  /** The `context` of the run. */
  readonly context: Context;
}

/** A function that a model can call, created by {@link tool} or an MCP client and run with a `Context`. */
export interface Tool<Context = unknown> {
  /** Type-only marker of the `context` that the tool needs; has no value. */
  readonly "~context"?: ((context: Context) => void) | undefined;
  /** The name that the model uses: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** Description for the model: the tool's effect, and when to use it. */
  readonly description: string;
  /** JSON Schema of the arguments; its type is `object`. */
  readonly inputSchema: JsonSchema;
  /** Whether a person must approve a call before it runs, or a function that decides. @default false */
  readonly needsApproval?:
    | boolean
    | ((args: unknown, context?: unknown) => boolean | Promise<boolean>)
    | undefined;
  /** Timeout of one call, in milliseconds. @default the run's `toolTimeoutMs` */
  readonly timeoutMs?: number | undefined;
  /**
   * Validates the arguments and runs the function.
   *
   * @throws {AiError} `ai_bad_arguments`; errors of the function pass through.
   */
  call(args: unknown, context: ToolCallContext): Promise<unknown>;
}

/** The definition that {@link tool} takes. */
export interface ToolDefinition<Input, Context = unknown>
  extends Pick<Tool, "name" | "description" | "timeoutMs"> {
  /** Schema of the arguments: `struct`, Standard Schema with JSON Schema, or `jsonSchema`. @default no arguments */
  readonly input?: AnySchema<Input> | undefined;
  /** Whether a person must approve a call; a function decides by arguments and `context`. @default false */
  readonly needsApproval?:
    | boolean
    | ((args: Input, context: Context) => boolean | Promise<boolean>)
    | undefined;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

export function checkToolName(name: string, kind: "tool" | "agent"): void {
  if (typeof name === "string" && toolName.test(name)) return;
  throw new TypeError(
    `Cannot name the ${kind} "${cutLine(String(name))}": use 1 to 64 letters, digits, "_" and "-".`,
  );
}

/** Checks tool names. @throws {TypeError} for an invalid or duplicate name. */
export function checkTools(tools: readonly Tool<never>[], act: string): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    checkToolName(name, "tool");
    if (names.has(name)) {
      throw new TypeError(`Cannot ${act} two tools named "${name}": rename one.`);
    }
    names.add(name);
  }
}

/**
 * Defines a function that a model can call. The arguments are validated before the function runs; a mismatch
 * goes back to the model as text, and so does the message of a thrown error.
 *
 * @param fn Runs the tool. A returned string reaches the model as it is, anything else as JSON.
 * @throws {TypeError} or {RangeError} for an invalid name, schema or `timeoutMs`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct, text } from "@fw/fw";
 * import { tool } from "@fw/fw/ai";
 *
 * const weather = tool({
 *   name: "weather",
 *   description: "Returns the weather of a city.",
 *   input: struct({ city: text("required") }),
 * }, ({ city }) => `Sunny in ${city}`);
 *
 * const { signal } = new AbortController();
 * assertEquals(await weather.call({ city: "Lisboa" }, { signal }), "Sunny in Lisboa");
 * ```
 */
export function tool<Input = Record<string, never>, Context = unknown>(
  definition: ToolDefinition<Input, Context>,
  fn: (args: Input, context: ToolContext<Context>) => unknown,
): Tool<Context> {
  const { name, description, input, needsApproval, timeoutMs } = definition;
  checkToolName(name, "tool");
  if (timeoutMs !== undefined) checkTimeout(`timeoutMs of the tool "${name}"`, timeoutMs);
  return {
    name,
    description,
    inputSchema: describeInput(name, input),
    needsApproval: approvalRule(input, needsApproval),
    timeoutMs,
    call: async (args, context) => {
      const parsed = await readArguments({ name, input }, args);
      context.signal.throwIfAborted();
      // The compiler checked at `run` that the context fits the tool.
      return await fn(parsed, { ...context, context: context.context as Context });
    },
  };
}

export function noteApprovals(): void {
  noteStoreState("used approvals of tools", "once");
}

/** Returns the approval rule of a tool, which gets the unvalidated arguments. */
export function approvalRule<Input, Context>(
  input: AnySchema<Input> | undefined,
  rule: ToolDefinition<Input, Context>["needsApproval"] = false,
): NonNullable<Tool["needsApproval"]> {
  if (rule !== false) noteApprovals();
  if (rule === false || (rule === true && input === undefined)) return rule;
  return async (args, context) => {
    const result = await validateArguments(input, args);
    // Invalid arguments never reach the function, so they need no approval.
    return result.kind === "valid" &&
      (rule === true || await rule(result.value, context as Context));
  };
}

export async function readArguments<Input>(
  { name, input }: { readonly name: string; readonly input: AnySchema<Input> | undefined },
  args: unknown,
): Promise<Input> {
  const result = await validateArguments(input, args);
  if (result.kind === "valid") return result.value;
  throw new AiError(
    "ai_bad_arguments",
    `The arguments of "${name}" are invalid: ${result.message}`,
  );
}

async function validateArguments<Input>(
  input: AnySchema<Input> | undefined,
  args: unknown,
): Promise<Validated<Input>> {
  // Without a schema, `Input` is an empty object, so drop any members that a model sends.
  if (input === undefined) return { kind: "valid", value: {} as Input };
  return await validate(input, args ?? {});
}

export function describeInput(name: string, input: AnySchema | undefined): JsonSchema {
  if (input === undefined) return { type: "object", properties: {}, additionalProperties: false };
  return describeObject(input, `the input of the tool "${name}"`);
}
