import { type JsonObject, parseHttpDate, readCapped } from "../../runtime/addon.ts";
import { AiError, type AiErrorCode } from "../errors.ts";
import { asObject, asText, isJsonObject, parseJsonText } from "../json.ts";

export class FailedTry extends Error {
  override readonly name = "FailedTry";
  readonly error: AiError;
  readonly canRetry: boolean;

  constructor(error: AiError, canRetry: boolean) {
    super(error.message);
    this.error = error;
    this.canRetry = canRetry;
  }
}

const maxErrorBytes = 65_536;

const maxMessageChars = 500;

export async function readFailure(
  response: Response,
  { hide, signal }: { readonly hide: (text: string) => string; readonly signal: AbortSignal },
): Promise<FailedTry> {
  const { status } = response;
  // The status is enough if the body cannot be read or does not end.
  const limits = { maxBytes: maxErrorBytes, signal };
  const body = await readCapped(response.body, limits).catch(() => undefined);
  const { message, code } = parseError(new TextDecoder().decode(body));
  const retryAfterMs = parseRetryAfter(response.headers);
  const said = message === "" ? "" : `: ${shownMessage(message, hide)}`;
  const error = new AiError(errorCodeOf(status), `The server answered ${status}${said}`, {
    status,
    retryAfterMs,
  });
  const should = response.headers.get("x-should-retry");
  return new FailedTry(error, should === "true" || (should !== "false" && canRetry(status, code)));
}

function errorCodeOf(status: number): AiErrorCode {
  if (status === 401 || status === 403) return "ai_auth";
  if (status === 429) return "ai_rate_limited";
  if (status === 408 || status >= 500) return "ai_unavailable";
  return status >= 400 ? "ai_bad_request" : "ai_bad_response";
}

/** Returns the error that an event or a whole answer reports with status 200. */
export function parseReported(
  { text, answer = parseJsonText(text), event = "message" }: {
    readonly text: string;
    readonly answer?: unknown;
    readonly event?: string;
  },
  hide: (text: string) => string,
): FailedTry | undefined {
  const reported = isErrorEvent(event) ? parseError(text) : findReportedError(answer);
  if (reported === undefined) return undefined;
  const { message, code: name, status } = reported;
  const said = shownMessage(message || name, hide) || "no message";
  const code = status === undefined ? "ai_broken_stream" : errorCodeOf(status);
  const error = new AiError(code, `The server reported an error in its answer: ${said}`, {
    status,
  });
  return new FailedTry(error, status !== undefined && canRetry(status, name));
}

function canRetry(status: number, code: string): boolean {
  // An exhausted quota is a 429 that a retry cannot fix.
  return code !== "insufficient_quota" &&
    (status === 408 || status === 409 || status === 429 || status >= 500);
}

export interface ServerError {
  readonly message: string;
  readonly code: string;
  readonly status: number | undefined;
}

export function parseError(text: string): ServerError {
  // A proxy may respond with HTML or plain text.
  return serverErrorOf(parseJsonText(text) ?? text);
}

function serverErrorOf(body: unknown): ServerError {
  const outer = asObject(Array.isArray(body) ? body[0] : body);
  const error = asObject(outer.error ?? outer.detail);
  const code = [error.code, error.type, outer.code, outer.type, outer.status]
    .find((each) => typeof each === "string");
  const status = [error.status, error.code, outer.status, outer.code].map(Number)
    .find((each) => Number.isInteger(each) && each >= 400 && each <= 599);
  return { message: errorText(body, 0), code: asText(code), status: status ?? namedStatus(code) };
}

/** Returns the status of an error that a stream reports by its name alone. */
function namedStatus(code: unknown): number | undefined {
  if (/rate_limit/i.test(asText(code))) return 429;
  return /overload/i.test(asText(code)) ? 503 : undefined;
}

/** The members that contain an error's message, most useful first. */
const messageMembers = [
  ...["error", "message", "detail", "msg", "error_msg", "error_message"],
  ...["errors", "error_description", "title"],
];

