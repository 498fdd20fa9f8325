import type { ContentBlock, ResourceDetails, Role } from "../../protocol/content.ts";
import type { McpCall } from "../call.ts";
import { checkName } from "./tools.ts";

/** Context of a completion besides the typed text. */
export interface CompletionContext {
  /** The arguments that already have a value. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal;
}

/** Suggests values for the typed text, best first. */
export type Completer = (
  typed: string,
  context: CompletionContext,
) => readonly string[] | Promise<readonly string[]>;

/** An argument of a prompt. */
export interface PromptArgument extends Pick<ResourceDetails, "name" | "title" | "description"> {
  /** Whether the argument is required. @default false */
  readonly required?: boolean | undefined;
  /** Suggests values. @default none */
  readonly complete?: Completer | undefined;
}

/** One message of a prompt. */
export interface PromptMessage {
  /** Role of the author. */
  readonly role: Role;
  /** Content of the message; a string is text. */
  readonly content: string | ContentBlock;
}

/** The definition that {@link prompt} takes. */
export interface PromptDefinition extends Pick<ResourceDetails, "title" | "description" | "icons"> {
  /** The name that clients use: 1 to 128 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** The arguments. @default none */
  readonly arguments?: readonly PromptArgument[] | undefined;
}

/** The result of a prompt's function: one user message as a string, or several messages. */
export type PromptValue = string | readonly PromptMessage[];

/** A prompt that people choose. {@link prompt} creates it. */
export interface McpPrompt extends PromptDefinition {
  /** Creates the messages. */
  get(args: Readonly<Record<string, string>>, call: McpCall): PromptValue | Promise<PromptValue>;
}

/**
 * Defines a prompt that people choose in their client.
 *
 * @throws {TypeError} for a name that the protocol does not allow, and for arguments with equal or empty names.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { prompt } from "@fw/fw/mcp";
 *
 * const review = prompt(
 *   { name: "review", arguments: [{ name: "code", required: true }] },
 *   ({ code }) => `Review this code:\n${code}`,
 * );
 * assertEquals(review.name, "review");
 * ```
 */
export function prompt(definition: PromptDefinition, get: McpPrompt["get"]): McpPrompt {
  const { name, arguments: args = [] } = definition;
  checkName(name, "prompt");
  const names = new Set(["", ...args.map((each) => each.name)]);
  if (names.size <= args.length) {
    throw new TypeError(
      `Cannot define the prompt "${name}": each argument needs a name of its own.`,
    );
  }
  return { ...definition, get };
}
