/**
 * Keeps the application running: updates the generated file and the islands, then starts the
 * process.
 *
 * @module
 */
import { generatedFile, islandsFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { GenerateResult } from "../gen/generate.ts";
import { type BundleOutcome, type Bundler, createBundler } from "../islands/bundler.ts";
import type { Problem } from "../problem.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { manifestNames } from "../project/manifest.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import {
  brokenOffFailure,
  endFailure,
  type Failure,
  problemsFailure,
} from "../project/process/failure.ts";
import type { Project } from "../project/project.ts";
import { type Child, type ChildAddress, startChild } from "./child.ts";
import { listenForReady } from "./ready.ts";

export type RunnerState =
  | { readonly kind: "starting" }
  | { readonly kind: "serving"; readonly address: ChildAddress }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Why and when a start began. */
export interface StartCause {
  /** The files that changed, relative to the project. */
  readonly files: readonly string[];
  /** When the first change was noticed, by `performance.now()`. */
  readonly sinceMs: number;
  /** Whether nothing changed and a page requested another try. @default false */
  readonly isRetry?: boolean;
}

/** A failed start, or an application that ended by itself. */
export interface RunnerFailure {
  readonly failure: Failure;
  readonly end: ProcessEnd | undefined;
  readonly cause: StartCause;
}

export interface RunnerOptions {
  readonly project: Project;
  /** Variables added to those of this process. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly hasColours: boolean;
  /** Receives what the application writes to standard error. */
  readonly onStderr: (bytes: Uint8Array) => void;
  /** Receives what the application writes to standard output. */
  readonly onStdout: (bytes: Uint8Array) => void;
  /** Called when a start begins after the first. */
  readonly onStarting: () => void;
  readonly onServing: (cause: StartCause) => void;
  readonly onFailed: (failed: RunnerFailure) => void;
  /** Called if bundles are stale because the bundler is not available. */
  readonly onUnbundled: (missing: BundleOutcome & { readonly kind: "unavailable" }) => void;
}

/** The result of the steps before a process is started. */
interface Preparation {
  /** Why no process can be started. */
  readonly failure?: Failure;
  /** Whether the generated file has changed. */
  readonly isNew: boolean;
}

// An idle process ends in a few milliseconds; an open event stream must not delay the next start.
const restartGraceMs = 100;

const secondThoughtMs = 30;

// A page that reloads itself after a failure must not trigger another try.
const retryAfterMs = 1_000;

/** Runs the application and restarts it on demand. */
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

  get state(): RunnerState {
    return this.#state;
  }

  /**
   * Starts the application for the first time. The process starts while the project is still being
   * read: usually the generated file is up to date, which saves that time.
   */
  start(): void {
    this.#child = this.#spawn();
    this.#follow({ files: [], sinceMs: 0 }, { early: this.#child });
  }

  /** Restarts the application, whatever its state. */
  restart(cause: StartCause): void {
    for (const file of cause.files) this.#changed.add(file);
    this.#state = { kind: "starting" };
    this.#options.onStarting();
    this.#follow(cause, {});
  }

  /** Bundles the islands while the application is running; restarts it if it is not. */
  bundle(cause: StartCause): void {
    if (this.#state.kind !== "serving") this.restart(cause);
    else this.#rebundle(cause);
  }

  async #rebundle(cause: StartCause): Promise<void> {
    const turn = this.#turn;
    for (const file of cause.files) this.#changed.add(file);
    const { failure } = await this.#prepare(cause.files);
    // A start that began meanwhile has already done this.
    if (failure === undefined || turn !== this.#turn) return;
    await this.#refuse(failure, { cause, turn: ++this.#turn });
  }

  /**
   * Restarts the application after a failed boot, which may have had a cause outside the code, such
   * as a service that was down. At most once a second.
   */
  retry(): void {
    if (this.#state.kind !== "failed" || this.#state.failure.stage !== "boot") return;
    const sinceMs = performance.now();
    if (sinceMs - this.#failedMs < retryAfterMs) return;
    this.restart({ files: [], sinceMs, isRetry: true });
  }

  /** Reports whether another program wrote the generated file since the last generation. */
  async isGeneratedFileForeign(): Promise<boolean> {
    await this.#generation;
    return this.#generated !== undefined && await this.#readGenerated() !== this.#generated;
  }

  /**
   * Waits until the application serves or has failed.
   *
   * @param options `timeoutMs`: the maximum wait; `unlike`: an address that is known to be dead.
   * @returns The state, also after a timeout.
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

  /** Stops the application and everything that it started. */
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

  /** Runs one start up to the first response; a newer start takes over. */
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

  /** Updates the generated file and the bundles. */
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

  /**
   * Reports a failure, unless another change follows at once: a partial write causes two changes.
   */
  async #fail(failed: RunnerFailure, turn: number): Promise<void> {
    await delay(secondThoughtMs);
    if (turn !== this.#turn) return;
    this.#failedMs = performance.now();
    this.#setState({ kind: "failed", failure: failed.failure });
    this.#options.onFailed(failed);
  }

  #spawn(): Child {
    const { project: { root }, env, hasColours, onStderr, onStdout } = this.#options;
    const ticket = this.#ready.issue();
    return startChild({ root, env: env(), hasColours, onStderr, onStdout, ticket });
  }

  async #stopChild(graceMs: number): Promise<void> {
    const child = this.#child;
    await child?.stop(graceMs);
    if (this.#child === child) this.#child = undefined;
  }

  /**
   * Returns `undefined` if the project's settings cannot be read: the process reports that better.
   */
  #generate(): Promise<GenerateResult | undefined> {
    const run = this.#generation.then(async () => {
      const changed = [...this.#changed];
      this.#changed.clear();
      try {
        this.#options.project.refresh(changed);
        // Loaded after the first process was started, because the compiler loads slowly.
        const { runGenerators } = await import("../gen/generate.ts");
        const result = await runGenerators(this.#options.project);
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

  /** Bundles the islands if a change may affect them; otherwise returns `undefined`. */
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
