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
  /** The path of a static file. @default none */
  readonly filePath?: string;
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

/** Plans the requests: liveness, and the first file of `public/` that no route overrides. */
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
  const files = servesPublicAlone(settings) ? walkFiles(join(root, publicFolder)) : [];
  // Only names that need no encoding in a URL.
  const file = [...files].find((name) => /^[\w./-]+$/.test(name) && !taken.has(`/${name}`));
  return {
    ...own,
    livePath: health && `${prefix}${health.value ?? "/_fw/health"}/live`,
    ...(host === undefined ? {} : { host: host.replace("*", "smoke-test") }),
    ...(file === undefined ? {} : { filePath: `${prefix}/${file}` }),
  };
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
  const { listen: { hostname }, livePath, filePath, texts } = test;
  const { signal, timeoutMs = 30_000, graceMs = 3_000 } = test;
  const port = test.listen.port ?? freePort(hostname);
  const startedMs = performance.now();
  const passedMs = (): number => performance.now() - startedMs;
  let output = "";
  const fail = (text: string): SmokeOutcome => ({ kind: "failed", text, output });
  const stop = new AbortController();
  const decoder = new TextDecoder();
  let end: DenoRun | undefined;
  let refusal: Error | undefined;
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
  const request = (path: string, ms: number): Promise<number | undefined> => {
    // The application may listen elsewhere; its log contains the address.
    const at = Number(/"url":"http:\/\/[^"]*?:(\d+)\//.exec(output)?.[1] ?? port);
    return requestStatus(path, { hostname, port: at, host: test.host, timeoutMs: ms });
  };
  try {
    const first = livePath ?? "/";
    let status: number | undefined;
    while (end === undefined && refusal === undefined && status === undefined) {
      const leftMs = timeoutMs - passedMs();
      if (leftMs <= 0) return fail(texts.smokeSilent(timeoutMs / 1_000));
      status = await request(first, leftMs);
      if (status === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // The executable has the wrong format, or its folder forbids execution.
    if (refusal !== undefined) return fail(texts.smokeUnstartable(refusal.message));
    const startMs = passedMs();
    if (status === undefined) return fail(texts.smokeEnded(end?.code ?? 1));
    if (livePath !== undefined && status !== 200) return fail(texts.smokeRefused(first, status));
    if (filePath === undefined) return { kind: "passed", startMs, asked: [first] };
    const fileStatus = await request(filePath, timeoutMs);
    return fileStatus === 200
      ? { kind: "passed", startMs, asked: [first, filePath] }
      : fail(texts.smokeRefused(filePath, fileStatus ?? 0));
  } finally {
    stop.abort();
    await ended;
  }
}

/** Requests a path; the head of the response is enough. `fetch` would use a proxy of the environment. */
function requestStatus(
  path: string,
  { hostname, port, host = `${hostname}:${port}`, timeoutMs }: {
    readonly hostname: string;
    readonly port: number;
    readonly host: string | undefined;
    readonly timeoutMs: number;
  },
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const request = get({
    hostname: hostname === "0.0.0.0" ? "127.0.0.1" : hostname,
    port,
    path,
    agent: false,
    headers: { host },
    timeout: timeoutMs,
  }, ({ statusCode }) => {
    resolve(statusCode);
    request.destroy();
  });
  request.on("timeout", () => request.destroy());
  request.on("error", () => resolve(undefined));
  request.on("close", () => resolve(undefined));
  return promise;
}

function freePort(hostname: string): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
