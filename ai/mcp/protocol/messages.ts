import { bodyChunks } from "../../http/body.ts";
import { isJsonObject, parseJsonText, wellFormedJson } from "../../json.ts";
import type { RpcErrorBody } from "./errors.ts";

export const statelessRevision = "2026-07-28";

export const newestSessionRevision = "2025-11-25";

export const sessionRevisions: readonly string[] = [newestSessionRevision, "2025-06-18"];

/** The session revisions of the client; older servers differ in features, not in the messages it needs. */
export const clientSessionRevisions: readonly string[] = [
  ...sessionRevisions,
  "2025-03-26",
  "2024-11-05",
];

export const servedRevisions: readonly string[] = [statelessRevision, ...sessionRevisions];

/** The members of `_meta` that the protocol reserves (revision 2026-07-28, "General fields"). */
export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Reports whether a revision has no sessions; revisions are dates, so strings compare as times. */
export function isStateless(revision: string): boolean {
  return revision >= statelessRevision;
}

/**
 * The methods whose header `Mcp-Name` repeats a parameter ("Request Metadata" of revision 2026-07-28). Only they
 * may ask the client ("Supported Requests" of "Multi Round-Trip Requests").
 */
export const namedMethods: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** The id of a request, which unlike in JSON-RPC is never `null`. */
export type RequestId = string | number;

/** The members of `params`; none if it is absent. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** A message; a failure has no id if the peer could not read the request. */
export type RpcMessage =
  | {
    readonly kind: "request";
    readonly id: RequestId;
    readonly method: string;
    readonly params: RpcParams;
  }
  | { readonly kind: "notification"; readonly method: string; readonly params: RpcParams }
  | { readonly kind: "result"; readonly id: RequestId; readonly result: RpcParams }
  | { readonly kind: "failure"; readonly id: RequestId | undefined; readonly error: RpcErrorBody };

/** A change of a server's list. */
export interface McpChange {
  /** The list that has changed. */
  readonly kind: "tools" | "prompts" | "resources";
}

export type RpcRequest = Extract<RpcMessage, { kind: "request" }>;
export type RpcNotification = Extract<RpcMessage, { kind: "notification" }>;
export type RpcResult = Extract<RpcMessage, { kind: "result" }>;
export type RpcFailure = Extract<RpcMessage, { kind: "failure" }>;

/** Maximum length of an id or token, because every message about the request repeats it. */
const maxIdChars = 256;

export function isMessageId(value: unknown): value is RequestId {
  return (typeof value === "string" && value.length <= maxIdChars) ||
    (typeof value === "number" && Number.isSafeInteger(value));
}

export function parseMessage(value: unknown): RpcMessage | undefined {
  if (!isJsonObject(value) || value.jsonrpc !== "2.0") return undefined;
  const { id, method } = value;
  if (method !== undefined) return parseCall(value);
  if ("result" in value) {
    if (!isMessageId(id) || !isJsonObject(value.result) || "error" in value) return undefined;
    return { kind: "result", id, result: value.result };
  }
  const error = parseError(value.error);
  if (error === undefined || (id !== undefined && id !== null && !isMessageId(id))) {
    return undefined;
  }
  return { kind: "failure", id: id ?? undefined, error };
}

/** Returns the id of a malformed request, so that its sender learns of the error; an answer's id is not its own. */
export function readableId(value: unknown): RequestId | undefined {
  return isJsonObject(value) && "method" in value && isMessageId(value.id) ? value.id : undefined;
}

function parseCall(value: Readonly<Record<string, unknown>>): RpcMessage | undefined {
  const { id, method } = value;
  // Some clients write absent parameters as null.
  const params = value.params ?? {};
  if (typeof method !== "string" || !isJsonObject(params)) return undefined;
  if ("result" in value || "error" in value) return undefined;
  if (!("id" in value)) return { kind: "notification", method, params };
  return isMessageId(id) ? { kind: "request", id, method, params } : undefined;
}

function parseError(value: unknown): RpcErrorBody | undefined {
  if (!isJsonObject(value)) return undefined;
  const { code, message, data } = value;
  if (typeof code !== "number" || typeof message !== "string") return undefined;
  return data === undefined ? { code, message } : { code, message, data };
}

/** Parses a message of a server, which may send `null` for absent members. */
function parseLoose(value: unknown): RpcMessage | undefined {
  if (!isJsonObject(value)) return undefined;
  const isAbsent = (name: string): boolean =>
    /^(?:method|params|result|error)$/.test(name) || (name === "id" && "method" in value);
  const given = Object.entries(value).filter(([name, each]) => each !== null || !isAbsent(name));
  return parseMessage(Object.fromEntries(given));
}

/** Parses a message or a batch of messages, ignoring a byte order mark. */
export function parseLooseText(text: string): readonly RpcMessage[] {
  return [parseJsonText(text.replace(/^\ufeff/, ""))].flat().map(parseLoose)
    .filter((message) => message !== undefined);
}

/** Reports whether a message answers a request; some servers return a numeric id as a string. */
export function isAnswerTo(id: RequestId, message: RpcResult | RpcFailure): boolean {
  return String(message.id) === String(id);
}

export type WireMessage = Readonly<Record<string, unknown>>;

export function wireRequest(id: RequestId, method: string, params: RpcParams): WireMessage {
  return { jsonrpc: "2.0", id, method, params };
}

export function wireNotification(method: string, params: RpcParams): WireMessage {
  return { jsonrpc: "2.0", method, params };
}

export function wireResult(id: RequestId, result: RpcParams): WireMessage {
  return { jsonrpc: "2.0", id, result };
}

export function wireError(id: RequestId | undefined, error: RpcErrorBody): WireMessage {
  return id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error };
}

/** `JSON.rawJSON`, which the platform's declarations do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Writes a message as JSON, as `c.json` does. @throws {TypeError} for a circular message. */
export function wireText(message: WireMessage): string {
  try {
    return wellFormedJson(JSON.stringify(message));
  } catch {
    // Only after a failure, because looking for large integers takes three times as long.
    const write = (_: string, value: unknown): unknown =>
      typeof value === "bigint" ? rawJSON(String(value)) : value;
    return wellFormedJson(JSON.stringify(message, write));
  }
}

/**
 * Reads the lines of a stream as UTF-8, each up to LF or CR LF; text after the last line break is dropped.
 *
 * @throws {RangeError} for a line over the limit, so that an endless line cannot fill the memory.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
): AsyncGenerator<string, void, void> {
  // Invalid UTF-8 becomes replacement characters, which later fail as JSON or as a message.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let bytes = 0;
  const add = (part: Uint8Array, options?: TextDecodeOptions): void => {
    bytes += part.length;
    if (bytes > maxBytes) throw new RangeError(`a line is longer than ${maxBytes} bytes`);
    text += decoder.decode(part, options);
  };
  for await (const chunk of bodyChunks(stream, signal)) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield text.endsWith("\r") ? text.slice(0, -1) : text;
      text = "";
      bytes = 0;
      start = end + 1;
    }
    add(chunk.subarray(start), { stream: true });
  }
}

const lineFeed = 10;
