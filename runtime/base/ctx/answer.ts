import type { Flash } from "./answers.ts";

/**
 * The clients that may reuse the response: any client; the one browser whose token it holds; the user who is
 * signed in; or no cache at all, since it is behind a guard.
 */
export type CacheScope = "public" | "private" | "user" | "no-store";

/** The response of one request. Only `request/answer.ts` changes it. */
export class Answer {
  /** `built`: `response` has its head. `sealed`: the head was sent, and nothing can change any more. */
  state: "open" | "built" | "sealed" = "open";
  /** The last response that the framework built: no other code holds it, so it may be changed. */
  response: Response | undefined = undefined;
  /** Kind of response: a `stream` is a page whose body takes time, so its length is not measured. */
  kind: "data" | "page" | "stream" = "data";
  /** Whether something was staged that `finish` has to merge into the response. */
  isStaged = false;
  /** The staged status; 0 for none. */
  status = 0;
  /** The response staged by `c.respond`. */
  given: Response | undefined = undefined;
  /** Whether `c.respond` was called. */
  isWritten = false;
  cache: CacheScope = "public";
  /** The staged headers by lower-case name. */
  headers: Map<string, string> | undefined = undefined;
  /** The staged names of `Vary`; `""` for none. */
  vary = "";
  /** The staged cookies by name, domain and path. */
  cookies: Map<string, string> | undefined = undefined;
  /** The flash messages of the request, once a page has read some. */
  taken: readonly Flash[] | undefined = undefined;
  /** The flash messages for the next request. */
  queued: Flash[] | undefined = undefined;
  /** Whether the application declared a validator. */
  hasValidator = false;
  /** Other origins to which the page may send forms. */
  formActions: readonly string[] | undefined = undefined;
}
