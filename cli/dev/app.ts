/** The application in development: one state machine that generates, bundles, starts and restarts. */
import { islandsFolder, publicFolder } from "@fw/fw/conventions";
import { affectsBundles, bundleIslands, type BundleReport } from "../islands/bundles.ts";
import { manifestNames } from "../project/manifest.ts";
import type { ProcessEnd } from "../project/process/error_output.ts";
import {
  brokenOffFailure,
  endFailure,
  type Failure,
  problemsFailure,
} from "../project/process/failure.ts";
import type { Project } from "../project/project.ts";
import { type Child, type ChildAddress, type ChildOptions, startChild } from "./child.ts";
import type { ReloadEvents } from "./reload_events.ts";
import type { DevEvent, StartCause } from "./report.ts";
import type { ChangeBatch, FileChange } from "./watch.ts";

export type AppState =
  | { readonly kind: "starting" }
  | { readonly kind: "serving"; readonly address: ChildAddress }
  | { readonly kind: "failed"; readonly failure: Failure };

export interface DevAppOptions extends Omit<ChildOptions, "root" | "env"> {
  readonly project: Project;
  /** Variables added to those of this process, read at each start. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly events: ReloadEvents;
  readonly onEvent: (event: DevEvent) => void;
}

// An idle process ends in a few milliseconds; an open event stream must not delay the next start.
const restartGraceMs = 100;

// A partial write is followed by another change event, so wait for it before a failure is shown.
const secondThoughtMs = 30;

/** Runs the application and restarts it on demand. A newer start supersedes a pending one. */
export class DevApp {
  readonly #options: DevAppOptions;
  #state: AppState = { kind: "starting" };
  #changed = Promise.withResolvers<void>();
  #turn = 0;
  #child: Child | undefined;
  /** Settles when the last preparation ends: preparations must not overlap. */
  #preparing: Promise<unknown> = Promise.resolve();
  #unread = new Set<string>();
  #bundled: BundleReport | undefined;

  constructor(options: DevAppOptions) {
    this.#options = options;
  }

  /** Starts the process while the project is read, because the generated file is usually up to date. */
  start(): void {
    this.#child = this.#spawn();
    void this.#run({ files: [], sinceMs: 0 }, this.#child);
  }

