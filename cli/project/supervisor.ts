/**
 * The development server: owns the address, follows the files, keeps the application running.
 *
 * @module
 */
import { join } from "@std/path";
import { publicFolder } from "@fw/fw/conventions";
import { type Io, paintFor } from "../io.ts";
import type { Language, Messages } from "../messages/catalog.ts";
import { type DevAddress, urlOf } from "./address.ts";
import { howEnded } from "./dev_failure.ts";
import { serveDev } from "./dev_server.ts";
import { listedHosts } from "./hosts.ts";
import { importedFiles } from "./imports.ts";
import { randomToken } from "./ready.ts";
import { reloadEvents } from "./reload_events.ts";
import { Runner, type RunnerFailure, type StartCause } from "./runner.ts";
import { type ChangeBatch, type FileChange, watchProject } from "./watch.ts";

// The changes of one moved folder are over within this.
const repeatMs = 1_000;

/** What a development server is started with. */
export interface SupervisorOptions {
  /** The project, absolute. */
  readonly root: string;
  /** Where to listen. */
  readonly address: DevAddress;
  /** Where to print. */
  readonly io: Io;
  /** The catalogue. */
  readonly messages: Messages;
  /** The language of the catalogue. */
  readonly language: Language;
  /** How long a request waits for the application. @default 10_000 */
  readonly waitMs?: number;
}

