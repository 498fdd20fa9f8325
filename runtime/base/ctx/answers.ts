import type { SourceFile } from "../file_source.ts";
import type { OpenLimits } from "../config/settings.ts";

/** Options of `c.upgrade`. */
export interface UpgradeOptions {
  /** The subprotocols of the server; the first one that the client also offers is used. */
  readonly protocol?: string | readonly string[];
  /** How long the client may leave a ping unanswered, in seconds; 0 for no limit. @default 30 */
  readonly idleTimeoutSeconds?: number;
  /** Limits of open sockets for this route, where they differ from `config.openLimits`. */
  readonly limits?: Partial<OpenLimits>;
}

/**
 * The source of a download: the path of a file, bytes, a `Blob` or `File`, a file of a store, or a stream,
 * which has neither length nor ranges.
 */
export type DownloadSource =
  | string
  | URL
  | Uint8Array<ArrayBuffer>
  | Blob
  | SourceFile
  | ReadableStream<Uint8Array>;

/** Options of `c.download`. */
export interface DownloadOptions {
  /** The name of the saved file. @default the last part of the path, the `File`'s, or `download` */
  readonly name?: string;
  /** The media type. @default that of the `Blob`, that of the name's extension, or `application/octet-stream` */
  readonly type?: string;
}

/** A connection that became a WebSocket. */
export interface Upgrade {
  /** The socket, which opens once the response has been returned. */
  readonly socket: WebSocket;
  /** The response to return. */
  readonly response: Response;
  /** The agreed subprotocol, or `undefined`. */
  readonly protocol: string | undefined;
}

/** A cookie as `c.setCookie` takes it. */
export interface Cookie {
  /** A token (RFC 6265). */
  readonly name: string;
  /** The value, without quotes, commas, semicolons, backslashes, spaces or control characters. */
  readonly value: string;
  /** The path below which the browser sends the cookie. @default the base path, or `/` */
  readonly path?: string;
  /** The domain; absent means this host alone. */
  readonly domain?: string;
  /** Lifetime in the browser, in seconds; absent means until it closes, 0 deletes it. */
  readonly maxAgeSeconds?: number;
  /** When the browser deletes it. */
  readonly expires?: Date;
  /** Whether scripts cannot read it. @default true */
  readonly httpOnly?: boolean;
  /** Whether only HTTPS carries it. @default whether this request came over HTTPS */
  readonly secure?: boolean;
  /** Which requests of other sites carry it. @default "Lax" */
  readonly sameSite?: "Strict" | "Lax" | "None";
}

/** The severity of a flash message. */
export type FlashKind = "info" | "success" | "error";

/** A message for the next page that the user sees. */
export interface Flash {
  /** Kind of the message. */
  readonly kind: FlashKind;
  /** The text, truncated to 500 characters. */
  readonly text: string;
  /** The button of the message. @default none */
  readonly action?: FlashAction;
}

/** A button in a message, such as one that undoes a deletion: it posts a form. */
export interface FlashAction {
  /** Text of the button. */
  readonly text: string;
  /** The URL that the form posts to. */
  readonly href: string;
  /** The fields of the form. @default none */
  readonly fields?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
}

/** A response typed with its status and JSON body, for typed clients and `openapi`. */
export interface JsonResponse<S extends number = number, T = unknown> extends Response {
  /** The status, narrowed. */
  readonly status: S;
  /** Reads the typed body. */
  json(): Promise<T>;
}
