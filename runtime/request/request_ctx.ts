import type { Node } from "../../html/node.ts";
import type { Answer, Answered } from "../base/ctx/answer.ts";
import type { Upgrade } from "../base/ctx/answers.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { Location, MatchedRoute, Target } from "../base/ctx/target.ts";
import type { CorsHeaders } from "../base/headers.ts";
import type { LogFields } from "../base/observe/logger.ts";
import type { AppTexts, TextScope } from "../base/texts.ts";
import { HttpError } from "../base/errors/errors.ts";
import type { Checks, RequestBody } from "../body/body.ts";
import type { Spoken } from "../i18n/languages.ts";
import type { CookieNames } from "./cookies.ts";
import type { DefaultHeaders } from "./stage.ts";

export interface RequestIds {
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly isBrought: boolean;
}

/** One request as the layers of the framework see it. Handlers get the same object as a {@link Ctx}. */
export interface RequestCtx extends Ctx {
  readonly target: Target;
  readonly answer: Answer;
  location: Location | undefined;
  route: MatchedRoute | undefined;
  /** The path inside the application in canonical form; before routing, the path as sent. */
  readonly path: string;
  /** The language prefix of the path, such as `/pt`; `""` for none. */
  readonly languagePrefix: string;
  /** The received headers; unlike `request`, reading them creates no guarded copy. */
  readonly headers: Headers;
  readonly cookieHeader: string;
  readonly cookieNames: CookieNames;
  readonly info: Deno.ServeHandlerInfo | undefined;
  readonly body: RequestBody;
  readonly touchedBody: RequestBody | undefined;
  readonly checks: Checks;
  /** The ids of the request in logs, read together on first use. */
  readonly ids: RequestIds;
  readonly isSecure: boolean;
  spoken: Spoken | undefined;
  readonly texts: AppTexts;
  /** The scope of its texts; without one, the texts of the process apply. */
  scope: TextScope | undefined;
  readonly appDir: string | undefined;

  /** The value of `performance.now()` at the start; 0 while not needed. */
  startMs: number;
  /** The clock value when the end was first measured, or 0: reading the clock is costly (`bench/http`). */
  endMs: number;
  isMeasured: boolean;

  /** The headers that the response carries unless the application sets its own. */
  readonly defaults: DefaultHeaders;
  readonly cors: CorsHeaders | undefined;
  /** The nonce for the response's policy; reading it does not mark the page as containing it. */
  readonly policyNonce: string;
  /** Renders synchronously if every layout is synchronous. */
  renderNow(status: number, node: Node): Answered;
  /** The upgraded connection: no other response can be sent then. */
  readonly upgraded: Upgrade | undefined;

  readonly hasWriteDeadline: boolean;
  /** Whether the client is known to have disconnected; only detected once the signal has been accessed. */
  readonly hasClientLeft: boolean;
  /** The reason of the aborted signal: the client left, a deadline passed, or the server stops. */
  readonly abortReason: unknown;
  /** Marks the response as streaming after its head, so that the signal can abort until `finish`. */
  resume(): void;
  /** Prevents the signal from aborting from now on. */
  finish(): void;
  abort(reason: unknown): void;
}

/** Milliseconds between two checks of a stream's or a socket's caller. */
export const checkMs = 30_000;

/** Reports whether a check refuses the caller of an open stream or socket. A failing store refuses no one. */
export async function isRefused({ checks }: RequestCtx): Promise<boolean> {
  for (const check of checks) {
    const error: unknown = await Promise.try(check).catch((error) => error);
    if (error instanceof HttpError && error.status < 500) return true;
  }
  return false;
}

/** Marks contexts that the framework created. */
export const made: unique symbol = Symbol("fw.made");

/** Returns the context with its internal members; throws a `TypeError` for a fake one. */
export function requestCtx(c: Ctx): RequestCtx {
  if (made in c) return c as Ctx as RequestCtx;
  throw new TypeError("Cannot use this context: the framework did not make it.");
}

/** The contexts by their `c.request`, for code that has only the request. */
export const contexts: WeakMap<Request, RequestCtx> = new WeakMap();

/** Hides parameters that look secret: the token of an emailed link is the key to an account. */
export function logPath(c: RequestCtx): string {
  const { target, location } = c;
  const route = c.route ?? location?.route ?? location?.near;
  const hidden = route?.secretSegments;
  if (route === undefined || hidden === undefined) return target.path;
  const parts = target.path.split("/");
  // The segments before the route's own: the base path and the language.
  const first = c.base.split("/").length + (location?.language === undefined ? 0 : 1);
  const rest = parts.slice(first + hidden.length);
  const isLonger = rest.some((part) => part !== "") && !route.pattern.endsWith("...}");
  // Fails closed: in a path of another shape, no segment is known to be harmless.
  if (parts.length < first + hidden.length || isLonger) return route.pattern;
  const own = hidden.map((name, index) => name ?? parts[first + index]);
  const isRestHidden = hidden.at(-1)?.endsWith("...}") === true;
  return [...parts.slice(0, first), ...own, ...isRestHidden ? [] : rest].join("/");
}

/** Returns the fields of the log line about a part of the application that failed. */
export function failureFields(c: RequestCtx, error: unknown): LogFields {
  const { method, pattern, route } = c;
  return { method, path: logPath(c), route: pattern, source: route?.source, error };
}

/** The connection of an in-process test or export; clients cannot forge it, because it is an object. */
export class ProcessConnection implements Deno.ServeHandlerInfo {
  readonly remoteAddr: Deno.Addr;
  readonly completed: Promise<void> = Promise.resolve();

  constructor(remoteAddr: Deno.Addr) {
    this.remoteAddr = remoteAddr;
  }
}

export class ExportConnection extends ProcessConnection {
  /** The error that produced the response, or `undefined`. */
  error: unknown = undefined;

  constructor() {
    // Without an address, address checks fail closed.
    super({ transport: "unix", path: "" });
  }
}
