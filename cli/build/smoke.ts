/**
 * Starts an executable and sends it the first requests.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { get } from "node:http";
import { collectOutput } from "./output.ts";

export interface SmokeTest {
  readonly executable: string;
  /** Where the executable may listen; without a port, a free one is chosen. */
  readonly listen: { readonly hostname: string; readonly port?: number };
  /** Its variables, besides the listen address. */
  readonly env: Readonly<Record<string, string>>;
  /** The host to request, if it accepts no other. @default its address */
  readonly host?: string;
  /** The liveness path; `undefined` requests `/` and accepts any response. */
  readonly livePath: string | undefined;
  /** A static file that it must serve. */
  readonly file?: { readonly path: string; readonly bytes: Uint8Array };
  /** Arguments with which it must end by itself instead of serving. @default not tried */
  readonly tellArgs?: readonly string[];
  /** How long it may take to respond. @default 30000 */
  readonly timeoutMs?: number;
  /** How long it may take to stop before it is killed. @default 3000 */
  readonly graceMs?: number;
  /** Stops the test. @default never aborts */
  readonly signal?: AbortSignal;
}

export type SmokeOutcome =
  /** The executable passed. `startMs` is the time from the start to the first response. */
  | {
    readonly kind: "passed";
    readonly startMs: number;
    readonly asked: readonly string[];
    readonly host?: string;
  }
  /** The system cannot run it. */
  | { readonly kind: "unstartable"; readonly reason: string }
  /** It ended by itself. */
  | { readonly kind: "ended"; readonly code: number; readonly output: string }
  /** It did not respond in time. */
  | { readonly kind: "silent"; readonly timeoutMs: number; readonly output: string }
  /** It responded with a status that means an error. */
  | {
    readonly kind: "refused";
    readonly path: string;
    readonly status: number;
    readonly output: string;
  }
  /** It served with the arguments with which it should only have told its version. */
  | { readonly kind: "serves"; readonly args: readonly string[] }
  /** It responded with different content. */
  | { readonly kind: "differs"; readonly path: string };

/** Tests an executable. Tests pass their own. */
export type Smoke = (test: SmokeTest) => Promise<SmokeOutcome>;

const defaultTimeoutMs = 30_000;
const retryMs = 5;
const defaultGraceMs = 3_000;

/** Starts an executable in an empty folder, sends requests to it, and stops it. */
export async function smokeTest(test: SmokeTest): Promise<SmokeOutcome> {
  const { tellArgs } = test;
  if (tellArgs !== undefined && !await inFolder((folder) => endsWith(tellArgs, folder, test))) {
    return { kind: "serves", args: tellArgs };
  }
  for (let ports = 1;; ports++) {
    const outcome = await inFolder((folder) => runIn(folder, test));
    const isRaced = test.listen.port === undefined && !test.signal?.aborted &&
      outcome.kind === "ended" && portIsTaken.test(outcome.output);
    if (!isRaced || ports === maxPorts) return outcome;
  }
}

/** The maximum number of ports to try when another program takes the chosen one first. */
const maxPorts = 3;

/** The messages of the framework, Deno and Node for a port in use. */
const portIsTaken = /another program uses that port|AddrInUse|EADDRINUSE|address already in use/i;

