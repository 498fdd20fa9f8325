/** The environment of a command: where it runs and where it prints. */
export interface Io {
  /** Prints to standard output. No line end is added. */
  stdout(text: string): void;
  /** Prints to standard error. No line end is added. */
  stderr(text: string): void;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the output is a terminal, which shows colour and progress. */
  readonly isTerminal: boolean;
  /** Aborts when the user asks to stop (SIGINT, SIGTERM) or closes the terminal (SIGHUP). */
  readonly signal: AbortSignal;
}

export const exitCodes = {
  ok: 0,
  /** The command failed, or found problems. */
  failure: 1,
  /** The command line was invalid; nothing was done. */
  usage: 2,
} as const;

const encoder = new TextEncoder();

/** Returns the {@link Io} of this process. */
export function systemIo(): Io {
  let controller: AbortController | undefined;
  return {
    stdout: (text) => writeBytes(Deno.stdout, encoder.encode(text)),
    stderr: (text) => writeBytes(Deno.stderr, encoder.encode(text)),
    cwd: Deno.cwd(),
    env: Deno.env.toObject(),
    isTerminal: Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR"),
    // Created on first use: a command that does not use it keeps the default handling of SIGINT.
    get signal(): AbortSignal {
      controller ??= listenForStop();
      return controller.signal;
    },
  };
}

/** Writes all bytes: one write may take only a part. */
export function writeBytes(stream: typeof Deno.stdout, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
}

function listenForStop(): AbortController {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  // Windows supports only SIGINT and SIGBREAK.
  const others = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"] as const;
  for (const name of ["SIGINT", ...others] as const) Deno.addSignalListener(name, stop);
  return controller;
}

/** Formats text for a terminal; returns plain text for other outputs. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
}

export function paintFor(io: Pick<Io, "isTerminal">): Paint {
  const wrap = (open: number, close: number) => (text: string): string =>
    io.isTerminal ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39), green: wrap(32, 39) };
}
