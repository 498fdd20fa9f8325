import type { Metrics } from "../../mod.ts";
import type { Message } from "../message.ts";
import { checkNumber, checkTimeout } from "../options.ts";
import type { RunOptions } from "./types.ts";

export interface CheckedRunOptions {
  readonly history: readonly Message[];
  readonly maxTurns: number;
  readonly toolTimeoutMs: number;
  readonly maxParallelTools: number;
  readonly maxToolCalls: number;
  readonly maxResultChars: number;
  readonly metrics: Metrics | undefined;
  readonly context: unknown;
}

export function checkRunOptions(options: RunOptions): CheckedRunOptions {
  const { history = [], maxTurns = 10, toolTimeoutMs = 60_000, metrics, context } = options;
  const { maxParallelTools = 8, maxToolCalls = 64, maxResultChars = 100_000 } = options;
  const counts = { maxTurns, maxParallelTools, maxToolCalls, maxResultChars };
  for (const [name, value] of Object.entries(counts)) {
    checkNumber(name, value, {
      isMet: Number.isSafeInteger(value) && value >= 1,
      fix: "a whole number, 1 or more",
    });
  }
  checkTimeout("toolTimeoutMs", toolTimeoutMs);
  return { history, toolTimeoutMs, metrics, context, ...counts };
}
