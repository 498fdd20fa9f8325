export interface DenoRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped: "timeout" | "output" | "memory" | "cancelled" | undefined;
  readonly signal?: Deno.Signal;
}

export interface DenoRunOptions {
  readonly cwd: string;
  /** The text for standard input. @default none */
  readonly input?: string;
  /** Variables added to those of this process. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  readonly clearEnv?: boolean;
  /** Own process group: killed as a whole, no signals of the terminal. @default false */
  readonly isGroup?: boolean;
  /** @default no limit */
  readonly timeoutMs?: number;
  /** Maximum bytes of both outputs together. @default no limit */
  readonly maxBytes?: number;
  /** Maximum memory of the process, in bytes; only on Linux. @default no limit */
  readonly maxMemoryBytes?: number;
  /** Ends the process and, for `deno task`, its child processes. @default never aborts */
  readonly signal?: AbortSignal;
  /** Grace period before the process is killed. @default 1_000 */
  readonly graceMs?: number;
  readonly onStart?: (process: Deno.ChildProcess) => void;
  /** Receives the output, which is then not collected. */
  readonly onOutput?: (bytes: Uint8Array<ArrayBuffer>, to: "stdout" | "stderr") => void;
}

const watchMs = 200;

export function runDeno(args: readonly string[], options: DenoRunOptions): Promise<DenoRun> {
  const { env = {}, ...rest } = options;
  return runProgram(Deno.execPath(), args, { ...rest, env: { ...env, ...plainOutput } });
}

export async function runProgram(
  command: string,
  args: readonly string[],
  options: DenoRunOptions,
): Promise<DenoRun> {
  const { cwd, input, env = {}, clearEnv = false, timeoutMs, signal } = options;
  const { maxBytes = Infinity, maxMemoryBytes = Infinity, graceMs = 1_000, onOutput } = options;
  const hasGroup = options.isGroup === true && Deno.build.os !== "windows";
  const process = new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { ...env },
    clearEnv,
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    detached: hasGroup,
  }).spawn();
  options.onStart?.(process);
  const left = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  let stopped: DenoRun["stopped"];
  const end = (): void => {
    endProcess(process, "SIGKILL", hasGroup);
    // A process that left the group may keep the output open forever.
    timers.push(setTimeout(() => left.abort(), graceMs));
  };
  const stop = (why: DenoRun["stopped"]): void => {
    if (stopped !== undefined) return;
    stopped = why;
    if (hasGroup) return end();
    // `deno task` passes this signal on to its command, which SIGKILL would leave running.
    endProcess(process, "SIGTERM");
    if (graceMs < Infinity) timers.push(setTimeout(end, graceMs));
  };
  if (timeoutMs !== undefined && timeoutMs !== Infinity) {
    timers.push(setTimeout(() => stop("timeout"), timeoutMs));
  }
  const watch = maxMemoryBytes === Infinity ? undefined : setInterval(() => {
    if (residentBytes(process.pid) > maxMemoryBytes) stop("memory");
  }, watchMs);
  const cancel = (): void => stop("cancelled");
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  const limit = { room: { left: maxBytes }, onFull: () => stop("output"), signal: left.signal };
  const read = (to: "stdout" | "stderr"): Promise<string> =>
    readText(process[to], { ...limit, onBytes: onOutput && ((bytes) => onOutput(bytes, to)) });
  const [status, stdout, stderr] = await Promise.all([
    hasGroup ? process.status.finally(end) : process.status,
    read("stdout"),
    read("stderr"),
    input === undefined ? undefined : writeInput(process.stdin, input),
  ]);
  timers.forEach(clearTimeout);
  clearInterval(watch);
  signal?.removeEventListener("abort", cancel);
  return {
    code: status.code,
    stdout,
    stderr,
    stopped,
    ...(status.signal && { signal: status.signal }),
  };
}

/** Returns the resident memory of a process; 0 on systems without `/proc`. */
function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))
      ?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    // Another system, or the process has just ended.
    return 0;
  }
}

/** Variables that keep the output free of colours and backtraces. */
const plainOutput = { NO_COLOR: "1", RUST_BACKTRACE: "0" };

async function readText(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { room, onFull, onBytes, signal }: {
    readonly room: { left: number };
    readonly onFull: () => void;
    readonly onBytes: ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel();
  signal.addEventListener("abort", leave, { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    room.left -= next.value.length;
    if (room.left < 0) onFull();
    else if (onBytes !== undefined) onBytes(next.value);
    else parts.push(decoder.decode(next.value, { stream: true }));
  }
  signal.removeEventListener("abort", leave);
  return parts.join("") + decoder.decode();
}

export function endProcess(
  { pid }: Deno.ChildProcess,
  signal: "SIGKILL" | "SIGTERM",
  hasGroup = false,
): void {
  try {
    Deno.kill(hasGroup ? -pid : pid, signal);
  } catch {
    // The process has just ended.
  }
}

async function writeInput(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The process ended before it read the whole input; its exit code tells why.
  }
}
