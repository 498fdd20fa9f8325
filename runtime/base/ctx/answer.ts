import type { Flash } from "./answers.ts";

/**
 * The clients that may reuse a response: all; all, but only if the handler sets `Cache-Control`, because it holds
 * a nonce (`declared`); the browser whose token it holds (`private`); the user who is signed in; none, because it
 * is behind a guard.
 */
export type CacheScope = "public" | "declared" | "private" | "user" | "no-store";

/** A response, without a promise where nothing is asynchronous. */
export type Answered = Response | Promise<Response>;

/** The response of one request. Only `request/answer.ts` and `request/stage.ts` change it. */
export type Answer = typeof openAnswer;

/** The state before the handler has set anything; each request gets a copy. */
export const openAnswer = {
  /** `built`: `response` has its head. `sealed`: the head was sent, and nothing can change any more. */
  state: "open" as "open" | "built" | "sealed",
  /** The last response that the framework built: no other code holds it, so it may be changed. */
  response: undefined as Response | undefined,
  /** Kind of response: a `stream` is a page whose body takes time, so its length is not measured. */
  kind: "data" as "data" | "page" | "stream",
  /** Whether something was staged that `finish` has to merge into the response. */
  isStaged: false,
  /** The staged status; 0 for none. */
  status: 0,
  given: undefined as Response | undefined,
  isWritten: false,
  cache: "public" as CacheScope,
  /** The staged headers by lower-case name. */
  headers: undefined as Map<string, string> | undefined,
  /** The staged names of `Vary`; `""` for none. */
  vary: "",
  /** The staged cookies by name, domain and path. */
  cookies: undefined as Map<string, string> | undefined,
  /** The flash messages of the request, once a page has read some. */
  taken: undefined as readonly Flash[] | undefined,
  queued: undefined as Flash[] | undefined,
  hasValidator: false,
  /** Other origins to which the page may send forms. */
  formActions: undefined as readonly string[] | undefined,
};
