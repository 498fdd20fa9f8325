import { randomToken } from "@fw/fw/addon";
import { devReadyVariable, generatedFile } from "@fw/fw/conventions";
import { join } from "@std/path";
import { statIfThereSync } from "../project/files/look.ts";
import { manifestNames } from "../project/manifest.ts";
import { ErrorOutput, type ProcessEnd } from "../project/process/error_output.ts";
import { endProcess, runProgram } from "../project/process/deno.ts";
import { withoutRegistries } from "../project/process/foreign.ts";

export interface ChildAddress {
  readonly port: number;
  /** The secret that marks requests of the development server. */
  readonly token: string;
}

export interface Child {
  /** Address at which the process accepts requests; `undefined` if it ended before that. */
  readonly started: Promise<ChildAddress | undefined>;
  readonly ended: Promise<ProcessEnd>;
  /** Asks the process to end, and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ChildOptions {
  readonly root: string;
  /** Variables added to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly hasColours: boolean;
  readonly onOutput: (bytes: Uint8Array, to: "stdout" | "stderr") => void;
}

export function startChild({ root, env, hasColours, onOutput }: ChildOptions): Child {
  const token = randomToken();
  const ready = listenForReady(token);
  // The default of 10 hides the application's call of a deep library.
  const v8 = "--v8-flags=--stack-trace-limit=50";
  const run = ["run", "-A", "--no-prompt", v8, ...configFlags(root), generatedFile];
  const output = new ErrorOutput();
  const show = (bytes: Uint8Array, to: "stdout" | "stderr"): void => {
    try {
      if (bytes.length > 0) onOutput(bytes, to);
    } catch {
      // If the terminal is closed, keep reading: the pipe also carries the process's error message.
    }
  };
  let process: Deno.ChildProcess | undefined;
  const ended = runProgram(Deno.execPath(), withoutRegistries(run, root).args, {
    cwd: root,
    env: {
      // The process sees only pipes, so colour depends on the terminal of this one.
      ...(hasColours ? { FORCE_COLOR: "1" } : {}),
      ...env,
      [devReadyVariable]: ready.variable,
    },
    // Ctrl-C reaches only the development server, which stops the application once. The process group
    // includes the processes that the application started.
    isGroup: true,
    onStart: (started) => process = started,
    onOutput: (bytes, to) => show(to === "stderr" ? encode(output.push(bytes)) : bytes, to),
  }).then(({ code, signal }): ProcessEnd => {
    ready.close();
    const { message, rest } = output.finish();
    show(encode(rest), "stderr");
    return { code, signal, message };
  });
  const started = Promise.race([
    ready.port.then((port): ChildAddress => {
      show(encode(output.release()), "stderr");
      return { port, token };
    }),
    ended.then(() => undefined),
  ]);
  const stop = async (graceMs: number): Promise<void> => {
    const end = (signal: "SIGTERM" | "SIGKILL"): void => process && endProcess(process, signal);
    end("SIGTERM");
    const timer = setTimeout(() => end("SIGKILL"), graceMs);
    await ended;
    clearTimeout(timer);
  };
  return { started, ended, stop };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const maxChars = 256;

/** Listens for one process, which reports its token and port, and ends when the connection closes. */
function listenForReady(token: string): {
  readonly variable: string;
  readonly port: Promise<number>;
  close(): void;
} {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections = new Set<Deno.Conn>();
  const port = Promise.withResolvers<number>();
  void (async () => {
    for await (const connection of listener) void receive(connection);
  })();
  return {
    variable: `127.0.0.1:${listener.addr.port}/${token}`,
    port: port.promise,
    close: () => {
      listener.close();
      for (const connection of connections) connection.close();
      connections.clear();
    },
  };

  async function receive(connection: Deno.Conn): Promise<void> {
    connections.add(connection);
    const bytes = new Uint8Array(maxChars);
    let text = "";
    try {
      // After the report no more data is expected: this waits for the end of the process.
      for (let count; (count = await connection.read(bytes)) !== null;) {
        text = (text + new TextDecoder().decode(bytes.subarray(0, count))).slice(0, maxChars);
        const [, given, number] = /^(\S+) (\d{1,5})\n/.exec(text) ?? [];
        if (given === token) port.resolve(Number(number));
      }
    } catch {
      // The process was killed, or the listener was closed.
    }
    if (connections.delete(connection)) connection.close();
  }
}

function configFlags(root: string): string[] {
  const isThere = (name: string): boolean => statIfThereSync(join(root, name))?.isFile === true;
  const [config] = manifestNames.filter(isThere);
  return [...config ? ["--config", config] : [], ...isThere(".env") ? ["--env-file=.env"] : []];
}
