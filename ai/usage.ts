import { AsyncLocalStorage } from "node:async_hooks";

/** Token counts of a call, as reported by the server. */
export interface Usage {
  /** Tokens of the conversation and the tools. */
  readonly inputTokens: number;
  /** Tokens that the model wrote, hidden reasoning included. */
  readonly outputTokens: number;
  /** Input tokens from the server's cache, included in `inputTokens`. */
  readonly cachedTokens: number;
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
  };
}

const collectors: AsyncLocalStorage<(usage: Usage) => void> = new AsyncLocalStorage();

export function collectUsage<T>(collect: (usage: Usage) => void, work: () => T): T {
  return collectors.run(collect, work);
}

export function reportUsage(usage: Usage): void {
  collectors.getStore()?.(usage);
}
