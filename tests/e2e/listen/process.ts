import { fromFileUrl } from "@std/path";

/** How long a test waits for a line or for the end of the process. */
const maxWaitMs = 120_000;

const script = fromFileUrl(new URL("./server.ts", import.meta.url));

/** Variables that would change where the process listens, and what it says of itself. */
const clearedVariables = {
  PORT: "",
  ADDR: "127.0.0.1:0",
  FW_ENV: "",
  FW_DEV_READY: "",
  FW_SECRET: "",
};

/** A server in a process of its own. */
export interface ServerProcess {
  /** Where it listens, with the slash at the end; waits until it does. */
  url(): Promise<string>;
  /** Waits for a text in its output. */
  saw(text: string): Promise<void>;
  /** What it wrote to both outputs so far. */
  output(): string;
  kill(signal: Deno.Signal): void;
  /** Waits for its end. */
  ended(): Promise<Deno.CommandStatus>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts `server.ts`; the process is ended at the end of the block. */
export function startServer(
  args: readonly string[] = [],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly permissions?: readonly string[];
  } = {},
): ServerProcess {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", ...(options.permissions ?? ["-A"]), script, ...args],
    env: { NO_COLOR: "1", ...clearedVariables, ...options.env },
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
    saw,
    output: () => text,
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
        // It has ended already.
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
