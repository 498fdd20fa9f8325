import { join } from "@std/path";
import { type Io, paintFor } from "../io.ts";
import { statIfThereSync } from "../project/files/look.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import { type Failure, formatFailure, howEnded } from "../project/process/failure.ts";
import type { Project } from "../project/project.ts";

export interface StartCause {
  readonly files: readonly string[];
  /** When the first change was noticed, by `performance.now()`. */
  readonly sinceMs: number;
}

// All changes of one moved folder arrive within this time, and fail in the same way.
const repeatMs = 1_000;

export interface StartReport {
  serving(cause: StartCause): void;
  failed(failure: Failure, end: ProcessEnd | undefined): void;
  /** Prints that open pages show changed files without a restart. */
  applied(cause: StartCause): void;
}

export function createStartReport({ root, messages }: Project, io: Io, url: string): StartReport {
  const { dev } = messages;
  const paint = paintFor(io);
  const shownUrl = paint.bold(url);
  let isFirst = true;
  let shown = { text: "", atMs: -Infinity };
  const elapsedMs = ({ sinceMs }: StartCause): number => Math.round(performance.now() - sinceMs);
  const listFiles = ({ files }: StartCause): string => {
    const there = files.find((file) => statIfThereSync(join(root, file)) !== undefined);
    return dev.more(there ?? files[0] ?? "", Math.max(0, files.length - 1));
  };
  return {
    serving: (cause) => {
      const ms = elapsedMs(cause);
      const isStart = isFirst || cause.files.length === 0;
      io.stdout(`${isStart ? dev.ready(shownUrl, ms) : dev.reloaded(listFiles(cause), ms)}\n`);
      isFirst = false;
    },
    failed: (failure, end) => {
      // The error of a process that had served was already printed.
      if (failure.stage === "crash" && end !== undefined) {
        return io.stderr(`${dev.crashed(howEnded(end, messages))}\n`);
      }
      const text = formatFailure(failure, messages, paint);
      const atMs = performance.now();
      if (shown.text !== text || atMs - shown.atMs > repeatMs) io.stderr(text);
      shown = { text, atMs };
      if (isFirst) io.stdout(`${dev.waiting(shownUrl)}\n`);
      isFirst = false;
    },
    applied: (cause) => io.stdout(`${dev.applied(listFiles(cause), elapsedMs(cause))}\n`),
  };
}
