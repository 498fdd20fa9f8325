import { devReadyVariable, generatedFile } from "../base/conventions.ts";
import { causeChain } from "../base/diagnose/error_text.ts";
import { readVariable } from "../base/env.ts";
import { flushLines } from "../telemetry/log_sink.ts";

/** The errors whose message is complete without a stack. */
const plain = new WeakSet<Error>();

/**
 * Marks an error that only framework code led to, so that, when uncaught, it prints only its message and
 * exits with 1: the framework's stack does not help with a wrong environment variable. Errors of other code
 * keep their stack, and a caught error is unchanged.
 */
export function endPlainly(error: unknown): unknown {
  if (!(error instanceof Error) || !isOwn(error)) return error;
  // The development server reads the stack, and shows the code that it leads to.
  if (isInDev()) return error;
  plain.add(error);
  // Adding the same listener again has no effect.
  globalThis.addEventListener("unhandledrejection", onRejection);
  return error;
}

function isInDev(): boolean {
  try {
    return readVariable(devReadyVariable) !== undefined;
  } catch {
    // The process may lack the permission to read variables, which may itself be what stops the boot.
    return false;
  }
}

function onRejection(event: PromiseRejectionEvent): void {
  const { reason } = event;
  if (!(reason instanceof Error) || !plain.has(reason)) return;
  event.preventDefault();
  flushLines();
  console.error(`error: ${reason.message}`);
  Deno.exit(1);
}

/** Reports whether an error and its causes come only from the framework, Deno and the generated file. */
function isOwn(error: Error): boolean {
  return causeChain(error).every(({ stack = "" }) =>
    stack.split("\n").filter((line) => /^\s+at /.test(line))
      .flatMap((line) => /(?:^|[\s(])([a-z]+:[^\s()]+):\d+:\d+\)?$/.exec(line)?.[1] ?? [])
      .every(isOwnCall)
  );
}

function isOwnCall(url: string): boolean {
  return /^(?:ext|node):/.test(url) || url.startsWith(import.meta.resolve("../")) ||
    url.endsWith(`/${generatedFile}`);
}
