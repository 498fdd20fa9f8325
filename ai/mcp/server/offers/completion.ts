import type { RpcParams } from "../../protocol/messages.ts";

/** Context of a completion beside the typed text. */
export interface CompletionContext {
  /** The arguments that have a value already. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Aborts when the client no longer waits. */
  readonly signal: AbortSignal;
}

/** Suggests values for what was typed so far, the best first. */
export type Completer = (
  typed: string,
  context: CompletionContext,
) => readonly string[] | Promise<readonly string[]>;

const maxValues = 100;

export function completionResult(values: readonly string[]): RpcParams {
  const shown = values.slice(0, maxValues);
  const hasMore = shown.length < values.length;
  return { completion: { values: shown, total: values.length, hasMore } };
}
