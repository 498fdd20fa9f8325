import { STATUS_TEXT } from "@std/http/status";
import { causeChain } from "../diagnose/error_text.ts";
import { redirectLocation, type RedirectStatus } from "../headers.ts";
import { currentTexts } from "../texts.ts";
import { FieldErrors } from "./field_errors.ts";

export type { RedirectStatus };

/** Every value that a handler may return or throw to respond with an error or a redirect. */
export type FwError = HttpError | Redirect | FieldErrors | Problem;

/** Options of {@link HttpError} and {@link httpError}. */
export interface HttpErrorOptions {
  /** A stable name for programs. @default the status text in snake_case, such as `not_found` */
  readonly code?: string;
  /** Underlying error, which is only logged. */
  readonly cause?: unknown;
  /** Response headers, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error with a status. Its message reaches the client for a 4xx, never for a 5xx in production. */
export class HttpError extends Error {
  /** The class name. */
  override readonly name: string = "HttpError";
  /** The HTTP status. */
  readonly status: number;
  /** A stable name for programs, sent as the member `code` of the problem document. */
  readonly code: string;
  /** Response headers. */
  readonly headers: Readonly<Record<string, string>>;

  /** Creates the error; see {@link httpError}. */
  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = checkStatus(status, "an HTTP error");
    this.code = options.code ?? codeOf(status);
    this.headers = options.headers ?? {};
  }
}

function checkStatus(status: number, what: string): number {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  throw new RangeError(
    `Cannot create ${what} with the status "${status}": use an integer from 400 to 599.`,
  );
}

