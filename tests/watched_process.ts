/** A process whose output a test waits for. */

/** The timeout for a response, a line or the end, on a busy machine. */
const maxWaitMs = 120_000;

export interface WatchedProcess extends AsyncDisposable {
  readonly pid: number;
  /** The URL it listens on, with a trailing slash; waits until it listens. */
  url(): Promise<string>;
  saw(text: string): Promise<void>;
  output(): string;
  readonly written: { readonly stdout: string; readonly stderr: string };
  kill(signal: Deno.Signal): void;
  ended(): Promise<Deno.CommandStatus>;
}

/**
 * Starts a program; the process ends with the block.
 *
 * @param program The program.
 * @param options Its arguments, its folder, and variables on top of this process's own.
 */
export function startWatched(
  program: string,
  options: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string;
  },
): WatchedProcess {
  const child = new Deno.Command(program, {
    args: [...options.args],
    env: { NO_COLOR: "1", ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  let onText = (): void => {};
  const written = { stdout: "", stderr: "" };
  const collect = async (name: "stdout" | "stderr"): Promise<void> => {
    for await (const chunk of child[name].pipeThrough(new TextDecoderStream())) {
      text += chunk;
      written[name] += chunk;
      onText();
    }
  };
  const collected = Promise.all([collect("stdout"), collect("stderr")]);
  const saw = async (wanted: string): Promise<void> => {
    const found = Promise.withResolvers<void>();
    onText = () => text.includes(wanted) ? found.resolve() : undefined;
    onText();
    const ended = collected.then(() => {
      if (!text.includes(wanted)) throw new Error(`ended without ${wanted}:\n${text}`);
    });
    await within(Promise.race([found.promise, ended]), () => `no ${wanted} in:\n${text}`);
  };
  return {
    pid: child.pid,
    saw,
    output: () => text,
    written,
    kill: (signal) => child.kill(signal),
    async url(): Promise<string> {
      await saw('"url":"');
      return /"url":"([^"]+)"/.exec(text)?.[1] ?? "";
    },
    async ended(): Promise<Deno.CommandStatus> {
      const status = await within(child.status, () => `did not end:\n${text}`);
      await collected;
      return status;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has already ended.
      }
      await child.status;
      await collected;
    },
  };
}

async function within<T>(work: Promise<T>, message: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message())), maxWaitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
