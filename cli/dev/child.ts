/**
 * One process of the application.
 *
 * @module
 */
import { join } from "@std/path";
import { devReadyVariable, generatedFile } from "@fw/fw/conventions";
import { errorOutput, type ProcessEnd } from "../project/process/error_output.ts";
import type { ReadyTicket } from "./ready.ts";
import { statIfThereSync } from "../project/files/look.ts";
import { manifestNames } from "../project/manifest.ts";

/** Where a process takes requests. */
export interface ChildAddress {
  /** The loopback port. */
  readonly port: number;
  /** The secret that marks the requests of the development server. */
  readonly token: string;
}

/** What became of a start. */
export type ChildStart =
  | { readonly kind: "ready"; readonly address: ChildAddress }
  | { readonly kind: "ended"; readonly end: ProcessEnd };

/** A process of the application. */
export interface Child {
  /** Settles when it takes requests, or has ended before it did. */
  readonly started: Promise<ChildStart>;
  /** Settles when it has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to end, and kills it after `graceMs`; settles when it has ended. */
  stop(graceMs: number): Promise<void>;
}

/** What a process is started with. */
export interface ChildOptions {
  /** The project, absolute. */
  readonly root: string;
  /** Where it reports. */
  readonly ticket: ReadyTicket;
  /** Variables on top of those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether standard error is a terminal that shows colours. */
  readonly hasColours: boolean;
  /** Takes what the process writes on standard error. */
  readonly onStderr: (bytes: Uint8Array) => void;
}

/** Starts a process of the application. */
export function startChild(options: ChildOptions): Child {
  const { root, ticket, hasColours, onStderr } = options;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", ...configFlags(root), generatedFile],
    cwd: root,
    env: {
      // Its standard error is a pipe here, whatever it is shown on.
      ...(hasColours ? { FORCE_COLOR: "1" } : {}),
      ...options.env,
      [devReadyVariable]: ticket.variable,
    },
    stdin: "null",
    // Ctrl-C reaches the development server alone, which then stops the application once; the group
    // takes along what the application started itself.
    detached: hasGroups,
    stdout: "inherit",
    stderr: "piped",
  }).spawn();
  const output = errorOutput();
  const drained = drain();
  const ended = waitForEnd();
  const started = Promise.race([
    ticket.port.then((port): ChildStart => {
      show(output.release());
      return { kind: "ready", address: { port, token: ticket.token } };
    }),
    ended.then((end): ChildStart => ({ kind: "ended", end })),
  ]);
  return { started, ended, stop };

  async function drain(): Promise<void> {
    try {
      for await (const bytes of process.stderr) show(output.push(bytes));
    } catch {
      // The pipe broke with its process.
    }
  }

  function show(bytes: Uint8Array): void {
    try {
      if (bytes.length > 0) onStderr(bytes);
    } catch {
      // A closed terminal loses this alone: the pipe is read on, for the message of a process's end.
    }
  }

  async function waitForEnd(): Promise<ProcessEnd> {
    const status = await process.status;
    // A process that the application started may hold the pipe open: it is not waited for.
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, drainMs);
    await Promise.race([drained, limit.promise]);
    clearTimeout(timer);
    ticket.close();
    const { message, rest } = output.finish();
    show(rest);
    return { code: status.code, signal: status.signal ?? undefined, message };
  }

  async function stop(graceMs: number): Promise<void> {
    const end = process.status;
    kill("SIGTERM");
    const timer = setTimeout(() => kill("SIGKILL"), graceMs);
    await end;
    clearTimeout(timer);
    if (hasGroups) kill("SIGKILL", { group: true });
    ticket.close();
  }

  function kill(signal: Deno.Signal, target: { readonly group?: boolean } = {}): void {
    try {
      Deno.kill(target.group ? -process.pid : process.pid, signal);
    } catch {
      // Nothing is left to end.
    }
  }
}

const drainMs = 50;
const hasGroups = Deno.build.os !== "windows";

function configFlags(root: string): string[] {
  const config = manifestNames.find((name) => statIfThereSync(join(root, name))?.isFile);
  return [
    ...(config === undefined ? [] : ["--config", config]),
    ...(statIfThereSync(join(root, ".env"))?.isFile ? ["--env-file=.env"] : []),
  ];
}
