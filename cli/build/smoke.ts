import { Buffer } from "node:buffer";
import { get } from "node:http";
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { compareText } from "../problem.ts";
import { listIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/production.ts";
import { listenHostOf } from "../project/start_task.ts";
import { servesPublicAlone } from "./assets.ts";

export interface SmokeTest {
  readonly executable: string;
  /** The address of the executable; without a port, a free one is chosen. */
  readonly listen: { readonly hostname: string; readonly port?: number };
  readonly env: Readonly<Record<string, string>>;
  /** The host to request, if it accepts no other. @default its address */
  readonly host?: string;
  /** The liveness path; `undefined` requests `/` and accepts any response. */
  readonly livePath: string | undefined;
  readonly file?: { readonly path: string; readonly bytes: Uint8Array };
  /** @default 30000 */
  readonly timeoutMs?: number;
  /** The time to stop before it is killed. @default 3000 */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
}

export type SmokeOutcome =
  /** `startMs` is the time from the start to the first response. */
  | {
    readonly kind: "passed";
    readonly startMs: number;
    readonly asked: readonly string[];
    readonly host?: string;
  }
  | { readonly kind: "unstartable"; readonly reason: string }
  | { readonly kind: "ended"; readonly code: number; readonly output: string }
  | { readonly kind: "silent"; readonly timeoutMs: number; readonly output: string }
  | {
    readonly kind: "refused";
    readonly path: string;
    readonly status: number;
    readonly output: string;
  }
  | { readonly kind: "differs"; readonly path: string };

export type Smoke = (test: SmokeTest) => Promise<SmokeOutcome>;

const maxFileBytes = 1_048_576;

/** Plans the requests: liveness, and the first small file of `public/` that no route overrides. */
export async function planSmokeTest(
  { root, routes }: Project,
  settings: ProductionSettings,
  flags: readonly string[],
): Promise<Omit<SmokeTest, "executable" | "env">> {
  const listen = listenHostOf(flags);
  const base = certain(settings, "basePath");
  const hosts = certain(settings, "allowedHosts");
  if (settings.unread !== undefined || base === undefined || hosts === undefined) {
    return { listen, livePath: undefined };
  }
  const prefix = typeof base.value === "string" ? base.value.replace(/\/+$/, "") : "";
  const health = certain(settings, "observability.health");
  const [host] = Array.isArray(hosts.value) ? hosts.value.map(String) : [];
  const taken = new Set((await routes()).routes.map(({ pattern }) => pattern));
  const plan = {
    listen,
    livePath: health && `${prefix}${health.value ?? "/_fw/health"}/live`,
    ...(host === undefined ? {} : { host: host.replace("*", "smoke-test") }),
  };
  if (!servesPublicAlone(settings)) return plan;
  for await (const name of plainFiles(join(root, publicFolder), "")) {
    const file = join(root, publicFolder, name);
    if (taken.has(`/${name}`) || (await Deno.stat(file)).size > maxFileBytes) continue;
    return { ...plan, file: { path: `${prefix}/${name}`, bytes: await Deno.readFile(file) } };
  }
  return plan;
}

function certain(settings: ProductionSettings, path: string): { value: unknown } | undefined {
  const [only, ...others] = settings.possible(path);
  return only?.kind === "known" && others.length === 0 ? { value: only.value } : undefined;
}

/** Lists the files whose names need no encoding in a URL, those of a folder before its subfolders. */
async function* plainFiles(root: string, folder: string): AsyncGenerator<string> {
  const entries = (await listIfThere(join(root, folder))).sort((a, b) =>
    Number(a.isDirectory) - Number(b.isDirectory) || compareText(a.name, b.name)
  );
  for (const { name, isDirectory, isFile } of entries) {
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isFile) yield path;
    else if (isDirectory) yield* plainFiles(root, path);
  }
}

/** The maximum number of ports to try when another program takes the chosen one first. */
const maxPorts = 3;

const portIsTaken = /another program uses that port|AddrInUse|EADDRINUSE|address already in use/i;

