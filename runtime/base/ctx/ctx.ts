import type { Child, Node } from "../../../html/node.ts";
import type { Catalog, CatalogSource, MessageKey, MessageParams } from "../catalog.ts";
import type { Env } from "../env.ts";
import type { IslandProps, IslandSource } from "../islands.ts";
import type { Logger } from "../observe/logger.ts";
import type { ActionName, HrefParams, HrefPattern } from "../url/href.ts";
import type { CtxOutput, Flash, FlashAction, FlashKind } from "./answers.ts";
import type { Application } from "./application.ts";
import type { CtxInput } from "./input.ts";
import type { DeferOptions } from "./streams.ts";

/**
 * One request and its response, as every page, handler, middleware and layout receives it. It must not be
 * used after the response has been returned. What changes the response throws a `TypeError` once its head
 * has been sent.
 *
 * It reads the request as {@link CtxInput} says and answers as {@link CtxOutput} does.
 *
 * `Ctx<"/events/{slug}">` is the context of that route: the compiler then knows the names that `param`
 * takes. Functions that take a `Ctx` take this one as well.
 */
export interface Ctx<P extends string = string> extends CtxInput<P>, CtxOutput {
  /** The route; exists for the compiler alone. */
  // The mapped type makes the compiler compare the members of two contexts, not their patterns, so that
  // a function for any route takes the context of one, and a handler takes the context of any route. It
  // must be the first member, since the comparison ends with the first that differs.
  readonly "~route"?: { readonly [Each in P]?: unknown };
  /**
   * Aborts when the client disconnects, when the handler's timeout expires (`timeouts.writeMs`), or when
   * the server is shutting down; never after the response. Assign another signal to bound the work of
   * inner handlers.
   */
  signal: AbortSignal;
  /** Removes the deadline of this request's handler. */
  noWriteDeadline(): void;
  /** The `X-Request-ID` that came in, where it is well-formed, or a new one. */
  readonly requestId: string;
  /**
   * The trace id of a W3C `traceparent`, else that of the trace that Deno began; `undefined` without
   * tracing.
   */
  readonly traceId: string | undefined;
  /** A logger whose lines carry `request_id` and `trace_id`. */
  readonly log: Logger;
  /**
   * The tag of the language in which to answer, one of `config.languages`, for `<html lang>` and for
   * everything that is written; `"en"` where none are listed. Reading it adds `Content-Language` and, unless
   * the path names the language, `Vary` to the response.
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
   * Answers in another language from here on and keeps it in the cookie `fw_lang` for later requests.
   *
   * @throws {HttpError} 400 for a language that `config.languages` does not list.
   * @throws {TypeError} where no languages are listed.
   */
  setLanguage(language: string): void;
  /**
   * The time zone of the reader: what the application assigned, else the cookie `fw_zone`, which a script of
   * the page may set, else `config.zone`. A cookie that names no zone does not count. Reading the cookie
   * adds `Vary: Cookie`.
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
   * Lists the page in each of its languages and, last, as `x-default`: for links that switch, and for
   * `hreflang` (`alternateLinks`). Empty without `languagePrefix` and where no route matched.
   */
  alternates(): readonly Alternate[];
  /** The nonce of the response's Content Security Policy; `nonceAttr(c)` returns the attribute. */
  readonly nonce: string;
  /** The environment: development or production. */
  readonly env: Env;
  /** The URL prefix of the application, without a trailing slash; `""` when it has none. */
  readonly base: string;
  /** The application. */
  readonly app: Application;
  /** Whether `app.export` writes the response to a file: what needs the server can then be left out. */
  readonly isExport: boolean;
  /**
   * The page's title, which layouts read. A whole page with status 422 gets "Error: " before it
   * (`validationMessages.errorTitle`); a fragment sends it in `FW-Title`.
   */
  title: string;
  /** Keeps a value for the rest of the request, for layouts and inner handlers. */
  set<T>(key: string | Key<T>, value: T): void;
  /** Returns the value stored by `set`, or `undefined`. */
  get<T>(key: Key<T>): T | undefined;
  /** Returns the value stored by `set` under a string key, or `undefined`. */
  get(key: string): unknown;
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
   * Returns the URL of a route, base path included, as `href` does.
   *
   * @throws {TypeError} for a parameter that is missing, empty or a dot segment.
   */
  href<To extends HrefPattern>(pattern: To, ...rest: HrefParams<To>): string;
  /**
   * Returns the URL that sends a form to one of the page's `Actions`: the page's own with its
   * query, led by `?/name`. Use it as a form's `action`, or as a button's `formaction`.
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