async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "fw-build-" });
  try {
    return await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** How long the executable may take to tell its version. */
const tellMs = 10_000;

/**
 * Reports whether the executable ends with these arguments. One that cannot be started, or fails,
 * is reported by the test that follows, with its output.
 */
async function endsWith(
  args: readonly string[],
  folder: string,
  { executable, env, listen, signal }: SmokeTest,
): Promise<boolean> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(executable, {
      args: [...args],
      cwd: folder,
      env: { ...env, ADDR: `${listen.hostname}:0`, PORT: "0" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  } catch {
    return true;
  }
  let isOver = false;
  const end = child.status.then(() => isOver = true);
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, tellMs);
  signal?.addEventListener("abort", () => timer.resolve(), { once: true });
  if (signal?.aborted) timer.resolve();
  await Promise.race([end, timer.promise]);
  clearTimeout(timeout);
  const hasEnded = isOver;
  await stop(child, { end, graceMs: defaultGraceMs });
  return hasEnded || signal?.aborted === true;
}

async function runIn(folder: string, test: SmokeTest): Promise<SmokeOutcome> {
  const { hostname } = test.listen;
  const port = test.listen.port ?? freePort(hostname);
  const startedMs = performance.now();
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(test.executable, {
      cwd: folder,
      env: { ...test.env, ADDR: `${hostname}:${port}`, PORT: String(port) },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    // Wrong format, or a folder that forbids execution.
    if (error instanceof Error) return { kind: "unstartable", reason: error.message };
    throw error;
  }
  const output = collectOutput(child);
  let ended: Deno.CommandStatus | undefined;
  const end = child.status.then((status) => ended = status);
  const stopping = { end, graceMs: test.graceMs ?? defaultGraceMs };
  // The request loop notices that the process has ended.
  const onAbort = (): void => void stop(child, stopping);
  test.signal?.addEventListener("abort", onAbort, { once: true });
  if (test.signal?.aborted) onAbort();
  try {
    return await ask(test, {
      startedMs,
      // The application may listen elsewhere; its log contains the address.
      port: () => Number(/"url":"http:\/\/[^"]*?:(\d+)\//.exec(output.text())?.[1] ?? port),
      ended: () => ended,
      output: output.text,
      done: output.done,
    });
  } finally {
    test.signal?.removeEventListener("abort", onAbort);
    await stop(child, stopping);
    await output.done();
  }
}

interface Running {
  readonly startedMs: number;
  port(): number;
  ended(): Deno.CommandStatus | undefined;
  output(): string;
  /** Settles when everything that it wrote is in `output`. */
  done(): Promise<void>;
}

async function ask(test: SmokeTest, running: Running): Promise<SmokeOutcome> {
  const { livePath, host, file, timeoutMs = defaultTimeoutMs } = test;
  const first = livePath ?? "/";
  const answer = await firstAnswer(first, { test, running, timeoutMs });
  const startMs = performance.now() - running.startedMs;
  if (answer === undefined) {
    const status = running.ended();
    if (status === undefined) return { kind: "silent", timeoutMs, output: running.output() };
    // Its last lines may come after its end.
    await running.done();
    return { kind: "ended", code: status.code, output: running.output() };
  }
  if (livePath !== undefined && answer.status !== 200) {
    return { kind: "refused", path: first, status: answer.status, output: running.output() };
  }
  const passed = { kind: "passed", startMs, ...(host === undefined ? {} : { host }) } as const;
  if (file === undefined) return { ...passed, asked: [first] };
  const maxBytes = file.bytes.length;
  const sent = await request(file.path, { test, port: running.port(), timeoutMs, maxBytes });
  if (sent?.status !== 200) {
    const status = sent?.status ?? 0;
    return { kind: "refused", path: file.path, status, output: running.output() };
  }
  if (!isSame(sent.bytes, file.bytes)) return { kind: "differs", path: file.path };
  return { ...passed, asked: [first, file.path] };
}

/** Sends requests until there is a response, the process has ended, or time is up. */
async function firstAnswer(
  path: string,
  options: { readonly test: SmokeTest; readonly running: Running; readonly timeoutMs: number },
): Promise<Answer | undefined> {
  const { test, running, timeoutMs } = options;
  while (running.ended() === undefined) {
    const leftMs = timeoutMs - (performance.now() - running.startedMs);
    if (leftMs <= 0) break;
    const answer = await request(path, { test, port: running.port(), timeoutMs: leftMs });
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  return undefined;
}

interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

interface Asked {
  readonly test: SmokeTest;
  readonly port: number;
  /** The timeout of the whole response. */
  readonly timeoutMs: number;
  /** The maximum number of body bytes to read. @default 0 */
  readonly maxBytes?: number;
}

/** Sends one request. `fetch` cannot set a host other than the address. */
function request(path: string, options: Asked): Promise<Answer | undefined> {
  const { test, port, timeoutMs, maxBytes = 0 } = options;
  const { hostname } = test.listen;
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const asked = get({
    hostname: hostname === "0.0.0.0" ? "127.0.0.1" : hostname,
    port,
    path,
    agent: false,
    headers: { host: test.host ?? `${hostname}:${port}`, "accept-encoding": "identity" },
  }, (response) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const done = (): void => {
      resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) });
      asked.destroy();
    };
    response.on("error", () => resolve(undefined));
    response.on("end", done);
    response.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) done();
    });
    // A page may be an endless stream; the head of the response is enough.
    if (maxBytes === 0) done();
  });
  const timer = setTimeout(() => asked.destroy(), timeoutMs);
  asked.on("error", () => resolve(undefined));
  asked.on("close", () => {
    clearTimeout(timer);
    resolve(undefined);
  });
  return promise;
}

/** Asks the process to stop, and kills it after the grace period. */
async function stop(
  child: Deno.ChildProcess,
  options: { readonly end: Promise<unknown>; readonly graceMs: number },
): Promise<void> {
  const kill = (signal: Deno.Signal): void => {
    try {
      child.kill(signal);
    } catch {
      // The process has ended.
    }
  };
  kill("SIGTERM");
  const timer = setTimeout(() => kill("SIGKILL"), options.graceMs);
  await options.end;
  clearTimeout(timer);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Returns a free port of an address. */
function freePort(hostname: string): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
