import { type Application, createLogger, type Ctx, type Handler } from "../../../mod.ts";
import { BearerGuard, wellKnown } from "./bearer.ts";
import { compileCore, type Core } from "./core.ts";
import { createHandlers } from "./http.ts";
import { StdioConnection } from "./stdio.ts";
import type {
  McpHandlers,
  McpServerArgument,
  McpServerOptions,
  ServeStdioOptions,
} from "./options.ts";

/**
 * A server of the Model Context Protocol. One endpoint serves revision 2026-07-28 and the revisions with
 * sessions (2025-06-18, 2025-11-25), depending on the request. {@link mcpServer} creates it.
 */
export class McpServer {
  /** The handlers of the endpoint: `export const { GET, POST, DELETE } = server.handlers`. */
  readonly handlers: McpHandlers;
  /**
   * Serves the metadata of the protected resource (RFC 9728) at `/.well-known/oauth-protected-resource`
   * followed by the path of the endpoint; 404 without `auth`.
   */
  readonly metadata: { readonly GET: Handler };
  readonly #core: Core;

  /** Called by {@link mcpServer}. */
  constructor(options: McpServerOptions) {
    this.#core = compileCore(options);
    const { auth, identify } = options;
    const guard = auth === undefined ? undefined : new BearerGuard(auth);
    this.handlers = createHandlers(this.#core, guard, identify);
    this.metadata = { GET: (c) => answerMetadata(c, guard) };
  }

  /**
   * Notifies the clients that watch a resource of its change.
   *
   * @param uri The URI of the resource.
   * @param owner The application or request, which also notifies clients of other replicas through the
   * channels of `provideStores`; within a database transaction, after the commit.
   */
  resourceUpdated(uri: string, owner?: Application | Ctx): void {
    this.#core.changes.emit(uri, owner);
  }

  /**
   * Serves one client over standard input and output, until the input ends. Meanwhile standard output
   * is reserved for the protocol, so `console.log` writes to standard error.
   */
  async serveStdio(options: ServeStdioOptions = {}): Promise<void> {
    const { input = Deno.stdin.readable, output = Deno.stdout.writable } = options;
    const restore = options.output === undefined ? redirectConsole() : () => {};
    try {
      const log = options.logger ?? stderrLog;
      await new StdioConnection(this.#core, output, log).serve(input, options);
    } finally {
      restore();
    }
  }
}

/**
 * Creates a server of the Model Context Protocol: over HTTP as the handlers of a route, over standard
 * input and output with `serveStdio`.
 *
 * @throws {TypeError} or {RangeError} for an option, tool, resource or prompt that cannot be served.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { mcpServer, mcpTool } from "@fw/fw/mcp";
 *
 * const time = mcpTool({ name: "time", description: "Returns the time." }, () => "noon");
 * const server = mcpServer({ name: "clock", version: "1.0.0", tools: [time] });
 * // app/mcp/route.ts: export const { GET, POST, DELETE } = server.handlers;
 * assertEquals(Object.keys(server.handlers), ["GET", "POST", "DELETE"]);
 * ```
 */
export function mcpServer<Context = unknown>(options: McpServerArgument<Context>): McpServer {
  return new McpServer(options as McpServerOptions);
}

function answerMetadata(c: Ctx, guard: BearerGuard | undefined): Response {
  if (guard === undefined) return c.json(404, { error: "not_found" });
  // The path of the endpoint follows the well-known prefix.
  const { origin, pathname } = c.url;
  const at = pathname.indexOf(wellKnown);
  const path = at < 0 ? "" : pathname.slice(at + wellKnown.length);
  // Pages of any origin may read it, because it contains no secret (RFC 9728, section 3.2).
  c.header("Access-Control-Allow-Origin", "*");
  return c.json(200, guard.metadata(`${origin}${path}`));
}

const stderrLog = createLogger({ write: (lines) => console.error(lines.trimEnd()) });

/** Reserves standard output for the protocol, which a stray line would break. */
function redirectConsole(): () => void {
  const { log, info, debug } = console;
  console.log = console.info = console.debug = console.error;
  return () => {
    Object.assign(console, { log, info, debug });
  };
}
