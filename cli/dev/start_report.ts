/**
 * Prints the starts of an application in development.
 *
 * @module
 */
import { join } from "@std/path";
import { type Io, type Paint, paintFor } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import { statIfThereSync } from "../project/files/look.ts";
import { howEnded } from "../project/process/failure.ts";
import { formatFailure } from "../project/process/failure_text.ts";
import type { RunnerFailure, StartCause } from "./runner.ts";

// All changes of one moved folder arrive within this time.
const repeatMs = 1_000;

export interface StartReportOptions {
  readonly root: string;
  readonly io: Io;
  readonly messages: Messages;
  /** The URL of the application. */
  readonly url: string;
}

/** Prints how each start went. */
export class StartReport {
  readonly #options: StartReportOptions;
  readonly #paint: Paint;
  #hasServed = false;
  #hasFailed = false;
  #shown: { readonly text: string; readonly atMs: number } | undefined;

  constructor(options: StartReportOptions) {
    this.#options = options;
    this.#paint = paintFor(options.io);
  }

  serving(cause: StartCause): void {
    const { io, messages: { dev } } = this.#options;
    const ms = Math.round(performance.now() - cause.sinceMs);
    this.#shown = undefined;
    if (!this.#hasServed && cause.files.length === 0) {
      io.stdout(`${dev.ready(this.#url, ms)}\n`);
    } else if (cause.isRetry) io.stdout(`${dev.recovered(ms)}\n`);
    else {
      const what = this.#listFiles(cause.files);
      io.stdout(`${this.#hasFailed ? dev.fixed(what, ms) : dev.reloaded(what, ms)}\n`);
    }
    this.#hasServed = true;
    this.#hasFailed = false;
  }

  failed({ failure, end, cause }: RunnerFailure): void {
    const { io, messages } = this.#options;
    const isFirst = !this.#hasServed && !this.#hasFailed;
    this.#hasFailed = true;
    // The error of a process that had served was already printed.
    if (failure.stage === "crash" && end !== undefined) {
      return io.stderr(`${messages.dev.crashed(howEnded(end, messages))}\n`);
    }
    const text = formatFailure(failure, { messages, paint: this.#paint });
    // A moved folder causes several changes that fail in the same way.
    const isAgain = this.#shown?.text === text &&
      (cause.isRetry || performance.now() - this.#shown.atMs < repeatMs);
    if (!isAgain) io.stderr(text);
    this.#shown = { text, atMs: performance.now() };
    if (isFirst) io.stdout(`${messages.dev.waiting(this.#url)}\n`);
  }

  /** Prints that open pages show changed files without a restart. */
  applied(cause: StartCause): void {
    const { io, messages: { dev } } = this.#options;
    const ms = Math.round(performance.now() - cause.sinceMs);
    io.stdout(`${dev.applied(this.#listFiles(cause.files), ms)}\n`);
  }

  get #url(): string {
    return this.#paint.bold(this.#options.url);
  }

  #listFiles(files: readonly string[]): string {
    const { root, messages } = this.#options;
    const named = files.find((file) => statIfThereSync(join(root, file)) !== undefined) ??
      files[0] ??
      "";
    return messages.dev.more(named, Math.max(0, files.length - 1));
  }
}
