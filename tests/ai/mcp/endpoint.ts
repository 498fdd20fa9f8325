import type { McpServerOptions } from "../../../ai/mcp/mod.ts";
import { App, type Settings } from "../../../mod.ts";
import { kitchen } from "./kitchen.ts";
import { quiet } from "./support.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** What every stateless request says of itself. */
export const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A stateless request. */
export function modern(method: string, params: Json = {}, id: unknown = 1): Json {
  return { jsonrpc: "2.0", id, method, params: { _meta: meta, ...params } };
}

/** The headers that repeat it. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

/** An endpoint without a socket. */
export interface Endpoint {
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  send(method: string, headers?: Record<string, string>): Promise<Response>;
}

/** Serves the kitchen without a socket. */
export function endpoint(
  options: Partial<McpServerOptions> = {},
  settings: Settings = {},
): Endpoint {
  const app = new App({ logRequest: () => false, logger: quiet, ...settings });
  app.route({ pattern: "/mcp", methods: kitchen(options).handlers, kind: "api" });
  const send = (
    method: string,
    headers: Record<string, string> | undefined,
    body?: string,
  ): Promise<Response> =>
    app.fetch(
      new Request("http://localhost/mcp", {
        method,
        headers: {
          accept: "application/json, text/event-stream",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
  return {
    send,
    post: (body, headers) =>
      send("POST", headers, typeof body === "string" ? body : JSON.stringify(body)),
  };
}

/** Reads the status and the code of an error. */
export async function errorOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body = await response.json();
  return { status: response.status, code: body.error?.code };
}
