import { thrownMessage } from "../../../runtime/addon.ts";
import { longestTimeoutMs } from "../../options.ts";
import { McpClientError } from "../protocol/errors.ts";

/** Options of {@link stdio}. */
export interface StdioOptions {
  /** The working directory of the child. @default that of this process */
  readonly cwd?: string | URL;
  /** Environment variables of the child, in addition to the harmless ones of this process. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the child's standard error, line by line. @default dropped */
  readonly onStderr?: (line: string) => void;
  /** Maximum size of one message, in bytes. @default 16777216 (16 MiB) */
  readonly maxMessageBytes?: number;
  /** Time for the child to exit on its own, and again after SIGTERM, in milliseconds. @default 2000 */
  readonly shutdownMs?: number;
  /** Timeout of the child's response to `server/discover`, in milliseconds. @default 3000 */
  readonly probeMs?: number;
}

const harmless = [
  ...["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"],
  // Windows
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA"],
  ...["PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE"],
];

const maxTailChars = 2_000;

const maxStderrLineChars = 65_536;

/** A child process that ends with its client, even if it ignores signals. */
export class Child {
  readonly output: ReadableStream<Uint8Array>;
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #errors: ReadableStreamDefaultReader<Uint8Array>;
  readonly #name: string;
  readonly #shutdownMs: number;
  readonly #kill: () => void;
  readonly #drained: Promise<void>;
  #tail = "";
  #status: Deno.CommandStatus | undefined = undefined;
  #ending: Promise<void> | undefined = undefined;

  constructor(command: string, args: readonly string[], options: StdioOptions) {
    this.#name = command;
    this.#shutdownMs = options.shutdownMs ?? 2_000;
    this.#process = spawn(command, args, options);
    this.output = this.#process.stdout;
    this.#writer = this.#process.stdin.getWriter();
    this.#errors = this.#process.stderr.getReader();
    this.#drained = this.#drain(options.onStderr);
    this.#process.status.then((status) => this.#status = status);
    // The last resort, if this process ends without closing its clients.
    this.#kill = () => this.#signal("SIGKILL");
    globalThis.addEventListener("unload", this.#kill);
  }

  async write(text: string): Promise<void> {
    await this.#writer.write(encoder.encode(text));
  }

  describeEnd(): string {
    const status = this.#status;
    const how = status === undefined
      ? "closed its output"
      : `ended with ${status.signal ?? `code ${status.code}`}`;
    const tail = this.#tail.trim();
    return `The MCP server "${this.#name}" ${how}${tail === "" ? "." : `: ${tail}`}`;
  }

  end(): Promise<void> {
    return this.#ending ??= this.#end();
  }

  async #end(): Promise<void> {
    // A child that does not read its input must not block the caller.
    this.#writer.close().catch(() => {});
    if (!await this.#endsWithin(this.#shutdownMs)) {
      this.#signal("SIGTERM");
      if (!await this.#endsWithin(this.#shutdownMs)) this.#signal("SIGKILL");
    }
    await this.#process.status;
    globalThis.removeEventListener("unload", this.#kill);
    await this.#writer.abort().catch(() => {});
    // A grandchild may still hold the pipes but must not block the client.
    await this.output.cancel().catch(() => {});
    const timer = setTimeout(() => void this.#errors.cancel().catch(() => {}), drainMs);
    await this.#drained;
    clearTimeout(timer);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    if (this.#status !== undefined) return true;
    const late = Promise.withResolvers<void>();
    const timer = ms > longestTimeoutMs ? undefined : setTimeout(late.resolve, ms);
    await Promise.race([this.#process.status, late.promise]);
    clearTimeout(timer);
    return this.#status !== undefined;
  }

  #signal(signal: Deno.Signal): void {
    try {
      this.#process.kill(signal);
    } catch {
      // The child has already ended.
    }
  }

  /** Reads standard error continuously, because a full pipe would block the child. */
  async #drain(onLine: ((line: string) => void) | undefined): Promise<void> {
    const decoder = new TextDecoder();
    // A callback that fails must not stop the reading.
    const tell = (text: string): void => void Promise.try(() => onLine?.(text)).catch(() => {});
    let line = "";
    const ended = { done: true, value: undefined } as const;
    for (;;) {
      const { done, value } = await this.#errors.read().catch(() => ended);
      if (done || value === undefined) break;
      const text = decoder.decode(value, { stream: true });
      this.#tail = (this.#tail + text).slice(-maxTailChars);
      if (onLine === undefined) continue;
      const lines = (line + text).split("\n");
      line = (lines.pop() ?? "").slice(0, maxStderrLineChars);
      for (const each of lines) tell(each);
    }
    if (line !== "") tell(line);
  }
}

const drainMs = 50;

const encoder = new TextEncoder();

function spawn(
  command: string,
  args: readonly string[],
  { cwd, env }: StdioOptions,
): Deno.ChildProcess {
  // Without permission to read a variable, the child does not get it.
  const isReadable = (variable: string): boolean =>
    Deno.permissions.querySync({ name: "env", variable }).state === "granted";
  const inherited = harmless.filter(isReadable).map((name) => [name, Deno.env.get(name)]);
  try {
    return new Deno.Command(command, {
      args: [...args],
      ...(cwd === undefined ? {} : { cwd }),
      clearEnv: true,
      env: { ...Object.fromEntries(inherited.filter(([, value]) => value)), ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (cause) {
    const message = `Cannot start the MCP server "${command}": ${thrownMessage(cause)}`;
    throw new McpClientError("mcp_unreachable", message, { cause });
  }
}
