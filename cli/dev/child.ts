/**
 * Runs one process of the application.
 *
 * @module
 */
import { devReadyVariable, generatedFile } from "@fw/fw/conventions";
import { join } from "@std/path";
import { statIfThereSync } from "../project/files/look.ts";
import { manifestNames } from "../project/manifest.ts";
import { errorOutput, type ProcessEnd } from "../project/process/error_output.ts";
import type { ReadyTicket } from "./ready.ts";

/** Where a process listens. */
export interface ChildAddress {
  readonly port: number;
  /** The secret that marks requests of the development server. */
  readonly token: string;
}

export type ChildStart =
  | { readonly kind: "ready"; readonly address: ChildAddress }
  | { readonly kind: "ended"; readonly end: ProcessEnd };

export interface Child {
  /** Settles when the process accepts requests, or has ended before that. */
  readonly started: Promise<ChildStart>;
  readonly ended: Promise<ProcessEnd>;
  /** Asks the process to end, and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ChildOptions {
  readonly root: string;
  readonly ticket: ReadyTicket;
  /** Variables added to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly hasColours: boolean;
  /** Receives what the process writes to standard error. */
  readonly onStderr: (bytes: Uint8Array) => void;
  /** Receives what the process writes to standard output. */
  readonly onStdout: (bytes: Uint8Array) => void;
}

export function startChild(options: ChildOptions): Child {
  const { root, ticket, hasColours, onStderr, onStdout } = options;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", ...configFlags(root), generatedFile],
    cwd: root,
    env: {
      // Both outputs are pipes here, whatever they are shown on.
      ...(hasColours ? { FORCE_COLOR: "1" } : {}),
      ...options.env,
      [devReadyVariable]: ticket.variable,
    },
    stdin: "null",
    // Ctrl-C reaches only the development server, which stops the application once. The process group
    // includes the processes that the application started.
    detached: hasGroups,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = errorOutput();
  const drained = Promise.all([
    drain(process.stderr, (bytes) => show(output.push(bytes), onStderr)),
    drain(process.stdout, (bytes) => show(bytes, onStdout)),
  ]);
  const ended = waitForEnd();
  const started = Promise.race([
    ticket.port.then((port): ChildStart => {
      show(output.release(), onStderr);
      return { kind: "ready", address: { port, token: ticket.token } };
    }),
    ended.then((end): ChildStart => ({ kind: "ended", end })),
  ]);
  return { started, ended, stop };

  async function waitForEnd(): Promise<ProcessEnd> {
    const status = await process.status;
    // A process that the application started may hold the pipe open, so do not wait for it.
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, drainMs);
    await Promise.race([drained, limit.promise]);
    clearTimeout(timer);
    ticket.close();
    const { message, rest } = output.finish();
    show(rest, onStderr);
    return { code: status.code, signal: status.signal ?? undefined, message };
  }

  async function stop(graceMs: number): Promise<void> {
    const end = process.status;
    kill(process.pid, "SIGTERM");
    const timer = setTimeout(() => kill(process.pid, "SIGKILL"), graceMs);
    await end;
    clearTimeout(timer);
    if (hasGroups) kill(-process.pid, "SIGKILL");
    ticket.close();
  }
}

type Write = (bytes: Uint8Array) => void;

async function drain(stream: ReadableStream<Uint8Array>, write: Write): Promise<void> {
  try {
    for await (const bytes of stream) write(bytes);
  } catch {
    // The pipe broke with its process.
  }
}

function show(bytes: Uint8Array, write: Write): void {
  try {
    if (bytes.length > 0) write(bytes);
  } catch {
    // If the terminal is closed, keep reading: the pipe also carries the error message of the
    // process.
  }
}

function kill(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // The process has ended.
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
