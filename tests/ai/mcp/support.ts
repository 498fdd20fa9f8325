import { dial, http, McpClientError } from "../../../ai/mcp/mod.ts";
import type { DialOptions, McpClient, McpServer } from "../../../ai/mcp/mod.ts";
import { App, Off, type Settings } from "../../../mod.ts";

export interface ServedApp extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
}

export function serve(
  server: McpServer,
  { settings = {}, port = 0 }: { readonly settings?: Settings; readonly port?: number } = {},
): ServedApp {
  const app = new App({ logRequest: Off, logger: quiet, ...settings });
  app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
  const listener = Deno.serve(
    { port, hostname: "127.0.0.1", onListen: () => {} },
    (request, info) => app.fetch(request, info),
  );
  return {
    app,
    url: `http://127.0.0.1:${listener.addr.port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await app.shutdown();
      await listener.shutdown();
    },
  };
}

export const quiet: NonNullable<Settings["logger"]> = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => quiet,
} as NonNullable<Settings["logger"]>;

/** Repeats an event until a reader gets it, because no signal tells when the reader listens. */
export async function repeatUntil<T>(heard: Promise<T>, send: () => void): Promise<T> {
  const timer = setInterval(send, 20);
  return await heard.finally(() => clearInterval(timer));
}

/** Returns the arguments of Deno that run a program of this folder. */
export function program(name: string, ...args: string[]): string[] {
  return ["run", "-A", "--no-check", new URL(`servers/${name}`, import.meta.url).pathname, ...args];
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined, (error) => error);
  return error instanceof McpClientError ? error.code : String(error);
}

export function asFetch(
  handle: (request: Request) => Promise<Response>,
): (url: URL, init: RequestInit) => Promise<Response> {
  return (url, init) => handle(new Request(url, init));
}

/** A server with sessions, as a function: `answer` gets the requests after the handshake. */
export class SessionServer {
  readonly opened: string[] = [];
  /** Members of the handshake response besides the revision. */
  facts: Record<string, unknown> = { capabilities: {} };
  /** Responds to methods other than POST. @default 405 */
  other: (request: Request) => Response = () => new Response(null, { status: 405 });
  readonly #answer: (method: string | undefined, id: unknown, request: Request) => unknown;

  /** @param answer Gets no method with the answer to a request of the server. */
  constructor(answer: (method: string | undefined, id: unknown, request: Request) => unknown) {
    this.#answer = answer;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return this.other(request);
    const { id, method } = await request.clone().json();
    if (id === undefined) return new Response(null, { status: 202 });
    const answer = await this.#answer(method, id, request);
    if (answer instanceof Response) return answer;
    const isOpening = method === "initialize";
    if (isOpening) this.opened.push(`s${this.opened.length + 1}`);
    const result = isOpening ? { protocolVersion: "2025-11-25", ...this.facts } : { content: [] };
    return Response.json({ jsonrpc: "2.0", id, result: answer ?? result }, {
      headers: isOpening ? { "mcp-session-id": this.opened.at(-1) ?? "" } : {},
    });
  };

  dial(options: DialOptions = {}): Promise<McpClient> {
    const transport = http("https://mcp.example/mcp", { fetch: asFetch(this.fetch) });
    return dial(transport, { revisions: "session", ...options });
  }
}
