/**
 * The development server: listens on the address, watches the files and keeps the application
 * running.
 *
 * @module
 */
import { randomToken } from "@fw/fw/addon";
import { join } from "@std/path";
import { type Io, writeBytes } from "../io.ts";
import type { Language } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { textOfFile } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { type DevAddress, urlOf } from "./address.ts";
import { ChangeFollower } from "./change_follower.ts";
import { listedHosts } from "./hosts.ts";
import { reloadEvents } from "./reload_events.ts";
import { Runner, type RunnerOptions, type StartCause } from "./runner.ts";
import { serveDev } from "./server.ts";
import { openDevState } from "./state.ts";
import { StartReport } from "./start_report.ts";
import { watchProject } from "./watch.ts";

export interface SupervisorOptions {
  readonly project: Project;
  readonly address: DevAddress;
  readonly io: Io;
  /** The language of the error pages. */
  readonly language: Language;
  /** How long a request waits for the application. @default 10_000 */
  readonly waitMs?: number;
}

export interface Supervisor {
  readonly address: DevAddress;
  /** Stops everything. The application gets `graceMs` to end by itself. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts a development server.
 *
 * @throws The system's error if it cannot listen on the address.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { project, address, io, language, waitMs = 10_000 } = options;
  const { root, messages } = project;
  const events = reloadEvents();
  const tell = (error: unknown): void => io.stderr(`${error}\n`);
  const pass = (bytes: Uint8Array, to: typeof Deno.stdout): void => {
    state.log(bytes);
    writeBytes(to, bytes);
  };
  // All processes share one signing key, so that a save does not sign users out.
  const secret = randomToken();
  const runner = new Runner({
    project,
    env: () => childEnv(root, io.env, { secret, port: server.address.port }),
    hasColours: hasColours(io),
    onStderr: (bytes) => pass(bytes, Deno.stderr),
    onStdout: (bytes) => pass(bytes, Deno.stdout),
    onStarting: () => state.starting(),
    onServing: (cause) => {
      follower.noteLock();
      events.announce();
      state.serving();
      report.serving(cause);
    },
    onFailed: (failed) => {
      follower.noteLock();
      // The page that requested the retry gets the failure as its response; others must not retry
      // too.
      if (!failed.cause.isRetry) events.announce();
      state.failed(failed.failure);
      report.failed(failed);
    },
    onUnbundled: (unbundled) => warnUnbundled(unbundled, project, io),
  });
  const onApplied = (cause: StartCause): void => report.applied(cause);
  const follower = new ChangeFollower({ project, runner, events, onApplied });
  const reloads = io.env["FW_DEV_RELOAD"]?.toLowerCase() !== "off";
  const server = await serveDev(address, {
    runner,
    events,
    pages: { messages, language, reloads },
    listedHosts: () => findHosts(options),
    waitMs,
  });
  const report = new StartReport({ root, io, messages, url: urlOf(server.address) });
  const state = openDevState(root, { url: urlOf(server.address) });
  const unwatch = watchProject(root, (batch) => void follower.follow(batch).catch(tell), {
    onFailure: (error) => io.stderr(`${messages.dev.unfollowed(reasonOf(error))}\n`),
  });
  runner.start();
  return {
    address: server.address,
    stop: async (graceMs) => {
      unwatch();
      events.close();
      await Promise.all([server.close(), runner.stop(graceMs)]);
      await state.close();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reports whether the output of the application goes to a terminal, and nothing else decides on
 * colours.
 */
function hasColours({ env }: Io): boolean {
  return Deno.stdout.isTerminal() && Deno.stderr.isTerminal() && !env["NO_COLOR"] &&
    !env["FORCE_COLOR"];
}

function warnUnbundled(
  { files, reason }: Parameters<RunnerOptions["onUnbundled"]>[0],
  { messages }: Project,
  io: Io,
): void {
  const text = messages.islands.unavailable(files.join(", "), reason);
  printProblems([{ code: "E_NO_BUNDLER", severity: "warning", ...text }], io);
}

/** Returns the accepted hosts. Read on demand, so that a saved .env takes effect at once. */
function findHosts({ project: { root }, address, io }: SupervisorOptions): readonly string[] {
  const hosts = listedHosts(
    io.env["FW_ALLOWED_HOSTS"],
    () => textOfFile(join(root, ".env")),
  );
  return address.hostname === undefined ? hosts : [...hosts, address.hostname];
}

/**
 * Returns the variables of a process. Read at each start, so that a saved `.env` takes effect at once.
 *
 * @param own `secret`: the signing key where none is set. `port`: the one that browsers use, from which the
 * application builds the links of its mails, whatever `PORT` is here.
 */
function childEnv(
  root: string,
  env: Io["env"],
  own: { readonly secret: string; readonly port: number },
): Record<string, string> {
  const hasSecret = Boolean(env["FW_SECRET"]) || /^[ \t]*(?:export[ \t]+)?FW_SECRET[ \t]*=/m.test(
    textOfFile(join(root, ".env")) ?? "",
  );
  return {
    FW_ENV: "dev",
    PORT: String(own.port),
    ...(hasSecret ? {} : { FW_SECRET: own.secret }),
  };
}
