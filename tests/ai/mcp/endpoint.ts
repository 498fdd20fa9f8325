import { assert, assertStringIncludes } from "@std/assert";
import type { McpServer, McpServerOptions } from "../../../ai/mcp/mod.ts";
import { App, Off, type Settings } from "../../../mod.ts";
import { kitchen } from "./kitchen.ts";
import { quiet } from "./support.ts";

export type Json = Record<string, unknown>;

type Texts = Record<string, string>;

/** The members that every stateless request sends. */
export const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export function rpc(method: string, params: Json = {}, id: unknown = 1): Json {
  return { jsonrpc: "2.0", id, method, params };
}

export function modern(method: string, params: Json = {}, id: unknown = 1): Json {
  return rpc(method, { _meta: meta, ...params }, id);
}

export function modernHeaders(method: string, name?: string): Texts {
  const named = name === undefined ? {} : { "mcp-name": name };
  return { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...named };
}

export function handshake(params: Json = {}): Json {
  const clientInfo = { name: "t", version: "1" };
  const all = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo, ...params };
  return rpc("initialize", all, 0);
}

export interface Endpoint {
  readonly app: App;
  post(body: unknown, headers?: Texts): Promise<Response>;
  send(method: string, headers?: Texts): Promise<Response>;
  call(name: string, params?: Json, headers?: Texts): Promise<Response>;
  open(headers?: Texts, params?: Json): Promise<Texts>;
}

export function appOf(server: McpServer, settings: Settings = {}): App {
  const app = new App({ logRequest: Off, logger: quiet, ...settings });
  app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
  return app;
}

/** Sends requests to an application: to its URL, or through a function. */
export function endpointOf(
  app: App,
  to: string | ((request: Request) => Promise<Response>) = (request) => app.fetch(request),
): Endpoint {
  const send = async (method: string, headers?: Texts, body?: string): Promise<Response> => {
    const init = {
      method,
      headers: {
        accept: method === "POST" ? "application/json, text/event-stream" : "text/event-stream",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    };
    return await (typeof to === "string"
      ? fetch(to, init)
      : to(new Request("http://localhost/mcp", init)));
  };
  const post: Endpoint["post"] = (body, headers) =>
    send("POST", headers, typeof body === "string" ? body : JSON.stringify(body));
  return {
    app,
    send,
    post,
    call: (name, params = {}, headers = {}) =>
      post(modern("tools/call", { name, ...params }), {
        ...modernHeaders("tools/call", name),
        ...headers,
      }),
    open: async (headers = {}, params = {}) => {
      const response = await post(handshake(params), headers);
      assert(await statusOf(response) === 200);
      return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "", ...headers };
    },
  };
}

export function endpoint(
  options: Partial<McpServerOptions> = {},
  settings: Settings = {},
): Endpoint {
  return endpointOf(appOf(kitchen(options), settings));
}

export async function errorOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body = await response.json();
  return { status: response.status, code: body.error?.code };
}

export async function statusOf(response: Response | Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

export async function readUntil(response: Response, wanted: string): Promise<{
  readonly text: string;
  readonly events: readonly { readonly id: string | undefined; readonly data: string }[];
  readonly cancel: () => Promise<void>;
}> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert(reader);
  let text = "";
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  assertStringIncludes(text, wanted);
  const events = text.split("\n\n").filter((each) => each.includes("data:")).map((each) => ({
    id: /^id: (.*)$/m.exec(each)?.[1],
    data: /^data: ?(.*)$/m.exec(each)?.[1] ?? "",
  }));
  return { text, events, cancel: () => reader.cancel() };
}
