import { type Load, load } from "./load.ts";

/** A measured server, in a separate process. */
export interface ServerProcess {
  /** Its name in the table. */
  readonly name: string;
  /** Its port on the loopback interface. */
  readonly port: number;
  /** Its process id. */
  readonly pid: number;
  /** Additional headers of its requests. */
  readonly headers: Readonly<Record<string, string>>;
  /** The cookies of its connections, if it has its own. */
  cookies?: readonly string[];
  /** Ends the process. */
  stop(): Promise<void>;
}

/** The start of a server: a command that listens on the port in `PORT`. */
export interface ServerSpec {
  /** Its name in the table. */
  readonly name: string;
  /** The executable. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its working directory. */
  readonly cwd?: string;
  /** Its environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Additional headers of its requests. */
  readonly headers?: Readonly<Record<string, string>>;
}

// Below the system's range of ephemeral ports.
let nextPort = 20_000 + (Deno.pid % 1_000) * 10;

/** Finds an unused port, so that no other program's responses are measured. */
function takePort(): number {
  for (;;) {
    const port = nextPort++;
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Starts a server and waits until it responds. */
export async function startServer(
  spec: ServerSpec,
  options: Pick<Load, "path" | "form">,
): Promise<ServerProcess> {
  const port = takePort();
  // The log is written to a pipe, as under systemd and in containers, not to /dev/null, whose
  // writes cost nothing.
  const sink = await Deno.makeTempFile({ prefix: "fw-bench-" });
  const process = new Deno.Command("bash", {
    args: ["-c", 'exec "$0" "$@" > >(exec cat >"$LOG") 2>&1', spec.command, ...spec.args],
    ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    env: { ...spec.env, PORT: String(port), LOG: sink, NO_COLOR: "1" },
    stdin: "null",
  }).spawn();
  await waitForAnswer(spec, { ...options, port, sink });
  return {
    name: spec.name,
    port,
    pid: process.pid,
    headers: spec.headers ?? {},
    stop: async () => {
      process.kill("SIGKILL");
      await process.status;
      await Deno.remove(sink);
    },
  };
}

async function waitForAnswer(
  spec: ServerSpec,
  at: Pick<Load, "path" | "form"> & { readonly port: number; readonly sink: string },
): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      return await load(at.port, { ...at, requests: 1, connections: 1 });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`Cannot start "${spec.name}": ${await Deno.readTextFile(at.sink)}`);
}

/** Returns the processor time of a process in all its threads, in nanoseconds. */
export function cpuTime(pid: number): number {
  let total = 0;
  for (const task of Deno.readDirSync(`/proc/${pid}/task`)) {
    // More precise than clock ticks of 10 ms, which are a tenth of a round.
    const stat = Deno.readTextFileSync(`/proc/${pid}/task/${task.name}/schedstat`);
    total += Number(stat.split(" ")[0]);
  }
  return total;
}

/** Runs one round; returns each server's processor time in nanoseconds per request. */
export async function measureRound(
  servers: readonly ServerProcess[],
  options: Load,
): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  for (const server of servers) {
    const before = cpuTime(server.pid);
    const { headers, cookies } = server;
    await load(server.port, { ...options, headers, ...(cookies === undefined ? {} : { cookies }) });
    costs.set(server.name, (cpuTime(server.pid) - before) / options.requests);
  }
  return costs;
}