/** Returns the code of a status: its text in snake_case. */
export function codeOf(status: number): string {
  return (STATUS_TEXT[status] ?? `status ${status}`).toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

/**
 * Creates an {@link HttpError} to return or to throw.
 *
 * @param message What happened, for the client; for a 5xx it is only logged.
 * @throws {RangeError} for a status that is not from 400 to 599.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { httpError, statusOf } from "@fw/fw";
 *
 * assertEquals(statusOf(httpError(409, "the event is sold out")), 409);
 * ```
 */
export function httpError(
  status: number,
  message: string,
  options: HttpErrorOptions = {},
): HttpError {
  return new HttpError(status, message, options);
}

/** The error that {@link notFound} creates: any error whose `cause` chain holds one results in a 404. */
export class NotFoundError extends HttpError {
  /** The class name. */
  override readonly name = "NotFoundError";

  /** Creates the error; see {@link notFound}. */
  constructor(message = "Not Found", options: { readonly cause?: unknown } = {}) {
    super(404, message, { ...options, code: "not_found" });
  }
}

/**
 * Creates the error that renders the application's `not_found.ts` with 404.
 *
 * @param message What was not found, for programs that read the problem document.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { notFound, statusOf } from "@fw/fw";
 *
 * assertEquals(statusOf(new Error("no such row", { cause: notFound() })), 404);
 * ```
 */
export function notFound(message = "Not Found"): NotFoundError {
  return new NotFoundError(message);
}

/** The result of {@link redirect}: returned or thrown, it sends the client to another URL. */
export class Redirect extends Error {
  /** The class name. */
  override readonly name = "Redirect";
  /** The stable code of the class. */
  readonly code = "redirect";
  /** The `Location`, safe to send as a header. */
  readonly location: string;
  /** The HTTP status. */
  readonly status: RedirectStatus;

  /** Creates the redirect; see {@link redirect}. */
  constructor(url: string, status: RedirectStatus = 303) {
    const location = redirectLocation(url, status);
    super(`redirect to ${location}`);
    this.location = location;
    this.status = status;
  }
}

/**
 * Sends the client to another URL: return or throw it.
 *
 * @param url An absolute URL, or a path (see `c.href` for one with the base path). A path that starts with
 * two slashes, however they are written, is read as one with a single slash. A value that a client sent, as
 * in a `next` parameter, may be any URL, such as `https:evil.example`: accept it only if it starts with a
 * slash.
 * @param status 303 turns any method into a `GET`; 307 and 308 keep the method.
 * @throws {RangeError} for a status that is not a redirect.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { redirect } from "@fw/fw";
 *
 * assertEquals(redirect("/events").status, 303);
 * assertEquals(redirect("//evil.example").location, "/evil.example");
 * ```
 */
export function redirect(url: string, status: RedirectStatus = 303): Redirect {
  return new Redirect(url, status);
}

/** Checks whether a value that a handler returned is an error or a redirect of the framework. */
export function isFwError(value: unknown): value is FwError {
  return value instanceof HttpError || value instanceof Redirect ||
    value instanceof FieldErrors || value instanceof Problem;
}

/**
 * Returns the status that the framework sends for an error: its own, 404 where the `cause` chain holds a
 * {@link notFound}, else 500.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { FieldErrors, httpError, notFound, statusOf } from "@fw/fw";
 *
 * assertEquals(statusOf(httpError(409, "the event is sold out")), 409);
 * assertEquals(statusOf(new Error("no such row", { cause: notFound() })), 404);
 * assertEquals(statusOf(new FieldErrors().add("title", "is required")), 422);
 * ```
 */
export function statusOf(error: unknown): number {
  if (isFwError(error)) return error.status;
  return causeChain(error).some((each) => each instanceof NotFoundError) ? 404 : 500;
}

/** The members of a {@link Problem}; all except the status have a default. */
export interface ProblemInit {
  /** A URI that names the kind of problem. @default "about:blank" */
  readonly type?: string;
  /** A short summary of the kind. @default the status text */
  readonly title?: string;
  /** The HTTP status. */
  readonly status: number;
  /** The description of this occurrence; sent with every status, since the application wrote it. */
  readonly detail?: string;
  /** A URI of this occurrence. @default the request's path */
  readonly instance?: string;
  /** The messages by field, for a 422. */
  readonly fields?: FieldErrors;
  /** Extension members, written beside the others; none can replace a standard member. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Underlying error, which is only logged. */
  readonly cause?: unknown;
}

/**
 * A problem document (RFC 9457) as an API sends it. The members of `extra` of a {@link Problem} are written
 * beside these: test for one with `"seats" in problem`.
 */
export interface ProblemDocument {
  /** A URI that names the kind of problem; `about:blank` for none. */
  readonly type: string;
  /** A short summary of the kind. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** The description of this occurrence, if the client may see one. */
  readonly detail?: string | undefined;
  /** The path of the request, or a URI of this occurrence. */
  readonly instance: string;
  /** A stable name for programs, such as `not_found`. */
  readonly code: string;
  /** The messages of the fields that were not accepted. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The id that finds the request in the log. */
  readonly request_id: string;
  /** The error and its stack; only for a 5xx in development. */
  readonly stack?: readonly string[] | undefined;
}

/**
 * An error written out as a problem document (RFC 9457).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Problem, statusOf } from "@fw/fw";
 *
 * const problem = new Problem({ status: 409, title: "Sold out", extra: { seats: 0 } });
 * assertEquals(statusOf(problem), 409);
 * ```
 */
export class Problem extends Error {
  /** The class name. */
  override readonly name: string = "Problem";
  /** The stable code of the class. */
  readonly code: string = "problem";
  /** A URI that names the kind of problem, if the application set one. */
  readonly type: string | undefined;
  /** The summary, if the application set one. */
  readonly title: string | undefined;
  /** The HTTP status. */
  readonly status: number;
  /** Explanation of this occurrence. */
  readonly detail: string | undefined;
  /** A URI of this occurrence, if the application set one. */
  readonly instance: string | undefined;
  /** The messages by field. */
  readonly fields: FieldErrors | undefined;
  /** Extension members. */
  readonly extra: Readonly<Record<string, unknown>>;

  /** Creates the problem; throws a `RangeError` for a status that is not from 400 to 599. */
  constructor(init: ProblemInit) {
    super(init.detail ?? init.title ?? `status ${init.status}`, { cause: init.cause });
    this.type = init.type;
    this.title = init.title;
    this.status = checkStatus(init.status, "a problem");
    this.detail = init.detail;
    this.instance = init.instance;
    this.fields = init.fields;
    this.extra = init.extra ?? {};
  }
}

/**
 * Returns the text of an error that a client may read, such as on a page of your own for errors: the
 * message of an `HttpError`, the fields of `FieldErrors`, and both of a `Problem`, below 500. `undefined` for
 * any other error, whose message may name hosts, accounts and queries. During a request, the text of
 * `errorPages` for the code of an `HttpError` replaces its message.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { httpError, publicMessage } from "@fw/fw";
 *
 * assertEquals(publicMessage(httpError(409, "The event is sold out.")), "The event is sold out.");
 * assertEquals(publicMessage(new Error("no route to 10.0.0.7")), undefined);
 * ```
 */
export function publicMessage(error: unknown): string | undefined {
  if (error instanceof FieldErrors) {
    return [...error].map(([field, message]) => `${field}: ${message}`).join("; ");
  }
  if (error instanceof HttpError) {
    return error.status < 500 ? translatedMessage(error) ?? error.message : undefined;
  }
  if (!(error instanceof Problem) || error.status >= 500) return undefined;
  const { status, title, detail = title, fields } = error;
  const parts = [detail, fields && publicMessage(fields)].filter((part) => part !== undefined);
  return parts.join(" ") || `status ${status}`;
}

/** Returns the text for an error's code in the language of the request; for a bare status, that of the status. */
export function translatedMessage({ code, status, message }: HttpError): string | undefined {
  const texts = currentTexts()?.errorPages;
  const isBare = message === STATUS_TEXT[status as keyof typeof STATUS_TEXT];
  return texts?.[code] ?? (isBare ? texts?.[`${status}.text`] ?? texts?.[status] : undefined);
}