export async function smokeTest(test: SmokeTest): Promise<SmokeOutcome> {
  for (let ports = 1;; ports++) {
    const folder = await Deno.makeTempDir({ prefix: "fw-build-" });
    try {
      const outcome = await runIn(folder, test);
      const isRaced = test.listen.port === undefined && !test.signal?.aborted &&
        outcome.kind === "ended" && portIsTaken.test(outcome.output);
      if (!isRaced || ports === maxPorts) return outcome;
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
}

async function runIn(folder: string, test: SmokeTest): Promise<SmokeOutcome> {
  const { listen: { hostname }, signal, timeoutMs = 30_000, graceMs = 3_000 } = test;
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
  let output = "";
  const collected = Promise.all([child.stdout, child.stderr].map(async (stream) => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      // The start has the listen address, the end the reason of a failure.
      output = output.length < 131_072 ? output + chunk : output.slice(0, 65_536) + chunk;
    }
  }));
  let code: number | undefined;
  const end = child.status.then((status) => code = status.code);
  const stop = (): void => {
    kill(child, "SIGTERM");
    if (code !== undefined) return;
    const timer = setTimeout(() => kill(child, "SIGKILL"), graceMs);
    void end.then(() => clearTimeout(timer));
  };
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const request = (path: string, ms: number, maxBytes = 0): Promise<Answer | undefined> => {
    // The application may listen elsewhere; its log contains the address.
    const at = Number(/"url":"http:\/\/[^"]*?:(\d+)\//.exec(output)?.[1] ?? port);
    return send(path, { hostname, port: at, host: test.host, timeoutMs: ms, maxBytes });
  };
  try {
    const { livePath, file } = test;
    const first = livePath ?? "/";
    let answer: Answer | undefined;
    while (code === undefined && answer === undefined) {
      const leftMs = timeoutMs - (performance.now() - startedMs);
      if (leftMs <= 0) return { kind: "silent", timeoutMs, output };
      answer = await request(first, leftMs);
      if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const startMs = performance.now() - startedMs;
    if (answer === undefined) {
      await drain(collected);
      return { kind: "ended", code: code ?? 1, output };
    }
    if (livePath !== undefined && answer.status !== 200) {
      return { kind: "refused", path: first, status: answer.status, output };
    }
    const passed = { kind: "passed", startMs, ...test.host && { host: test.host } } as const;
    if (file === undefined) return { ...passed, asked: [first] };
    const sent = await request(file.path, timeoutMs, file.bytes.length);
    if (sent?.status !== 200) {
      return { kind: "refused", path: file.path, status: sent?.status ?? 0, output };
    }
    return sent.bytes.equals(file.bytes)
      ? { ...passed, asked: [first, file.path] }
      : { kind: "differs", path: file.path };
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
    await end;
    await drain(collected);
  }
}

/** Waits for the last lines of an ended process. A process of its own may hold its output open. */
async function drain(collected: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([collected, new Promise((resolve) => timer = setTimeout(resolve, 500))]);
  clearTimeout(timer);
}

function kill(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch {
    // The process has ended.
  }
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Sends one request. `fetch` cannot set a host other than the address. */
function send(
  path: string,
  options: {
    readonly hostname: string;
    readonly port: number;
    readonly host: string | undefined;
    readonly timeoutMs: number;
    readonly maxBytes: number;
  },
): Promise<Answer | undefined> {
  const { hostname, port, host = `${hostname}:${port}`, timeoutMs, maxBytes } = options;
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const asked = get({
    hostname: hostname === "0.0.0.0" ? "127.0.0.1" : hostname,
    port,
    path,
    agent: false,
    headers: { host, "accept-encoding": "identity" },
  }, (response) => {
    let bytes = Buffer.alloc(0);
    const done = (): void => {
      resolve({ status: response.statusCode ?? 0, bytes });
      asked.destroy();
    };
    response.on("error", () => resolve(undefined));
    response.on("end", done);
    response.on("data", (chunk: Uint8Array) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > maxBytes) done();
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

function freePort(hostname: string): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
