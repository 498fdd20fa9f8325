/**
 * Keeps one process of the application alive: the generated file and the islands first, then the
 * process.
 *
 * @module
 */
import { join } from "@std/path";
import { generatedFile, islandsFolder } from "@fw/fw/conventions";
import { manifestNames } from "../project/manifest.ts";
import { type Child, type ChildAddress, startChild } from "./child.ts";
import {
  brokenOffFailure,
  endFailure,
  type Failure,
  problemsFailure,
} from "../project/process/failure.ts";
import type { GenerateResult } from "../gen/generate.ts";
import { type BundleOutcome, type Bundler, createBundler } from "../islands/bundler.ts";
import { listenForReady } from "./ready.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import type { Problem } from "../problem.ts";
import { readTextIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";

/** What the application is doing. */
export type RunnerState =
  | { readonly kind: "starting" }
  | { readonly kind: "serving"; readonly address: ChildAddress }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Why and when a start began. */
export interface StartCause {
  /** The files that changed, relative to the project. */
  readonly files: readonly string[];
  /** When the first of them was noticed, by `performance.now()`. */
  readonly sinceMs: number;
  /** Whether nothing changed, but a person asked again after a failure. @default false */
  readonly isRetry?: boolean;
}

/** A start that failed, or an application that ended by itself. */
export interface RunnerFailure {
  /** What is wrong. */
  readonly failure: Failure;
  /** How the process ended, where there was one. */
  readonly end: ProcessEnd | undefined;
  /** Why the start began. */
  readonly cause: StartCause;
}

/** What a {@linkcode Runner} needs. */
export interface RunnerOptions {
  /** The project. */
  readonly project: Project;
  /** Variables of the application on top of those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether standard error is a terminal that shows colours. */
  readonly hasColours: boolean;
  /** Takes what the application writes on standard error. */
  readonly onStderr: (bytes: Uint8Array) => void;
  /** A start has succeeded. */
  readonly onServing: (cause: StartCause) => void;
  /** A start has failed, or the application has ended by itself. */
  readonly onFailed: (failed: RunnerFailure) => void;
  /** Islands are not up to date, since the bundler cannot be had. */
  readonly onUnbundled: (missing: BundleOutcome & { readonly kind: "unavailable" }) => void;
}

/** What a start found before its process. */
interface Preparation {
  /** Why there can be none. */
  readonly failure?: Failure;
  /** Whether the generated file has changed. */
  readonly isNew: boolean;
}

// An idle process ends in a few milliseconds; an open event stream must not delay the next one.
const restartGraceMs = 100;

const secondThoughtMs = 30;

// A page that reloads itself after a failure must not ask for the next one.
const retryAfterMs = 1_000;

/** Runs the application and starts it again on demand. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #ready = listenForReady();
  readonly #waiters = new Set<() => void>();
  #state: RunnerState = { kind: "starting" };
  #child: Child | undefined;
  #generation: Promise<unknown> = Promise.resolve();
  readonly #bundler: Bundler;
  #bundling: Promise<unknown> = Promise.resolve();
  #isBundled = false;
  #changed = new Set<string>();
  #generated: string | undefined;
  #turn = 0;
  #failedMs = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#bundler = createBundler(options.project, { form: "development" });
  }

  /** What the application is doing now. */
  get state(): RunnerState {
    return this.#state;
  }

  /**
   * Starts the application for the first time. The process starts while the generator still reads
   * the project: mostly the generated file is up to date, and then that time is won.
   */
  start(): void {
    this.#child = this.#spawn();
    this.#follow({ files: [], sinceMs: 0 }, { early: this.#child });
  }

  /** Starts the application again, whatever it is doing. */
  restart(cause: StartCause): void {
    for (const file of cause.files) this.#changed.add(file);
    this.#state = { kind: "starting" };
    this.#follow(cause, {});
  }

  /** Bundles the islands while the application goes on; starts it again where it does not serve. */
  bundle(cause: StartCause): void {
    if (this.#state.kind !== "serving") this.restart(cause);
    else this.#rebundle(cause);
  }

  async #rebundle(cause: StartCause): Promise<void> {
    const turn = this.#turn;
    for (const file of cause.files) this.#changed.add(file);
    const { failure } = await this.#prepare(cause.files);
    // A start that began meanwhile has done the same by itself.
    if (failure === undefined || turn !== this.#turn) return;
    await this.#refuse(failure, { cause, turn: ++this.#turn });
  }

  /**
   * Starts the application again when `Setup` or a module failed as it started, which may have had a
   * cause outside the code: a service that was down, a folder that was missing. At most once a
   * second; otherwise nothing happens.
   */
  retry(): void {
    if (this.#state.kind !== "failed" || this.#state.failure.stage !== "boot") return;
    const sinceMs = performance.now();
    if (sinceMs - this.#failedMs < retryAfterMs) return;
    this.restart({ files: [], sinceMs, isRetry: true });
  }

  /** Whether the generated file was written by somebody else since the last generation. */
  async isGeneratedFileForeign(): Promise<boolean> {
    await this.#generation;
    return this.#generated !== undefined && await this.#readGenerated() !== this.#generated;
  }

  /**
   * Waits until the application serves or has failed.
   *
   * @param options `timeoutMs`: how long; `unlike`: an address that is known to be dead.
   * @returns The state, whatever it is when the time is up.
   */
  async settled(
    options: { readonly timeoutMs: number; readonly unlike?: ChildAddress },
  ): Promise<RunnerState> {
    const { timeoutMs, unlike } = options;
    const deadline = performance.now() + timeoutMs;
    while (this.#isPending(unlike)) {
      const left = deadline - performance.now();
      if (left <= 0) break;
      await this.#nextState(left);
    }
    return this.#state;
  }

  /** Ends the application and everything it started. */
  async stop(graceMs: number): Promise<void> {
    this.#turn++;
    this.#setState({ kind: "starting" });
    await this.#stopChild(graceMs);
    await Promise.all([this.#generation, this.#bundling]);
    this.#ready.close();
  }

  #isPending(unlike: ChildAddress | undefined): boolean {
    if (this.#state.kind === "starting") return true;
    return this.#state.kind === "serving" && this.#state.address === unlike;
  }

  #nextState(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#waiters.add(done);
    });
  }

  #setState(state: RunnerState): void {
    this.#state = state;
    for (const wake of [...this.#waiters]) wake();
  }

  /** One start, from the generated file to the first sign of life; a newer one takes over. */
  async #follow(cause: StartCause, options: { readonly early?: Child }): Promise<void> {
    const turn = ++this.#turn;
    const stopping = options.early === undefined ? this.#stopChild(restartGraceMs) : undefined;
    const { failure, isNew } = await this.#prepare(cause.files);
    await stopping;
    if (turn !== this.#turn) return;
    if (failure !== undefined) return await this.#refuse(failure, { cause, turn });
    let child = options.early;
    if (child === undefined || isNew) {
      await this.#stopChild(restartGraceMs);
      if (turn !== this.#turn) return;
      child = this.#child = this.#spawn();
    }
    const start = await child.started;
    if (turn !== this.#turn) return;
    if (start.kind === "ended") {
      return await this.#explainEnd(start.end, { turn, cause, hasServed: false });
    }
    this.#setState({ kind: "serving", address: start.address });
    this.#options.onServing(cause);
    const end = await child.ended;
    if (turn === this.#turn) await this.#explainEnd(end, { turn, cause, hasServed: true });
  }

  /** Brings the generated file and the bundles up to date. */
  async #prepare(files: readonly string[]): Promise<Preparation> {
    const { root, messages } = this.#options.project;
    try {
      return await this.#update(files);
    } catch (error) {
      return { failure: brokenOffFailure(root, error, messages), isNew: false };
    }
  }

  async #update(files: readonly string[]): Promise<Preparation> {
    const { root } = this.#options.project;
    const [result, bundles] = await Promise.all([this.#generate(), this.#bundle(files)]);
    if (result !== undefined && !result.ok) {
      const stage = result.problems.every(isOfIslands) ? "bundle" : "generate";
      return { failure: problemsFailure(root, result.problems, stage), isNew: false };
    }
    const isNew = result?.changed ?? false;
    return bundles?.kind === "failed"
      ? { failure: problemsFailure(root, bundles.problems, "bundle"), isNew }
      : { isNew };
  }

  async #refuse(
    failure: Failure,
    { cause, turn }: { readonly cause: StartCause; readonly turn: number },
  ): Promise<void> {
    await this.#stopChild(restartGraceMs);
    await this.#fail({ failure, end: undefined, cause }, turn);
  }

  async #explainEnd(
    end: ProcessEnd,
    options: { readonly turn: number; readonly cause: StartCause; readonly hasServed: boolean },
  ): Promise<void> {
    this.#state = { kind: "starting" };
    const { root, messages } = this.#options.project;
    const { turn, cause, hasServed } = options;
    const failure = endFailure(end, { root, messages, hasServed });
    await this.#fail({ failure, end, cause }, turn);
  }

  /** A file that was read half-written is followed by its other half: then nothing has failed. */
  async #fail(failed: RunnerFailure, turn: number): Promise<void> {
    await delay(secondThoughtMs);
    if (turn !== this.#turn) return;
    this.#failedMs = performance.now();
    this.#setState({ kind: "failed", failure: failed.failure });
    this.#options.onFailed(failed);
  }

  #spawn(): Child {
    const { project: { root }, env, hasColours, onStderr } = this.#options;
    return startChild({ root, env, hasColours, onStderr, ticket: this.#ready.issue() });
  }

  async #stopChild(graceMs: number): Promise<void> {
    const child = this.#child;
    await child?.stop(graceMs);
    if (this.#child === child) this.#child = undefined;
  }

  /** Gives `undefined` when the project's settings cannot be read: the process says it better. */
  #generate(): Promise<GenerateResult | undefined> {
    const run = this.#generation.then(async () => {
      const changed = [...this.#changed];
      this.#changed.clear();
      try {
        this.#options.project.refresh(changed);
        // Loaded after the first process was started: the compiler takes its time.
        const { generate } = await import("../gen/generate.ts");
        const result = await generate(this.#options.project);
        if (!result.ok && result.problems.every(isOfSettings)) return undefined;
        if (result.ok) this.#generated = await this.#readGenerated();
        return result;
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    });
    this.#generation = run.catch(() => undefined);
    return run;
  }

  /** Bundles the islands where a change may matter to them; gives nothing where none does. */
  #bundle(files: readonly string[]): Promise<BundleOutcome | undefined> {
    const run = this.#bundling.then(async () => {
      if (this.#isBundled && !files.some((file) => this.#bundler.uses(file))) return undefined;
      const outcome = await this.#bundler.bundle();
      this.#isBundled = true;
      if (outcome.kind === "unavailable") this.#options.onUnbundled(outcome);
      return outcome;
    });
    this.#bundling = run.catch(() => undefined);
    return run;
  }

  #readGenerated(): Promise<string | undefined> {
    return readTextIfThere(join(this.#options.project.root, generatedFile));
  }
}

function isOfIslands({ place }: Problem): boolean {
  return place?.file.startsWith(`${islandsFolder}/`) ?? false;
}

function isOfSettings({ place }: Problem): boolean {
  return manifestNames.some((name) => name === place?.file);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
