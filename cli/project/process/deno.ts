/**
 * Runs the `deno` executable of this process.
 *
 * @module
 */

export interface DenoRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DenoRunOptions {
  readonly cwd: string;
  /** The text for standard input. @default none */
  readonly input?: string;
  /** Variables added to those of this process. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  /** The time after which the process is killed. @default none */
  readonly timeoutMs?: number;
  /** Kills the process. @default never aborts */
  readonly signal?: AbortSignal;
}

/** Runs `deno` without colours and collects its output. */
export async function runDeno(args: readonly string[], options: DenoRunOptions): Promise<DenoRun> {
  const { cwd, input, env = {}, timeoutMs, signal } = options;
  const process = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { ...env, NO_COLOR: "1", RUST_BACKTRACE: "0" },
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stop = (): void => end(process);
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const [{ code, stdout, stderr }] = await Promise.all([
    process.output(),
    input === undefined ? undefined : writeInput(process.stdin, input),
  ]);
  clearTimeout(timer);
  signal?.removeEventListener("abort", stop);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function end(process: Deno.ChildProcess): void {
  try {
    process.kill("SIGKILL");
  } catch {
    // The process has just ended.
  }
}

/** Writes a text to the standard input of a process, and closes it. */
export async function writeInput(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The process ended before it read everything, which its exit code shows.
  }
}
