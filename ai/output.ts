import type { AnySchema } from "../mod.ts";
import { AiError } from "./errors.ts";
import type { PlainResponse } from "./http/response_body.ts";
import { validate } from "./schema/schema.ts";

/**
 * Parses and validates a structured answer.
 *
 * @returns `undefined` without a schema, and where the model calls tools instead of answering.
 * @throws {AiError} `ai_refused` for a refusal, `ai_bad_output` for what does not match.
 */
export async function readOutput<T>(
  output: AnySchema<T> | undefined,
  answer: PlainResponse,
): Promise<T | undefined> {
  if (output === undefined || answer.toolCalls.length > 0) return undefined;
  const { refusal, text } = answer;
  if (refusal !== undefined) {
    throw new AiError("ai_refused", `The model refused: ${refusal.slice(0, 500)}`);
  }
  const result = await validate(output, parseAnswer(answer));
  if (result.kind === "valid") return result.value;
  throw new AiError("ai_bad_output", `The answer does not match its schema: ${result.message}`, {
    partial: text,
  });
}

function parseAnswer({ text, finishReason }: PlainResponse): unknown {
  try {
    return JSON.parse(unfence(text));
  } catch (cause) {
    const why = finishReason === "length" ? "it was cut off at maxTokens" : "it is not JSON";
    throw new AiError("ai_bad_output", `The answer does not match its schema: ${why}.`, {
      partial: text,
      cause,
    });
  }
}

/** Models without enforced schemas like to wrap JSON in a Markdown fence. */
function unfence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```")) return trimmed;
  const start = trimmed.indexOf("\n");
  const end = trimmed.lastIndexOf("```");
  return start >= 0 && end > start ? trimmed.slice(start + 1, end) : trimmed;
}
