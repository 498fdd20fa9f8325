import type { Settings } from "../base/ctx/config.ts";
import { devReadyVariable, generatedFile } from "../base/conventions.ts";
import { causeChain, isTestFile } from "../base/diagnose/error_text.ts";
import { findVariable } from "../base/env.ts";
import { createLogger, LineLogger } from "../telemetry/log.ts";
import { flushLines } from "../telemetry/log_sink.ts";

/** Functions that print an error; `false` lets the platform print it as well. */
const printers = new WeakMap<Error, () => boolean>();

/**
 * Marks an error that stops the start, so that, when uncaught, it is one line of the log in production, and text
 * on a terminal and in development; the process exits with 1. If only framework code led to the error, its stack
 * is left out: it does not help with a wrong environment variable. A caught error is unchanged.
 */
export function endPlainly(error: unknown, settings: Settings): unknown {
  // The development server reads the stack, and shows the code that it leads to.
  if (!(error instanceof Error) || findVariable(devReadyVariable) !== undefined) return error;
  const [place] = callsBeyond(error);
  if (logsStart(settings)) {
    const { logger = createLogger() } = settings;
    const fix = isUnavailable(error)
      ? "start the server that Setup uses, or correct its address"
      : undefined;
    printers.set(error, () => {
      const shown = place === undefined ? { name: error.name, message: error.message } : error;
      logger.error("the application cannot start", { error: shown, place, fix });
      // A line of another logger may be lost, since the process ends now.
      return logger instanceof LineLogger && logger.buffer !== undefined;
    });
  } else if (place === undefined) {
    printers.set(error, () => {
      console.error(`error: ${error.message}`);
      return true;
    });
  }
  // Adding the same listener again has no effect.
  globalThis.addEventListener("unhandledrejection", onRejection);
  return error;
}

/** Reports whether a failed start is for the log: the command line and tests read text. */
function logsStart({ env, variables }: Settings): boolean {
  const isDev = (env ?? findVariable("FW_ENV", variables))?.trim().toLowerCase() === "dev";
  const isProgram = Deno.mainModule.includes("$deno$stdin") || isTestFile(Deno.mainModule);
  return !isDev && !isProgram && !Deno.stdout.isTerminal();
}

function onRejection(event: PromiseRejectionEvent): void {
  const print = event.reason instanceof Error ? printers.get(event.reason) : undefined;
  if (print === undefined) return;
  flushLines();
  if (!print()) return;
  event.preventDefault();
  flushLines();
  Deno.exit(1);
}

/** The errors of `node:net`, and of Postgres by its adapter, whose causes name no host. */
function isUnavailable(error: Error): boolean {
  return causeChain(error).some((each) =>
    each instanceof Deno.errors.ConnectionRefused ||
    ("status" in each && each.status === 503) ||
    ("code" in each && /^E(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH)/.test(String(each.code)))
  );
}

/** Returns the calls behind an error and its causes that are not of the framework, Deno and the generated file. */
function callsBeyond(error: Error): readonly string[] {
  return causeChain(error).flatMap(({ stack = "" }) =>
    stack.split("\n").filter((line) => /^\s+at /.test(line))
      .flatMap((line) => /(?:^|[\s(])([a-z]+:[^\s()]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [])
  ).filter((call) => !isOwnCall(call.replace(/:\d+:\d+$/, ""))).toArray();
}

function isOwnCall(url: string): boolean {
  return /^(?:ext|node):/.test(url) || url.startsWith(import.meta.resolve("../")) ||
    url.endsWith(`/${generatedFile}`);
}
