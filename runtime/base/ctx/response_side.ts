import type { Child, Node } from "../../../html/node.ts";
import type { RedirectStatus } from "../headers.ts";
import type { IslandProps, IslandSource } from "../islands.ts";
import type {
  Cookie,
  DownloadOptions,
  DownloadSource,
  Flash,
  FlashAction,
  FlashKind,
  JsonResponse,
  Upgrade,
  UpgradeOptions,
} from "./answers.ts";
import type { DeferOptions, StreamHandler, StreamOptions } from "./streams.ts";

/** The members of every context that build, change or describe its response. */
export interface ResponseSide {
  /**
   * Stages a cookie whose signature proves that the application set it, for this name, and that it has not
   * expired. The value is not encrypted: the user can read it.
   *
   * @throws {RangeError} for a `ttlMs` (milliseconds) that is not above 0 and at most ten years.
   * @throws {TypeError} in production without `FW_SECRET`.
   */
  setSigned(name: string, value: string, ttlMs: number): void;
  /**
   * Switches the language of the response and stores it in the cookie `fw_lang` for later requests.
   *
   * @throws {HttpError} 400 for a language that `config.languages` does not list.
   * @throws {TypeError} where no languages are listed.
   */
  setLanguage(language: string): void;
  /** The nonce of the response's Content Security Policy; `nonceAttr(c)` returns the attribute. */
  readonly nonce: string;
  /**
   * The page's title, which layouts read. A whole page with status 422 gets "Error: " before it
   * (`validationMessages.errorTitle`); a fragment sends it in `FW-Title`.
   */
  title: string;
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
   * Queues a message for the next request, in a signed cookie; the response to a fragment request carries it
   * in `FW-Flash`, as percent-encoded JSON: a list of {@link Flash}. In production without `FW_SECRET` the
   * cookie is not written, and one warning is logged. A button that does not fit into the cookie is dropped.
   *
   * @throws {TypeError} for a kind that does not exist.
   */
  flash(kind: FlashKind, text: string, action?: FlashAction): void;
  /**
   * Reads and clears the messages that the last request queued; a second call returns the same list. A
   * prefetch (`Sec-Purpose: prefetch`) and a HEAD get none. A response that shows messages is `no-store`.
   */
  flashes(): readonly Flash[];
  /**
   * Returns the CSRF token of the browser, for forms (`csrfInput(c)`) and the header `X-CSRF-Token`; sets
   * the cookie where there is none. The token is masked differently in each response.
   */
  csrfToken(): string;
  /**
   * Returns a JSON response; bigints are written exactly.
   *
   * @throws {RangeError} for a status without a body, and for an invalid status.
   * @throws {TypeError} for a value that JSON cannot hold, such as a circular one.
   */
  json<S extends number, T>(status: S, value: T): JsonResponse<S, T>;
  /** Returns a plain-text response; throws as `json`. */
  text(status: number, body: string): Response;
  /** Returns a whole document, without layouts; throws as `json`. */
  html(status: number, node: Node): Response;
  /**
   * Returns a file for download, never for display: `Content-Disposition: attachment` with the name in ASCII
   * and in full (RFC 6266), length, `ETag` and `Last-Modified` where they are known, 304 and 412 for their
   * preconditions, and 206 for a range. A tag declared by `c.etag` replaces its own.
   *
   * @param source A path is used as given: never build it from client input. For text, use
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
   * @throws {HttpError} 429 for too many streams.
   */
  stream(handler: StreamHandler, options?: StreamOptions): Response;
  /**
   * Defers a part of the page, which is sent at once with the fallback. The part follows in the same
   * response, in order of arrival, and replaces the fallback; clients without JavaScript get a link to the
   * whole page. A part that fails, or exceeds `timeouts.writeMs`, is replaced by its error slot and logged.
   * The response to a method other than `GET` waits for its parts, unless it is a fragment.
   */
  defer(part: Promise<Child>, fallback: Child, options?: DeferOptions): Node;
  /**
   * Returns a `div` that becomes interactive in the browser: the default export of an ES module in the
   * public folder is called once with the element and the props. Until then, and without JavaScript, the
   * children stay. The props are sent in the page as JSON, so they are not secret; if JSON cannot hold them,
   * the fallback stays, with a warning.
   *
   * @param src The module's path in the public folder, such as `/islands/counter.js`.
   * @param children The fallback, and attributes: `whenVisible()` or `whenIdle()` delay loading.
   * @throws {TypeError} in development, for a module that is missing; production logs it once.
   */
  island<S extends IslandSource>(src: S, props: IslandProps<S>, ...children: Child[]): Node;
  /**
   * Upgrades the connection to a WebSocket: return the `response`. A page of another origin is refused
   * unless the CORS policy of the route, or of the application, lists it by name (`*` lists none), since
   * browsers send cookies with a WebSocket regardless of the site that opens it. At shutdown the socket is
   * closed with 1001.
   *
   * @throws {HttpError} 426 for a request that is not a WebSocket upgrade, 400 for a malformed one, 403 for one
   * from another site, 429 for too many sockets.
   * @throws {TypeError} under `listener: "node"`, and for a connection that was upgraded already.
   */
  upgrade(options?: UpgradeOptions): Upgrade;
  /** Stages a response, which is used if the handler returns nothing. */
  respond(response: Response): void;
  /** `true` once a response was staged. */
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
   * section 13.1.1). `*` matches every version that exists, a weak tag matches nothing; a request without the
   * header passes. Compare and write in one transaction, or another write comes between.
   *
   * @param tag The current version, with the same session and cookies read as for `etag`; absent or empty if
   * there is none.
   * @throws {HttpError} 412 `precondition_failed`.
   * @throws {TypeError} as `etag`.
   */
  ifMatch(tag: string | undefined): void;
  /**
   * Declares when the response last changed; an absent date, or the Unix epoch, declares nothing. A tag that
   * the client sent takes precedence. A fragment, a URL in several languages, and a response that reads the
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
