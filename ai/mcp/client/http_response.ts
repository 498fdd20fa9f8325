import { ServerEventParser } from "../../../runtime/addon.ts";
import { bodyChunks } from "../../http/body.ts";
import { McpClientError, rpcCodes } from "../protocol/errors.ts";
import { parseLooseText, type RpcMessage } from "../protocol/messages.ts";

export interface StreamPlace {
  lastEventId: string | undefined;
  retryMs: number | undefined;
}

/**
 * Reads the messages of a stream until `onMessage` returns a value; `undefined` if the stream ends first or
 * breaks. @throws {McpClientError} for a message over the limit, and for an invalid one.
 */
export async function readEvents<T>(
  body: ReadableStream<Uint8Array> | null,
  { place, maxBytes, signal, onMessage }: {
    readonly place: StreamPlace;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    readonly onMessage: (message: RpcMessage) => T | undefined;
  },
): Promise<T | undefined> {
  const { lastEventId } = place;
  const limits = { maxLineChars: maxBytes, maxEventChars: maxBytes, lastEventId };
  const parser = new ServerEventParser(limits);
  const decoder = new TextDecoder();
  for await (const chunk of bodyChunks(body, signal)) {
    let events: ReturnType<ServerEventParser["push"]>;
    try {
      events = parser.push(decoder.decode(chunk, { stream: true }));
    } catch (cause) {
      const message = "The MCP server sent an event over the limit of maxMessageBytes.";
      throw new McpClientError("mcp_too_large", message, { cause });
    }
    place.retryMs = parser.retryMs ?? place.retryMs;
    for (const { event, data, id } of events) {
      // An event without data only sets the resume position; other event types are not messages.
      const isMessage = data !== "" && event === "message";
      const messages = isMessage ? parseLooseText(data) : [];
      const found = messages.values().map(onMessage).find((each) => each !== undefined);
      // The stream resumes after the last complete event, even if it was not a message.
      place.lastEventId = id;
      if (found !== undefined) return found;
      if (isMessage && messages.length === 0) {
        throw new McpClientError(
          "mcp_bad_message",
          "The MCP server sent an event that is not a message.",
        );
      }
    }
    place.lastEventId = parser.lastEventId;
  }
  return undefined;
}

const sessionNotFound = -32001;

const serverError = -32000;

/** Reports whether a response says, in any wording, that the server has lost the session. */
export function isSessionLoss(
  status: number,
  { code, text }: { readonly code: number | undefined; readonly text: string },
): boolean {
  if (status === 401 || status === 403 || status >= 500) return false;
  if (status === 404 || status === 410) return code !== rpcCodes.methodNotFound;
  if (status !== 200 && code === sessionNotFound) return true;
  const says = text.slice(0, 500);
  const lost =
    /not found|no valid|invalid|unknown|expired|terminated|closed|no longer|does not exist/i;
  return /\bsession/i.test(says) && lost.test(says) &&
    (status !== 200 || code === sessionNotFound || code === rpcCodes.invalidRequest ||
      code === serverError);
}

/** Returns the id of the session that a server opened; `undefined` without one or if no header can contain it. */
export function parseSessionId(response: Response): string | undefined {
  const id = response.headers.get("mcp-session-id");
  return id !== null && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined;
}