const maxErrorDepth = 6;

/** Finds the message of an error, which may be nested in others or be a JSON string. */
function errorText(value: unknown, depth: number): string {
  if (depth > maxErrorDepth) return "";
  if (typeof value === "string") {
    const inner = /^\s*[[{]/.test(value) ? parseJsonText(value) : undefined;
    return (inner === undefined ? "" : errorText(inner, depth + 1)) || value;
  }
  if (Array.isArray(value)) {
    return value.slice(0, 3).map((each) => errorText(each, depth + 1)).filter((text) => text !== "")
      .join("; ");
  }
  // Without this check, each absent member would be searched down to the maximum depth.
  if (!isJsonObject(value)) return "";
  for (const name of messageMembers) {
    const text = errorText(value[name], depth + 1);
    if (text === "") continue;
    // A gateway adds the upstream server's message to its own.
    const raw = name === "message" ? errorText(asObject(value.metadata).raw, depth + 1) : "";
    return raw === "" || text.includes(raw) ? text : `${text}: ${raw}`;
  }
  return "";
}

/** Returns the error that a body reports with status 200 or within a stream. */
function findReportedError(body: unknown): ServerError | undefined {
  const document = asObject(Array.isArray(body) ? body[0] : body);
  const choice = asObject(Array.isArray(document.choices) ? document.choices[0] : undefined);
  const isAnswer = Array.isArray(document.choices) && document.choices.length > 0;
  if (isError(document.error) || document.object === "error") {
    return serverErrorOf(body);
  }
  const failed = [choice, asObject(choice.delta), asObject(choice.message)]
    .find(({ error }) => isError(error));
  if (failed !== undefined) return serverErrorOf(failed);
  // Some servers send the error's name, such as "network_error".
  if (/^(?:\w+[_-])?error$/i.test(String(choice.finish_reason))) {
    return { ...serverErrorOf({}), message: "finish_reason error" };
  }
  return !isAnswer && isFailure(document) ? serverErrorOf(body) : undefined;
}

export function isErrorEvent(event: string): boolean {
  return /(?:^|[_.-])error$/i.test(event.trim());
}

/** Reports whether a document that is not an answer indicates a failure in one of its members. */
function isFailure({ code, message, status, success, type, ...more }: JsonObject): boolean {
  const names = ["detail", "errors", "msg", "error_msg", "error_message", "error_code"];
  return names.some((name) => isError(more[name])) || typeof message === "string" ||
    success === false || isFailedCode(code) || failing.test(asText(type)) ||
    (/^\d+$/.test(String(status)) ? isFailedCode(status) : failing.test(asText(status)));
}

const failing = /error|exception|fail/i;

/** Reports whether a code means failure; success is 0, a 2xx status or a name. */
function isFailedCode(code: unknown): boolean {
  if (typeof code !== "number" && typeof code !== "string") return false;
  return !/^(?:|0|2\d\d(?:00)?|ok|success|succeeded|completed)$/i.test(String(code));
}

function isError(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}

/** Returns a server's text for use in a message: without secrets, on one line, and shortened. */
export function shownMessage(text: string, hide: (text: string) => string): string {
  // Hide secrets before shortening, so that no part of one remains.
  const safe = hide(text.slice(0, maxErrorBytes)).slice(0, maxMessageChars);
  // deno-lint-ignore no-control-regex -- a message must not start another line of a log
  return safe.replace(/[\x00-\x1f\x7f]+/g, " ").trim();
}

/** Parses `Retry-After` (RFC 9110, section 10.2.3) and the finer `retry-after-ms`. */
function parseRetryAfter(headers: Headers): number | undefined {
  const fine = headers.get("retry-after-ms");
  if (fine !== null && /^\d+(?:\.\d+)?$/.test(fine)) return Number(fine);
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const time = parseHttpDate(value);
  return time === undefined ? undefined : Math.max(0, time - Date.now());
}
