import { ServerEventParser } from "../../../runtime/addon.ts";
import type { RpcMessage } from "../protocol/messages.ts";
import { bodyChunks } from "../../http/body_chunks.ts";
import { parseLoose } from "./answers.ts";
import { McpClientError } from "./errors.ts";

export interface StreamPlace {
  lastEventId: string | undefined;
  retryMs: number | undefined;
}

export interface EventReading<T> {
  readonly place: StreamPlace;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Receives every message; a value that it returns ends the reading. */
  readonly onMessage: (message: RpcMessage) => T | undefined;
}

/**
 * Reads the messages of a stream of events until the expected one arrives.
 *
 * @returns `undefined` when the stream ends first, also where the connection breaks.
 * @throws {McpClientError} for a message over the limit, and for what is no message.
 */
export async function readEvents<T>(
  body: ReadableStream<Uint8Array> | null,
  { place, maxBytes, signal, onMessage }: EventReading<T>,
): Promise<T | undefined> {
  const parser = new ServerEventParser({ maxLineChars: maxBytes, maxEventChars: maxBytes });
  // The parser drops the byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const chunk of bodyChunks(body, signal)) {
    const events = parseEvents(parser, decoder.decode(chunk, { stream: true }));
    place.lastEventId = parser.lastEventId ?? place.lastEventId;
    place.retryMs = parser.retryMs ?? place.retryMs;
    for (const { event, data } of events) {
      // An event without data only tells where to resume; other events are no messages.
      const found = data === "" || event !== "message" ? undefined : onMessage(readMessage(data));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function parseEvents(
  parser: ServerEventParser,
  text: string,
): ReturnType<ServerEventParser["push"]> {
  try {
    return parser.push(text);
  } catch (cause) {
    const message = "The MCP server sent an event over the limit of maxMessageBytes.";
    throw new McpClientError("mcp_too_large", message, { cause });
  }
}

function readMessage(data: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new McpClientError("mcp_bad_message", "The MCP server sent broken JSON.", { cause });
  }
  const message = parseLoose(value);
  if (message !== undefined) return message;
  throw new McpClientError("mcp_bad_message", "The MCP server sent an event that is no message.");
}
