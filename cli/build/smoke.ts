import { Buffer } from "node:buffer";
import { get } from "node:http";
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { walkFiles } from "../project/files/look.ts";
import { type DenoRun, runProgram } from "../project/process/deno.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/settings.ts";
import { listenHostOf } from "../project/start_task.ts";
import { servesPublicAlone } from "./assets.ts";

export interface SmokeTest {
  readonly executable: string;
  /** The address of the executable; without a port, a free one is chosen. */
  readonly listen: { readonly hostname: string; readonly port?: number };
  readonly env: Readonly<Record<string, string>>;
  /** The `Host` header to send, if the application accepts no other. @default its address */
  readonly host?: string;
  /** The liveness path; `undefined` requests `/` and accepts any response. */
  readonly livePath: string | undefined;
  readonly file?: { readonly path: string; readonly bytes: Uint8Array };
  /** @default 30000 */
  readonly timeoutMs?: number;
  /** Grace period before the executable is killed. @default 3000 */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly texts: Messages["build"];
}

export type SmokeOutcome =
  /** `startMs` is the time from the start to the first response. */
  | { readonly kind: "passed"; readonly startMs: number; readonly asked: readonly string[] }
  | { readonly kind: "failed"; readonly text: string; readonly output: string };

export type Smoke = (test: SmokeTest) => Promise<SmokeOutcome>;

const maxFileBytes = 1_048_576;

/** Plans the requests: liveness, and the first small file of `public/` that no route overrides. */
export async function planSmokeTest(
  { root, routes, messages }: Project,
  settings: ProductionSettings,
  flags: readonly string[],
): Promise<Omit<SmokeTest, "executable" | "env">> {
  const own = { listen: listenHostOf(flags), texts: messages.build };
  const base = certain(settings, "basePath");
  const hosts = certain(settings, "allowedHosts");
  if (settings.unread !== undefined || base === undefined || hosts === undefined) {
    return { ...own, livePath: undefined };
  }
  const prefix = typeof base.value === "string" ? base.value.replace(/\/+$/, "") : "";
  const health = certain(settings, "observability.health");
  const [host] = Array.isArray(hosts.value) ? hosts.value.map(String) : [];
  const taken = new Set((await routes()).routes.map(({ pattern }) => pattern));
  const plan = {
    ...own,
    livePath: health && `${prefix}${health.value ?? "/_fw/health"}/live`,
    ...(host === undefined ? {} : { host: host.replace("*", "smoke-test") }),
  };
  if (!servesPublicAlone(settings)) return plan;
  const folder = join(root, publicFolder);
  const name = [...walkFiles(folder)].find((name) =>
    // Only names that need no encoding in a URL.
    /^[\w./-]+$/.test(name) && !taken.has(`/${name}`) &&
    Deno.statSync(join(folder, name)).size <= maxFileBytes
  );
  if (name === undefined) return plan;
  const bytes = await Deno.readFile(join(folder, name));
  return { ...plan, file: { path: `${prefix}/${name}`, bytes } };
}

function certain(settings: ProductionSettings, path: string): { value: unknown } | undefined {
  const [only, ...others] = settings.possible(path);
  return only?.kind === "known" && others.length === 0 ? { value: only.value } : undefined;
}

export async function smokeTest(test: SmokeTest): Promise<SmokeOutcome> {
  const folder = await Deno.makeTempDir({ prefix: "fw-build-" });
  try {
    return await runIn(folder, test);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runIn(folder: string, test: SmokeTest): Promise<SmokeOutcome> {
  const { listen: { hostname }, signal, timeoutMs = 30_000, graceMs = 3_000, texts } = test;
  const port = test.listen.port ?? freePort(hostname);
  const startedMs = performance.now();
  let output = "";
  const fail = (text: string): SmokeOutcome => ({ kind: "failed", text, output });
  const stop = new AbortController();
  let end: DenoRun | undefined;
  let refusal: Error | undefined;
  const decoder = new TextDecoder();
  const ended = runProgram(test.executable, [], {
    cwd: folder,
    env: { ...test.env, ADDR: `${hostname}:${port}`, PORT: String(port) },
    graceMs,
    signal: AbortSignal.any([stop.signal, ...signal === undefined ? [] : [signal]]),
    onOutput: (bytes) => {
      const chunk = decoder.decode(bytes, { stream: true });
      // The first lines contain the listen address, the last ones the reason of a failure.
      output = output.length < 131_072 ? output + chunk : output.slice(0, 65_536) + chunk;
    },
  }).then((run) => end = run, (error) => refusal = error);
  const request = (path: string, ms: number, maxBytes = 0): Promise<Answer | undefined> => {
    // The application may listen elsewhere; its log contains the address.
    const at = Number(/"url":"http:\/\/[^"]*?:(\d+)\//.exec(output)?.[1] ?? port);
    return send(path, { hostname, port: at, host: test.host, timeoutMs: ms, maxBytes });
  };
  try {
    const { livePath, file } = test;
    const first = livePath ?? "/";
    let answer: Answer | undefined;
    while (end === undefined && refusal === undefined && answer === undefined) {
      const leftMs = timeoutMs - (performance.now() - startedMs);
      if (leftMs <= 0) return fail(texts.smokeSilent(timeoutMs / 1_000));
      answer = await request(first, leftMs);
      if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // The executable has the wrong format, or its folder forbids execution.
    if (refusal !== undefined) return fail(texts.smokeUnstartable(refusal.message));
    const startMs = performance.now() - startedMs;
    if (answer === undefined) return fail(texts.smokeEnded(end?.code ?? 1));
    if (livePath !== undefined && answer.status !== 200) {
      return fail(texts.smokeRefused(first, answer.status));
    }
    if (file === undefined) return { kind: "passed", startMs, asked: [first] };
    const sent = await request(file.path, timeoutMs, file.bytes.length);
    if (sent?.status !== 200) return fail(texts.smokeRefused(file.path, sent?.status ?? 0));
    return sent.bytes.equals(file.bytes)
      ? { kind: "passed", startMs, asked: [first, file.path] }
      : fail(texts.smokeDiffers(file.path));
  } finally {
    stop.abort();
    await ended;
  }
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Sends one request. `fetch` would send it to the proxy that the environment names. */
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
