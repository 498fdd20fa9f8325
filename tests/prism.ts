/**
 * Prism as a validating proxy: it judges each request and its response by a document of OpenAPI.
 *
 * Prism follows redirects, reads every body as text and joins cookies. So the application gets each
 * request as it was sent, the test gets the response as it was made, and Prism judges copies of both
 * on their way.
 */
import type { App } from "@fw/fw";
import { registryAnswers } from "./npm_program.ts";
import { freePort } from "./free_port.ts";

const program = "@stoplight/prism-cli@5.16.0";

/** Where a Prism that runs is reached, and where it looks for the application. */
export interface PrismPlace {
  readonly port: number;
  /** The port of the application behind it. */
  readonly upstream: number;
}

export interface ApiCall {
  readonly method: string;
  /** The path as the document has it, `/events/{slug}`. */
  readonly path: string;
}

/** Runs with Prism before an application that {@linkcode JudgedApp} will serve. */
export async function withPrism(
  document: string,
  work: (place: PrismPlace) => Promise<void>,
): Promise<void> {
  const place = { port: freePort(), upstream: freePort() };
  const script = await (found ??= findPrism());
  if (script === undefined) throw new Error(`Cannot find ${program}: npm printed no path`);
  const target = `http://127.0.0.1:${place.upstream}`;
  const args = [script, "proxy", document, target, "-h", "127.0.0.1", "-p", `${place.port}`];
  const prism = new Deno.Command("node", { args, stdin: "null", stdout: "null", stderr: "null" })
    .spawn();
  try {
    await listens(place.port);
    await work(place);
  } finally {
    prism.kill("SIGKILL");
    await prism.status;
  }
}

/** Returns why Prism cannot run here; npm installs it unless the registry is out of reach. */
export async function noPrism(): Promise<string | undefined> {
  if (await registryAnswers()) return undefined;
  const reason = `the npm registry does not answer, and ${program} was not fetched before`;
  return await findPrism("--offline") === undefined ? reason : undefined;
}

/** Where the program is; npm takes a second to tell. */
let found: Promise<string | undefined> | undefined;

/** Returns the path of the program, which npm installs when it must. */
async function findPrism(...flags: readonly string[]): Promise<string | undefined> {
  const args = [...flags, "-y", "-p", program, "-c", "command -v prism"];
  try {
    // Outside of any project: npm would look into its packages first.
    const cwd = await Deno.makeTempDir();
    const { success, stdout } = await new Deno.Command("npx", { args, cwd, stderr: "null" })
      .output();
    await Deno.remove(cwd, { recursive: true });
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

/** Waits until something listens, at most a minute. */
async function listens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Deno.errors.TimedOut("Prism does not answer");
}

type Fetch = App["fetch"];

interface Pending {
  readonly answer: () => Promise<Response>;
  /** What the application answered. */
  answered?: Response;
}

/** How long Prism may take for one request. */
const timeoutMs = 15_000;

/** The header by which a request is found again behind Prism. */
const idHeader = "x-prism-call";

/** What Prism found. */
interface Violation {
  readonly location: readonly string[];
  readonly severity: string;
  /** The status that Prism itself would answer. */
  readonly code: string | number;
  readonly message: string;
}

/** Whether a violation is the request's, and the application refused it: with 302 it asks to sign in. */
function isRefused({ location: [side], code }: Violation, status: number): boolean {
  return side === "request" && (status >= 400 || status === 302 && code === 401);
}

/** Sends the calls of a document through Prism, and fails where it finds a difference. */
export class JudgedApp {
  /** What Prism judged, as `GET /events/{slug} 200`. */
  readonly judged: Set<string> = new Set();
  readonly #place: PrismPlace;
  readonly #operations: readonly (ApiCall & { readonly pattern: RegExp })[];
  readonly #pending = new Map<string, Pending>();
  readonly #server: Deno.HttpServer;

  /**
   * @param place Where Prism is.
   * @param operations What it judges; other requests go to the application.
   */
  constructor(place: PrismPlace, operations: readonly ApiCall[]) {
    this.#place = place;
    this.#operations = operations.map((each) => ({ ...each, pattern: patternOf(each.path) }));
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: place.upstream, onListen: () => {} },
      (request) => this.#answer(request),
    );
    // A module that is preloaded is done when nothing holds its event loop.
    this.#server.unref();
  }

  /** Returns a handler that goes through Prism. */
  wrap(fetch: Fetch): Fetch {
    return async (request, info) => {
      const { pathname, search } = new URL(request.url);
      const call = this.#operations.find(({ method, pattern }) =>
        method === request.method && pattern.test(pathname)
      );
      if (call === undefined) return await fetch(request, info);
      const id = crypto.randomUUID();
      const pending: Pending = { answer: async () => await fetch(request.clone(), info) };
      this.#pending.set(id, pending);
      const headers = new Headers(request.headers);
      headers.set(idHeader, id);
      const verdict = await globalThis.fetch(
        `http://127.0.0.1:${this.#place.port}${pathname}${search}`,
        {
          method: request.method,
          headers,
          ...await bodyOf(request),
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        },
      );
      this.#pending.delete(id);
      const text = await verdict.text();
      const what = `${call.method} ${call.path} ${pathname}${search}`;
      const { answered } = pending;
      if (answered === undefined) throw new Error(`${what}: Prism answered itself: ${text}`);
      const found: readonly Violation[] = JSON.parse(verdict.headers.get("sl-violations") ?? "[]");
      const differences = found.filter((each) => !isRefused(each, answered.status));
      if (differences.length > 0) {
        throw new Error(`${what}: ${answered.status} differs: ${JSON.stringify(differences)}`);
      }
      if (verdict.status !== answered.status) {
        throw new Error(`${what}: ${answered.status} became ${verdict.status}: ${text}`);
      }
      this.judged.add(`${call.method} ${call.path} ${answered.status}`);
      return answered;
    };
  }

  async close(): Promise<void> {
    await this.#server.shutdown();
  }

  /** Answers what comes out of Prism: keeps the response, and hands out a copy. */
  async #answer(request: Request): Promise<Response> {
    const pending = this.#pending.get(request.headers.get(idHeader) ?? "");
    await request.body?.cancel();
    if (pending === undefined) return new Response("no such call", { status: 502 });
    const { status, headers, body } = await pending.answer();
    const bytes = body === null ? null : await new Response(body).arrayBuffer();
    pending.answered = new Response(bytes, { status, headers });
    const copy = new Headers(headers);
    // Prism would go there, and judge that response instead.
    copy.delete("location");
    copy.set("connection", "close");
    return new Response(bytes, { status, headers: copy });
  }
}

export async function readOperations(file: string): Promise<readonly ApiCall[]> {
  const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
    await Deno.readTextFile(file),
  );
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path }))
  );
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

/** Returns the body of a request; Prism takes an empty one for none. */
async function bodyOf(request: Request): Promise<RequestInit> {
  return request.body === null ? {} : { body: await request.clone().arrayBuffer() };
}
