import type { Node } from "../../../html/node.ts";
import type { OpenLimits } from "../config/settings.ts";
import type { RedirectStatus } from "../errors/errors.ts";
import type { SourceFile } from "../file_source.ts";
import type { StreamHandler, StreamOptions } from "./streams.ts";

/** Options of `c.upgrade`. */
export interface UpgradeOptions {
  /**
   * The subprotocols that the server speaks, the preferred one first; the first that the client offers is
   * agreed.
   */
  readonly protocol?: string | readonly string[];
  /** Time for which the client may leave a ping unanswered, in seconds; 0 for ever. @default 30 */
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
  /**
   * The name under which the browser saves it. @default the last part of the path, the `File`'s, or
   * `download`
   */
  readonly name?: string;
  /** The media type. @default that of the `Blob`, that of the name's extension, or `application/octet-stream` */
  readonly type?: string;
}

/** A connection that became a WebSocket. */
export interface Upgrade {
  /** The socket, which opens once the response was returned. */
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
  /** When the browser forgets it. */
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

/** A message for the next page that the person sees. */
export interface Flash {
  /** Kind of the message. */
  readonly kind: FlashKind;
  /** The text; 500 characters are kept. */
  readonly text: string;
  /** The button of the message. @default none */
  readonly action?: FlashAction;
}

/** A button in a message, such as one that takes a deletion back: it posts a form. */
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
  /** Reads the body, typed. */
  json(): Promise<T>;
}

/** The members of `Ctx` that build the response. */
export interface CtxOutput {
  /**
   * Stages a cookie whose signature proves that the application set it, for this name, and that it has not
   * expired. The value is not encrypted: the user can read it.
   *
   * @throws {RangeError} for a `ttlMs` (milliseconds) that is not above 0 and at most ten years.
   * @throws {TypeError} in production without `FW_SECRET`.
   */
  setSigned(name: string, value: string, ttlMs: number): void;
  /**
   * Sets the status of a response that the framework builds: a returned node, or one without a body.
   *
   * @throws {RangeError} for anything but a whole number from 200 to 599.
   */
  status(code: number): void;
  /**
   * Stages a header: it replaces those of the same name, but `Vary` and `Set-Cookie` append.
   *
   * @throws {TypeError} for a name or a value that no header can have.
   */
  header(name: string, value: string): void;
  /**
   * Stages a cookie: `HttpOnly`, `SameSite=Lax` and, over HTTPS, `Secure` by default.
   *
   * @throws {TypeError} for a cookie that browsers would drop.
   */
  setCookie(cookie: Cookie): void;
  /**
   * Returns a JSON response; bigints are written exactly.
   *
   * @throws {RangeError} for a status without a body, and for an invalid status.
   * @throws {TypeError} for a value that JSON cannot hold, such as a circle.
   */
  json<S extends number, T>(status: S, value: T): JsonResponse<S, T>;
  /** Returns a plain-text response; throws as `json`. */
  text(status: number, body: string): Response;
  /** Returns a whole document, without layouts; throws as `json`. */
  html(status: number, node: Node): Response;
  /**
   * Returns a file to save, never to show: `Content-Disposition: attachment` with the name in ASCII and
   * whole (RFC 6266), length, `ETag` and `Last-Modified` where they are known, 304 and 412 for their
   * preconditions, and 206 for a range. A tag that `c.etag` declared before counts in place of its own.
   *
   * @param source A path is taken as it is: never join it from what a client sent. For text, use
   * `new Blob([text])`.
   * @throws {HttpError} 404 for a path without a file.
   */
  download(source: DownloadSource, options?: DownloadOptions): Promise<Response>;
  /** Returns a 204 response without a body. */
  noContent(): Response;
  /** Returns the node with the route's layouts around it; without them on a fragment request. */
  render(status: number, node: Node): Promise<Response>;
  /**
   * Renders several elements, each with an id, into one response: each replaces the element with its id, and
   * `FW-Swap` lists the ids. If the request is not for a fragment, they are rendered one after another
   * inside the route's layouts.
   *
   * @throws {TypeError} for a node that is not an element with an id, and for a duplicate id.
   */
  renderAll(status: number, ...nodes: readonly Node[]): Promise<Response>;
  /**
   * Redirects the client to another URL; see `redirect`.
   *
   * @throws {RangeError} for a status that is not a redirect.
   */
  redirect(url: string, status?: RedirectStatus): Response;
  /**
   * Returns a stream of Server-Sent Events. The callback runs once the head has been sent, and not for
   * `HEAD`; the stream ends when it returns. An error in it ends the stream and is logged. When the server
   * stops, `s.signal` aborts, and a second later the stream is closed.
   *
   * @throws {RangeError} for an option that is out of range.
   */
  stream(handler: StreamHandler, options?: StreamOptions): Response;
  /**
   * Upgrades the connection to a WebSocket: return the `response`. A page of another origin is refused
   * unless the CORS policy of the route, or of the application, lists it by name (`*` lists none), since
   * browsers send cookies with a WebSocket regardless of the site that opens it. At shutdown the socket is
   * closed with 1001.
   *
   * @throws {HttpError} 426 for a request that is not a WebSocket upgrade, 403 for one from another site,
   * 429 and 503 for one socket too many.
   * @throws {TypeError} under `listener: "node"`, and for a connection that was upgraded already.
   */
  upgrade(options?: UpgradeOptions): Upgrade;
  /** Stages a response, which is used if the handler returns nothing. */
  respond(response: Response): void;
  /** Whether a response was staged. */
  readonly written: boolean;
  /**
   * Declares the version of the response (RFC 9110, section 8.8.3): `if (c.etag(tag)) return;`. An empty or
   * absent tag declares nothing. The tag also carries a fragment's id, the language of a URL in several, a
   * fingerprint of a page's form token, and the session and the cookies that the response reads: read them
   * first, or no request gets a 304. While flash messages wait, no request gets a 304.
   *
   * @param tag The inside of the tag, or a whole one such as `W/"v1"`.
   * @returns Whether the client has that version already, and 304 is staged: on GET and HEAD only.
   * @throws {TypeError} for a tag with spaces, quotes or characters outside ASCII.
   */
  etag(tag: string | undefined): boolean;
  /**
   * Refuses a lost update: a request whose `If-Match` names another version than the current one (RFC 9110,
   * section 13.1.1). `*` matches every version that exists, a weak tag matches nothing, and a request
   * without the header goes on. Compare and write in one transaction, or another write comes between.
   *
   * @param tag The current version, with the same session and cookies read as for `etag`; absent or empty if
   * there is none.
   * @throws {HttpError} 412 `precondition_failed`.
   * @throws {TypeError} as `etag`.
   */
  ifMatch(tag: string | undefined): void;
  /**
   * Declares when the response last changed; an absent date, or the Unix epoch, declares nothing. A tag that
   * the client sent decides before it. A fragment, a URL in several languages, and a response that reads the
   * session or a cookie get no date.
   *
   * @returns As `etag`.
   */
  lastModified(date: Date | undefined): boolean;
  /**
   * Sets `Cache-Control` to directives such as `"public, max-age=60"`; `""` sets nothing.
   *
   * @throws {TypeError} for a string that is not a list of directives.
   */
  cacheControl(value: string): void;
}
