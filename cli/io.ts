/**
 * What a command may touch of the world: tests hand in their own.
 *
 * @module
 */

/** The outside of a command: where it runs and where it prints. */
export interface Io {
  /** Prints on standard output; the text carries its own line ends. */
  stdout(text: string): void;
  /** Prints on standard error; the text carries its own line ends. */
  stderr(text: string): void;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal that may show colour and progress. */
  readonly isTerminal: boolean;
  /** Aborts when the person asks to stop (SIGINT, SIGTERM). */
  readonly signal: AbortSignal;
}

/** One command: gets the arguments after its name, gives the exit code. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;

/** The exit codes of every command. */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** The command ran and failed, or found problems. */
  failure: 1,
  /** The command line itself was wrong; nothing was done. */
  usage: 2,
} as const;

const encoder = new TextEncoder();

/** Makes the {@link Io} of this process. */
export function systemIo(): Io {
  let controller: AbortController | undefined;
  return {
    stdout: (text) => writeAll(Deno.stdout, encoder.encode(text)),
    stderr: (text) => writeAll(Deno.stderr, encoder.encode(text)),
    cwd: Deno.cwd(),
    env: Deno.env.toObject(),
    isTerminal: Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR"),
    // Made on first touch: a command that never looks at it keeps the usual end by SIGINT.
    get signal(): AbortSignal {
      controller ??= listenForStop();
      return controller.signal;
    },
  };
}

/** Writes all the bytes: the system may take a part at a time. */
export function writeAll(stream: typeof Deno.stdout, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
}

function listenForStop(): AbortController {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  Deno.addSignalListener("SIGINT", stop);
  // Windows knows SIGINT and SIGBREAK alone.
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
  return controller;
}

/** Paints text for a terminal; plain where the output is none. */
export interface Paint {
  /** Stands out. */
  bold(text: string): string;
  /** Stands back. */
  dim(text: string): string;
  /** An error. */
  red(text: string): string;
  /** A success. */
  green(text: string): string;
}

/** Chooses the {@link Paint} that fits the output. */
export function paintFor(io: Io): Paint {
  const wrap = (open: number, close: number) => (text: string): string =>
    io.isTerminal ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: wrap(1, 22), dim: wrap(2, 22), red: wrap(31, 39), green: wrap(32, 39) };
}