  async follow({ changes, sinceMs }: ChangeBatch): Promise<void> {
    const { project, events, onEvent } = this.#options;
    const isData = ({ kind, exists }: FileChange): boolean =>
      kind === "island" || (kind === "data" && exists);
    const imported = changes.some(isData) ? await project.imports() : undefined;
    const causes = findCauses(changes, imported);
    if (causes.length > 0) return this.#restart({ files: causes, sinceMs });
    const islands = changes.filter(({ kind }) => kind === "island").map(({ path }) => path);
    // Writing the bundles changes the public folder, which reloads the pages.
    if (islands.length > 0) this.#rebundle({ files: islands, sinceMs });
    // A page that shows an error does not need these changes.
    if (this.#state.kind !== "serving") return;
    const shown = changes.filter(({ kind }) => kind === "style" || kind === "asset");
    if (shown.length === 0) return;
    if (shown.every(({ kind, exists }) => kind === "style" && exists)) {
      for (const { path } of shown) events.swapStyle(path.slice(publicFolder.length));
    } else events.reload();
    onEvent({ kind: "applied", cause: { files: shown.map(({ path }) => path), sinceMs } });
  }

  async settled(
    { timeoutMs, unlike }: { readonly timeoutMs: number; readonly unlike?: ChildAddress },
  ): Promise<AppState> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), timeoutMs);
    });
    const isPending = (): boolean =>
      this.#state.kind === "starting" ||
      (this.#state.kind === "serving" && this.#state.address === unlike);
    while (isPending() && await Promise.race([this.#changed.promise, late]) !== "late");
    clearTimeout(timer);
    return this.#state;
  }

  async stop(graceMs: number): Promise<void> {
    this.#turn++;
    this.#set({ kind: "starting" });
    await this.#stopChild(graceMs);
    await this.#preparing;
  }

  #set(state: AppState): void {
    this.#state = state;
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }

  #restart(cause: StartCause): void {
    for (const file of cause.files) this.#unread.add(file);
    this.#state = { kind: "starting" };
    this.#options.onEvent({ kind: "starting" });
    void this.#run(cause);
  }

  /** Bundles the islands while the application is running; restarts it if it is not. */
  async #rebundle(cause: StartCause): Promise<void> {
    if (this.#state.kind !== "serving") return this.#restart(cause);
    const turn = this.#turn;
    for (const file of cause.files) this.#unread.add(file);
    const { failure } = await this.#prepare(cause);
    // A start that began meanwhile has already done this.
    if (failure === undefined || turn !== this.#turn) return;
    await this.#fail({ failure, turn: ++this.#turn });
  }

  async #run(cause: StartCause, early?: Child): Promise<void> {
    const turn = ++this.#turn;
    const stopping = early === undefined ? this.#stopChild(restartGraceMs) : undefined;
    const { failure, isNew } = await this.#prepare(cause);
    await stopping;
    if (turn !== this.#turn) return;
    if (failure !== undefined) return await this.#fail({ failure, turn });
    if (early === undefined || isNew) {
      await this.#stopChild(restartGraceMs);
      if (turn !== this.#turn) return;
      this.#child = this.#spawn();
    }
    const child = this.#child;
    const address = await child?.started;
    if (turn !== this.#turn || child === undefined) return;
    if (address !== undefined) {
      this.#set({ kind: "serving", address });
      this.#options.events.announce();
      this.#options.onEvent({ kind: "serving", cause });
    }
    const end = await child.ended;
    if (turn !== this.#turn) return;
    this.#state = { kind: "starting" };
    const { root, messages } = this.#options.project;
    const ended = endFailure(end, { root, messages, hasServed: address !== undefined });
    await this.#fail({ failure: ended, end, turn });
  }

  async #fail({ failure, end, turn }: {
    readonly failure: Failure;
    readonly end?: ProcessEnd;
    readonly turn: number;
  }): Promise<void> {
    await this.#stopChild(restartGraceMs);
    await new Promise((resolve) => setTimeout(resolve, secondThoughtMs));
    if (turn !== this.#turn) return;
    this.#set({ kind: "failed", failure });
    this.#options.events.announce();
    this.#options.onEvent({ kind: "failed", failure, end });
  }

  #spawn(): Child {
    const { project: { root }, env } = this.#options;
    return startChild({ ...this.#options, root, env: env() });
  }

  async #stopChild(graceMs: number): Promise<void> {
    const child = this.#child;
    await child?.stop(graceMs);
    if (this.#child === child) this.#child = undefined;
  }

  #prepare(cause: StartCause): Promise<{ readonly failure?: Failure; readonly isNew: boolean }> {
    const { project: { root, messages } } = this.#options;
    const run = this.#preparing.then(async () => {
      try {
        const [isNew, bundling] = await Promise.all([this.#generate(), this.#bundle(cause.files)]);
        const failure = typeof isNew === "boolean" ? bundling : isNew;
        return failure === undefined ? { isNew: isNew === true } : { failure, isNew: false };
      } catch (error) {
        return { failure: brokenOffFailure(root, error, messages), isNew: false };
      }
    });
    this.#preparing = run;
    return run;
  }

  async #generate(): Promise<boolean | Failure> {
    const { project } = this.#options;
    const changed = [...this.#unread];
    this.#unread.clear();
    project.refresh(changed);
    // Loaded after the first process was started, because the compiler loads slowly.
    const { runGenerators } = await import("../gen/generate.ts");
    const result = await runGenerators(project).catch((error) => {
      // The project's settings cannot be parsed; the process reports that with more detail.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
    if (result === undefined) return false;
    if (result.ok) return result.changed;
    const { problems } = result;
    if (problems.every(({ place }) => manifestNames.some((name) => name === place?.file))) {
      return false;
    }
    const stage = problems.every(({ place }) => place?.file.startsWith(`${islandsFolder}/`))
      ? "bundle"
      : "generate";
    return problemsFailure(project.root, problems, stage);
  }

  /** Bundles the islands if a change may affect them; returns the failure, if any. */
  async #bundle(files: readonly string[]): Promise<Failure | undefined> {
    const last = this.#bundled;
    if (last !== undefined && !files.some((file) => affectsBundles(file, last))) return undefined;
    const { project, onEvent } = this.#options;
    const { problems } = this.#bundled = await bundleIslands(project, { form: "development" });
    const unbundled = problems.find(({ code }) => code === "E_NO_BUNDLER");
    if (unbundled !== undefined) {
      onEvent({ kind: "unbundled", warning: { ...unbundled, severity: "warning" } });
    }
    return unbundled === undefined && problems.length > 0
      ? problemsFailure(project.root, problems, "bundle")
      : undefined;
  }
}

/** Returns the files that require a restart, with changed islands, which the start bundles. */
export function findCauses(
  changes: readonly FileChange[],
  imported: ReadonlySet<string> | undefined,
): readonly string[] {
  const isCause = ({ kind, path }: FileChange): boolean =>
    kind === "source" || ((kind === "data" || kind === "island") && imported?.has(path) === true);
  if (!changes.some(isCause)) return [];
  return changes.filter((change) => isCause(change) || change.kind === "island")
    .map(({ path }) => path);
}
