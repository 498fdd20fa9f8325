import { isJsonObject, toJsonText } from "../../../json.ts";
import { type ContentBlock, isContent, textContent } from "../../protocol/content.ts";
import type { RpcParams } from "../../protocol/messages.ts";

export interface CallOutcome {
  readonly content: readonly ContentBlock[];
  readonly structured: unknown;
  readonly isError: boolean;
  readonly meta: RpcParams | undefined;
}

/** The parts of a {@link toolResult}. */
export interface ToolResultParts {
  /** Content for the model. @default the structured value as JSON */
  readonly content?: string | ContentBlock | readonly ContentBlock[];
  /** Content for programs; it must match the tool's `output`. @default none */
  readonly structured?: unknown;
  /** Whether the call failed in a way that the model can correct. @default false */
  readonly isError?: boolean;
  /** The member `_meta` of the result, for the client and not for the model. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A result whose parts were named; {@link toolResult} creates it. */
export class ToolResult {
  /** The parts. */
  readonly parts: ToolResultParts;

  /** Made by {@link toolResult}. */
  constructor(parts: ToolResultParts) {
    this.parts = parts;
  }
}

/**
 * Returns a result of a tool with its parts named: content beside a structured value, an error that the
 * model can correct, metadata for the client.
 *
 * @param parts The parts.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { toolResult } from "@fw/fw/mcp";
 *
 * const result = toolResult({ content: "No such city", isError: true });
 * assertEquals(result.parts.isError, true);
 * ```
 */
export function toolResult(parts: ToolResultParts): ToolResult {
  return new ToolResult(parts);
}

export function toOutcome(value: unknown, hasOutput: boolean): CallOutcome {
  if (value instanceof ToolResult) return fromParts(value.parts);
  if (hasOutput) return fromParts({ structured: value ?? null });
  if (value === undefined || value === null) return fromParts({ content: [] });
  if (typeof value === "string") return fromParts({ content: value });
  if (isOnlyContent(value)) return fromParts({ content: value });
  if (Array.isArray(value) && value.length > 0 && value.every(isOnlyContent)) {
    return fromParts({ content: value });
  }
  return fromParts(isJsonObject(value) ? { structured: value } : { content: toJsonText(value) });
}

export function failedOutcome(message: string): CallOutcome {
  return fromParts({ content: message, isError: true });
}

function fromParts(parts: ToolResultParts): CallOutcome {
  const { content, structured, isError = false, meta } = parts;
  return { content: blocksOf(content, structured), structured, isError, meta };
}

function blocksOf(
  content: ToolResultParts["content"],
  structured: unknown,
): readonly ContentBlock[] {
  if (typeof content === "string") return [textContent(content)];
  if (content !== undefined) return isContent(content) ? [content] : content;
  // Clients that know no structured values read the text.
  return structured === undefined ? [] : [textContent(toJsonText(structured))];
}

const common = ["type", "annotations", "_meta"];

/** The members of content by its type: a record of the application may have one of the types by chance. */
const members: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ["text", new Set([...common, "text"])],
  ["image", new Set([...common, "data", "mimeType"])],
  ["audio", new Set([...common, "data", "mimeType"])],
  ["resource", new Set([...common, "resource"])],
  [
    "resource_link",
    new Set([...common, "uri", "name", "title", "description", "mimeType", "size", "icons"]),
  ],
]);

function isOnlyContent(value: unknown): value is ContentBlock {
  if (!isContent(value)) return false;
  const known = members.get(value.type);
  return Object.keys(value).every((member) => known?.has(member));
}