/** A development server that runs. */
export interface Supervisor {
  /** Where it listens. */
  readonly address: DevAddress;
  /** Stops everything: the application gets `graceMs` to end by itself. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts a development server.
 *
 * @throws The system's error when it cannot listen on the address.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { root, io, messages, language, waitMs = 10_000 } = options;
  const { dev } = messages;
  const paint = paintFor(io);
  const events = reloadEvents();
  let hasServed = false;
  let hasFailed = false;
  let shown: { readonly text: string; readonly atMs: number } | undefined;
  let lock = readLock(root);
  const runner = new Runner({
    root,
    messages,
    env: childEnv(root, io.env),
    hasColours: Deno.stderr.isTerminal() && !io.env["NO_COLOR"] && !io.env["FORCE_COLOR"],
    onStderr: (bytes) => writeAll(bytes),
    onServing,
    onFailed: (failed) => {
      onFailed(failed).catch((error) => io.stderr(`${error}\n`));
    },
    onUnbundled: ({ files, reason }) => {
      io.stderr(`${messages.islands.unavailable(files.join(", "), reason)}\n`);
    },
  });
  const pages = { messages, language, reloads: io.env["FW_DEV_RELOAD"]?.toLowerCase() !== "off" };
  const server = await serveDev(options.address, {
    runner,
    events,
    pages,
    listedHosts: () => {
      // Asked only for a host that is not this machine's, so that a save of .env counts at once.
      const hosts = listedHosts(io.env["FW_ALLOWED_HOSTS"], () => readText(join(root, ".env")));
      const { hostname } = options.address;
      return hostname === undefined ? hosts : [...hosts, hostname];
    },
    waitMs,
  });
  const url = urlOf(server.address);
  const unwatch = watchProject(root, (batch) => {
    onChange(batch).catch((error) => io.stderr(`${error}\n`));
  });
  runner.start();
  return { address: server.address, stop };

  function onServing(cause: StartCause): void {
    const ms = Math.round(performance.now() - cause.sinceMs);
    lock = readLock(root);
    events.announce();
    shown = undefined;
    if (!hasServed && cause.files.length === 0) io.stdout(`${dev.ready(paint.bold(url), ms)}\n`);
    else if (cause.isRetry) io.stdout(`${dev.recovered(ms)}\n`);
    else {
      const what = listFiles(cause.files);
      io.stdout(`${hasFailed ? dev.mended(what, ms) : dev.reloaded(what, ms)}\n`);
    }
    hasServed = true;
    hasFailed = false;
  }

  async function onFailed({ failure, end, cause }: RunnerFailure): Promise<void> {
    lock = readLock(root);
    // The page that asked for a retry gets its failure as the answer; no other is to ask for one.
    if (!cause.isRetry) events.announce();
    const isFirst = !hasServed && !hasFailed;
    hasFailed = true;
    // What ended a process that had served was shown as it was written.
    if (failure.stage === "crash" && end !== undefined) {
      return io.stderr(`${dev.crashed(howEnded(end, messages))}\n`);
    }
    const { formatFailure } = await import("./error_page.ts");
    const text = formatFailure(failure, { messages, paint });
    // A folder that is moved comes as several changes, which all fail alike.
    const isAgain = shown?.text === text &&
      (cause.isRetry || performance.now() - shown.atMs < repeatMs);
    if (!isAgain) io.stderr(text);
    shown = { text, atMs: performance.now() };
    if (isFirst) io.stdout(`${dev.waiting(paint.bold(url))}\n`);
  }

  async function onChange(batch: ChangeBatch): Promise<void> {
    const causes = await findCauses(batch.changes);
    if (causes.length > 0) {
      return runner.restart({ files: causes.map(({ path }) => path), sinceMs: batch.sinceMs });
    }
    const islands = batch.changes.filter(({ kind }) => kind === "island");
    if (islands.length > 0) {
      // What it writes is a change of the public folder, which reloads the pages.
      runner.bundle({ files: islands.map(({ path }) => path), sinceMs: batch.sinceMs });
    }
    // A page that waits for the mend of an error gains nothing by these.
    if (runner.state.kind !== "serving") return;
    const shown = batch.changes.filter(({ kind }) => kind === "style" || kind === "asset");
    if (shown.length === 0) return;
    const isStyled = shown.every(({ kind, exists }) => kind === "style" && exists);
    if (isStyled) {
      for (const { path } of shown) events.swapStyle(path.slice(publicFolder.length));
    } else events.reload();
    const ms = Math.round(performance.now() - batch.sinceMs);
    io.stdout(`${dev.applied(listFiles(shown.map(({ path }) => path)), ms)}\n`);
  }

  /** The changes for which the application must start again. */
  async function findCauses(changes: readonly FileChange[]): Promise<FileChange[]> {
    const data = changes.filter(({ kind, exists }) =>
      kind === "island" || (kind === "data" && exists)
    );
    const imported = data.length === 0 ? undefined : await importedFiles(root);
    const causes: FileChange[] = [];
    for (const change of changes) {
      if (change.kind === "source") causes.push(change);
      const isImportable = change.kind === "data" || change.kind === "island";
      if (isImportable && imported?.has(change.path)) causes.push(change);
      if (change.kind === "lock" && isLockForeign()) causes.push(change);
      if (change.kind === "generated" && await runner.isGeneratedFileForeign()) causes.push(change);
    }
    return causes;
  }

  /** A process that starts may write the lock file itself: what it wrote is known once it serves. */
  function isLockForeign(): boolean {
    return runner.state.kind !== "starting" && readLock(root) !== lock;
  }

  function listFiles(files: readonly string[]): string {
    const named = files.find((file) => isThere(join(root, file))) ?? files[0] ?? "";
    return dev.more(named, Math.max(0, files.length - 1));
  }

  async function stop(graceMs: number): Promise<void> {
    unwatch();
    events.close();
    await Promise.all([server.close(), runner.stop(graceMs)]);
  }
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The variables of every process: one key for all, so that a save signs nobody out. */
function childEnv(root: string, env: Io["env"]): Record<string, string> {
  const hasSecret = Boolean(env["FW_SECRET"]) || /^\s*(?:export\s+)?FW_SECRET\s*=/m.test(
    readText(join(root, ".env")),
  );
  return { FW_ENV: "dev", ...(hasSecret ? {} : { FW_SECRET: randomToken() }) };
}

function readLock(root: string): string {
  return readText(join(root, "deno.lock"));
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
}
