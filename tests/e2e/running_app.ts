/** An application in a process of its own, started as its `start` task says. */
import { shellWords } from "../../cli/project/shell_words.ts";

/** How long a test waits for an answer, a line or the end, on a busy machine. */
const maxWaitMs = 120_000;

/** An application that runs. */
export interface RunningApp extends AsyncDisposable {
  /** Where it listens, with the slash at the end; waits until it does. */
  url(): Promise<string>;
  /** Asks a path. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** Waits for a text in its output. */
  saw(text: string): Promise<void>;
  /** What it wrote to both outputs so far. */
  output(): string;
  /** Asks it to stop. */
  kill(signal: Deno.Signal): void;
  /** Waits for its end. */
  ended(): Promise<Deno.CommandStatus>;
}

/**
 * Starts an application on a free port; the process is ended at the end of the block.
 *
 * @param command The command line, in which `deno` is this one.
 * @param options The folder, and variables on top.
 */
export function startApp(
  command: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): RunningApp {
  const [program = "", ...args] = (shellWords(command)[0] ?? []).map(({ text }) => text);
  const child = new Deno.Command(program === "deno" ? Deno.execPath() : program, {
    args,
    cwd: options.cwd,
    env: { NO_COLOR: "1", PORT: "0", ADDR: "", FW_ENV: "", FW_DEV_READY: "", ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  let onText = (): void => {};
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      onText();
    }
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  return {
    saw,
    url,
    output: () => text,
    kill: (signal) => child.kill(signal),
    get: async (path, init) => await fetch(new URL(path.replace(/^\//, ""), await url()), init),
    ended: async () => {
      const status = await within(child.status, () => `did not end:\n${text}`);
      await collected;
      return status;
    },
    [Symbol.asyncDispose]: async () => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
      await child.status;
      await collected;
    },
  };

  async function url(): Promise<string> {
    await saw('"url":"');
    return /"url":"([^"]+)"/.exec(text)?.[1] ?? "";
  }

  async function saw(wanted: string): Promise<void> {
    const found = Promise.withResolvers<void>();
    onText = () => text.includes(wanted) ? found.resolve() : undefined;
    onText();
    const ended = collected.then(() => {
      if (!text.includes(wanted)) throw new Error(`ended without ${wanted}:\n${text}`);
    });
    await within(Promise.race([found.promise, ended]), () => `no ${wanted} in:\n${text}`);
  }
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
