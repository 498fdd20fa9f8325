export interface DenoRun {
  /** Its output was over the limit. */
  readonly isCut: boolean;
  /** It was killed because its time was over. */
  readonly isLate: boolean;
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
  /** It gets the variables of `env` alone. @default false */
  readonly clearEnv?: boolean;
  /** The time after which the process is killed. @default none */
  readonly timeoutMs?: number;
  /** The bytes of both outputs together after which the process is ended. @default no limit */
  readonly maxBytes?: number;
  /** Ends the process and, if it is `deno task`, those that it started. @default never aborts */
  readonly signal?: AbortSignal;
}

/** Then a process that did not end by itself is killed. */
const graceMs = 1000;

/** Runs `deno` without colours and collects its output. */
export async function runDeno(args: readonly string[], options: DenoRunOptions): Promise<DenoRun> {
  const { cwd, input, env = {}, clearEnv = false, timeoutMs, maxBytes = Infinity, signal } =
    options;
  const process = spawnDeno(args, { cwd, env, clearEnv, hasInput: input !== undefined });
  const kill = (): void => endProcess(process, "SIGKILL");
  const left = new AbortController();
  let last: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const end = (): void => {
    kill();
    // What left the group of the process may hold its output for ever.
    last = setTimeout(() => left.abort(), graceMs);
  };
  const timer = timeoutMs === undefined || timeoutMs === Infinity ? undefined : setTimeout(() => {
    isLate = true;
    end();
  }, timeoutMs);
  const stop = (): void => {
    // `deno task` passes this signal on to its command, which SIGKILL would leave running.
    endProcess(process, "SIGTERM");
    last = setTimeout(end, graceMs);
  };
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const room = { left: maxBytes };
  let isCut = false;
  const onFull = (): void => {
    if (!isCut) stop();
    isCut = true;
  };
  const read = (stream: ReadableStream<Uint8Array>) =>
    readText(stream, { room, onFull, signal: left.signal });
  const [{ code }, stdout, stderr] = await Promise.all([
    process.status,
    read(process.stdout),
    read(process.stderr),
    input === undefined ? undefined : writeInput(process.stdin, input),
  ]);
  clearTimeout(timer);
  clearTimeout(last);
  signal?.removeEventListener("abort", stop);
  return { code, stdout, stderr, isCut, isLate };
}

/** Starts `deno` without colours, with pipes for its output. */
export function spawnDeno(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** It gets these variables alone. @default false */
    readonly clearEnv?: boolean;
    readonly hasInput: boolean;
    /** It leads a group of its own, with what it starts. @default false */
    readonly detached?: boolean;
  },
): Deno.ChildProcess {
  const { cwd, env, clearEnv = false, hasInput, detached = false } = options;
  return new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { ...env, NO_COLOR: "1", RUST_BACKTRACE: "0" },
    clearEnv,
    stdin: hasInput ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
    detached,
  }).spawn();
}

/** Reads a string; what is over the limit is left out. */
export async function readText(
  stream: ReadableStream<Uint8Array>,
  { room, onFull, signal }: {
    readonly room: { left: number };
    readonly onFull: () => void;
    readonly signal?: AbortSignal;
  },
): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel();
  signal?.addEventListener("abort", leave, { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    room.left -= next.value.length;
    if (room.left < 0) onFull();
    else parts.push(decoder.decode(next.value, { stream: true }));
  }
  signal?.removeEventListener("abort", leave);
  return parts.join("") + decoder.decode();
}

export function endProcess(process: Deno.ChildProcess, signal: "SIGKILL" | "SIGTERM"): void {
  try {
    process.kill(signal);
  } catch {
    // The process has just ended.
  }
}

/** Writes a string to the standard input of a process, and closes it. */
export async function writeInput(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The process ended before it read everything, which its exit code shows.
  }
}
