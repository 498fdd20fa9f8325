import type { Catalog, CatalogSource, MessageKey, MessageParams } from "../catalog.ts";
import type { Env } from "../env.ts";
import type { HttpError } from "../errors/errors.ts";
import type { Logger } from "../observe/logger.ts";
import type { AnyField, AnySchema } from "../standard_schema.ts";
import type { ActionName, HrefParams, HrefPattern, ParamName } from "../url/href.ts";
import type { Application } from "./application.ts";
import type { BindOptions, Bound, FileRules, FormBindOptions, FormFiles, Upload } from "./input.ts";
import type { ResponseSide } from "./response_side.ts";

/**
 * One request and its response, as every page, handler, middleware and layout receives it. It must not be
 * used after the response has been returned. Methods that change the response throw a `TypeError` once its
 * head has been sent.
 *
 * `Ctx<"/events/{slug}">` is the context of that route: the compiler then knows the names that `param` takes.
 * Functions that accept a `Ctx` accept it as well.
 */
export interface Ctx<P extends string = string> extends ResponseSide {
  /** The route; exists for the compiler alone. */
  // The mapped type makes the compiler compare the members of two contexts, not their patterns, so that
  // a function for any route takes the context of one, and a handler takes the context of any route. It
  // must be the first member, since the comparison ends with the first that differs.
  readonly "~route"?: { readonly [Each in P]?: unknown };
  /**
   * The request. Assigning another one resets everything read from it; the route stays. Assign also a copy,
   * as by `new Request(c.request)`, before its body is read: without that, the copy has no read deadline, and
   * a user who is signed out meanwhile finishes the write.
   */
  request: Request;
  /**
   * Aborts when the client disconnects, when the handler's timeout expires (`timeouts.writeMs`), or when
   * the server is shutting down; never after the response. Assign another signal to bound the work of
   * inner handlers.
   */
  signal: AbortSignal;
  /** The request's URL, parsed on first access; also `https:` if a trusted proxy reports it. */
  readonly url: URL;
  /** The request's method in capitals. */
  readonly method: string;
  /**
   * Returns a route parameter, decoded; a catch-all keeps its inner slashes.
   *
   * @throws {TypeError} when the pattern has no such parameter.
   */
  param(name: ParamName<P>): string;
  /**
   * Reads a route parameter by a field schema such as `int("min=1")`, with the field's type.
   *
   * @throws {NotFoundError} for a value that does not fit: no page has that URL.
   * @throws {TypeError} when the pattern has no such parameter, for a `list` and for a `struct`.
   */
  param<T>(name: ParamName<P>, field: AnyField<T>): T;
  /** The matched template such as `/blog/{slug}`; `""` where no route matched. */
  readonly pattern: string;
  /** Returns the first value of a query parameter, decoded, or `undefined` where it is absent. */
  query(name: string): string | undefined;
  /**
   * Reads the query as `bind` reads a form: converted and checked; names that the schema does not have
   * are ignored.
   *
   * @throws {FieldErrors} with the status 400, for what the schema does not accept.
   * @throws {HttpError} 413 for more fields than forms may have.
   */
  bindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T>;
  /**
   * Reads the query like `bindQuery`, but returns messages and values, to show a search form again.
   *
   * @throws {HttpError} 413 for more fields than forms may have.
   */
  tryBindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<Bound<T>>;
  /**
   * Returns the first value of a form field, or `undefined` where it is absent; for a `GET` the
   * form is the query. `form`, `formData`, `bind` and `file` share one parse of the body.
   *
   * @throws {HttpError} 400 for a malformed form, 413 over a limit, 415 for another type; see
   * `formErr`.
   */
  form(name: string): Promise<string | undefined>;
  /**
   * Returns the whole form with its files in memory; `file` leaves large ones on disk.
   *
   * @throws {HttpError} as `form`.
   */
  formData(): Promise<FormData>;
  /** Returns the error of the form, or `undefined`. After this call, `form` does not throw. */
  formErr(): Promise<HttpError | undefined>;
  /**
   * Reads the body as JSON and validates it.
   *
   * @throws {HttpError} 400 for malformed JSON and for an unknown member, 413 over a limit, 415.
   * @throws {FieldErrors} for what the schema does not accept.
   */
  bindJson<T>(schema: AnySchema<T>): Promise<T>;
  /**
   * Reads the body as a form or as JSON, by its content type, and validates it.
   *
   * @throws {HttpError} 400, 413 or 415 for a body that cannot be understood.
   * @throws {FieldErrors} for what the schema does not accept.
   */
  bind<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T>;
  /**
   * Reads the body as `bind` does, but returns the messages with the submitted values, so that a page can
   * render the form again. The option `files` reads the form's uploads with it, by the rules of `file`.
   *
   * @throws {HttpError} 400, 413 or 415 for a body that cannot be understood.
   */
  tryBind<T, const Files extends FormFiles = Record<never, never>>(
    schema: AnySchema<T>,
    options?: FormBindOptions<Files>,
  ): Promise<Bound<T, Files>>;
  /**
   * Returns one uploaded file, checked.
   *
   * @throws {FieldErrors} under the field's name, when a rule fails.
   * @throws {HttpError} as `form`.
   */
  file(field: string, rules?: FileRules & { readonly optional?: false }): Promise<Upload>;
  /** Returns one uploaded file as `file` does, or `undefined` if it is absent. */
  file(field: string, rules: FileRules): Promise<Upload | undefined>;
  /**
   * Changes the body's limit for this request. An announced length is checked before the handler runs,
   * so call it in a middleware.
   *
   * @throws {RangeError} for a negative limit.
   * @throws {TypeError} once the body has been read.
   */
  allowBody(maxBytes: number): void;
  /** Removes the read deadline of this request's body. */
  noReadDeadline(): void;
  /** Removes the deadline of this request's handler. */
  noWriteDeadline(): void;
  /**
   * Returns a request cookie's value, or `undefined`; malformed pairs are skipped. A response that caches may
   * keep gets `Vary: Cookie`.
   */
  cookie(name: string): string | undefined;
  /** Returns the value of a signed cookie; `undefined` if it is absent, forged, expired or malformed. */
  signed(name: string): string | undefined;
  /**
   * Returns the offer that the client prefers by `Accept` (RFC 9110, section 12.5.1), `undefined` if it
   * accepts none. Without the header the first offer is returned.
   */
  accepts(...offers: string[]): string | undefined;
  /** The received `X-Request-ID` if it is well-formed, else a new one. */
  readonly requestId: string;
  /** The trace id of a W3C `traceparent`, else that of Deno's own trace; `undefined` without tracing. */
  readonly traceId: string | undefined;
  /** A logger whose lines carry `request_id` and `trace_id`. */
  readonly log: Logger;
  /**
   * The language tag of the response, one of `config.languages`, for `<html lang>` and all text; `"en"` where
   * none are listed. Reading it adds `Content-Language` and, unless the path names the language, `Vary` to
   * the response.
   */
  readonly language: string;
  /**
   * Returns a message of a `catalog` (`@fw/fw/i18n`) in the language of the request, escaped like any text.
   *
   * @throws {TypeError} for a parameter that is missing.
   */
  t<T extends CatalogSource, K extends MessageKey<T>>(
    messages: Catalog<T>,
    key: K,
    ...params: MessageParams<T, K>
  ): string;
  /**
   * The time zone of the reader: the one that the application assigned, else the cookie `fw_zone`, which a
   * script of the page may set, else `config.zone`. A cookie without a valid zone is ignored. Reading the
   * cookie adds `Vary: Cookie`.
   *
   * @throws {TypeError} on assigning a name that is not in the time zone database.
   */
  zone: string;
  /**
   * Writes a moment in the language and the time zone of the request.
   *
   * @param options As for `Intl.DateTimeFormat`. @default date and time, "Mar 1, 2026, 2:30 PM"
   * @throws {RangeError} for an invalid date, and for options that `Intl.DateTimeFormat` refuses.
   */
  time(date: Date | Temporal.Instant, options?: Intl.DateTimeFormatOptions): string;
  /**
   * Lists the page in each of its languages and, last, as `x-default`: for language links and `hreflang`
   * (`alternateLinks`). Empty without `languagePrefix` and where no route matched.
   */
  alternates(): readonly Alternate[];
  /**
   * The client's address in its canonical form: the peer, or what trusted proxies report in
   * `X-Forwarded-For`; `undefined` without a server connection.
   */
  readonly clientIp: string | undefined;
  /** The environment: development or production. */
  readonly env: Env;
  /** The URL prefix of the application, without a trailing slash; `""` when it has none. */
  readonly base: string;
  /** The application. */
  readonly app: Application;
  /**
   * The id of the element that the client wants to replace (header `FW-Fragment`), or `undefined` if it
   * requests the page. For a fragment, a node is rendered without layouts and a redirect is sent as 204
   * with `FW-Location`. An invalid id counts as absent.
   */
  readonly fragment: string | undefined;
  /** Whether `app.export` writes the response to a file: omit parts that need the server. */
  readonly isExport: boolean;
  /** Keeps a value for the rest of the request, for layouts and inner handlers. */
  set<T>(key: string | Key<T>, value: T): void;
  /** Returns the value stored by `set`, or `undefined`. */
  get<T>(key: Key<T>): T | undefined;
  /** Returns the value stored by `set` under a string key, or `undefined`. */
  get(key: string): unknown;
  /**
   * Returns the URL of a route, base path included, as `href` does.
   *
   * @throws {TypeError} for a parameter that is missing, empty or a dot segment.
   */
  href<To extends HrefPattern>(pattern: To, ...rest: HrefParams<To>): string;
  /**
   * Returns the URL that sends a form to one of the page's `Actions`: the page's URL with its query, starting
   * with `?/name`. Use it as a form's `action`, or as a button's `formaction`.
   *
   * @throws {TypeError} for a name that the page's `Actions` do not have.
   */
  action(name: ActionName<P>): string;
  /**
   * Returns the URL of a static file with its fingerprint, base path included. Development reports a missing
   * file.
   */
  asset(path: string): string;
}

/** A page in one of its languages. */
export interface Alternate {
  /** The tag of the language; `x-default` for the URL that leaves the choice to the request. */
  readonly language: string;
  /** The path with its query, base path included. */
  readonly path: string;
  /** Whether it is the language of this response. */
  readonly isCurrent: boolean;
}

/** A name with a type, for values that an application or a request carries. */
export interface Key<T> {
  /** The name, for messages. */
  readonly name: string;
  /** Never set: it ties the type to the key. */
  readonly type?: T;
}
