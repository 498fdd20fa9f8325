import { join } from "@std/path";
import { type Io, paintFor } from "../io.ts";
import { printProblems } from "../printer.ts";
import type { Problem } from "../problem.ts";
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

export type DevEvent =
  /** The application restarts. */
  | { readonly kind: "starting" }
  | { readonly kind: "serving"; readonly cause: StartCause }
  | { readonly kind: "failed"; readonly failure: Failure; readonly end: ProcessEnd | undefined }
  /** Open pages show changed files without a restart. */
  | { readonly kind: "applied"; readonly cause: StartCause }
  /** Bundles are stale because the bundler is not available. */
  | { readonly kind: "unbundled"; readonly warning: Problem };

export function createReport(
  { root, messages }: Project,
  io: Io,
  url: string,
): (event: DevEvent) => void {
  const { dev } = messages;
  const paint = paintFor(io);
  const shownUrl = paint.bold(url);
  let isFirst = true;
  let shown = { text: "", atMs: -Infinity };
  const listFiles = ({ files }: StartCause): string => {
    const there = files.find((file) => statIfThereSync(join(root, file)) !== undefined);
    return dev.more(there ?? files[0] ?? "", Math.max(0, files.length - 1));
  };
  const printFailure = (failure: Failure, end: ProcessEnd | undefined): void => {
    // The process printed its own error, because it had already been serving.
    if (failure.stage === "crash" && end !== undefined) {
      return io.stderr(`${dev.crashed(howEnded(end, messages))}\n`);
    }
    const text = formatFailure(failure, messages, paint);
    const atMs = performance.now();
    if (shown.text !== text || atMs - shown.atMs > repeatMs) io.stderr(text);
    shown = { text, atMs };
    if (isFirst) io.stdout(`${dev.waiting(shownUrl)}\n`);
    isFirst = false;
  };
  return (event) => {
    if (event.kind === "starting") return;
    if (event.kind === "unbundled") return printProblems([event.warning], io);
    if (event.kind === "failed") return printFailure(event.failure, event.end);
    const { kind, cause } = event;
    const ms = Math.round(performance.now() - cause.sinceMs);
    const isStart = kind === "serving" && (isFirst || cause.files.length === 0);
    if (kind === "serving") isFirst = false;
    const line = kind === "applied" ? dev.applied : dev.reloaded;
    io.stdout(`${isStart ? dev.ready(shownUrl, ms) : line(listFiles(cause), ms)}\n`);
  };
}
