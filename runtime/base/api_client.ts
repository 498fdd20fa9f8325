/**
 * Calls the API of the same project with its types: `Api` of the generated `fw_gen.ts` names the handlers
 * of every `route.ts`, and what they return with `c.json` types the responses. For another project,
 * `fw openapi --client` writes a client as a file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, type Ctx, type JsonResponse } from "@fw/fw";
 * import { createCaller } from "@fw/fw/client";
 *
 * const GET = (c: Ctx): JsonResponse<200, { seats: number }> => c.json(200, { seats: 40 });
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/api/events/{slug}", kind: "api", methods: { GET } });
 *
 * type Api = { "/api/events/{slug}": { GET: typeof GET } };
 * const call = createCaller<Api>({ baseUrl: "http://localhost", fetch: (r) => app.fetch(r) });
 * const response = await call("/api/events/{slug}", { method: "GET", params: { slug: "jazz" } });
 * assertEquals((await response.json()).seats, 40);
 * ```
 *
 * @module
 */
import type { JsonResponse } from "./ctx/answers.ts";
import { buildHref, type HrefOptions, type ParamName } from "./url/href.ts";

/** A value as it is once it has travelled as JSON: a date is a text, a bigint a number. */
export type JsonValueOf<T> = 0 extends 1 & T ? unknown
  : T extends { toJSON(): infer Json } ? Json
  : T extends bigint ? number
  : T extends string | number | boolean | null | undefined ? T
  : T extends readonly (infer Item)[] ? JsonValueOf<Item>[]
  : T extends object ? { [Name in keyof T]: JsonValueOf<T[Name]> }
  : unknown;

/** The responses of a handler: one for each `c.json` in it, told apart by `status`. */
export type ResponseOf<F> = F extends (...args: never) => infer Returned
  ? [JsonResponses<Awaited<Returned>>] extends [never] ? Response
  : JsonResponses<Awaited<Returned>>
  : Response;

/** Those of the values that a handler returns which are JSON responses, as they are after JSON. */
export type JsonResponses<R> = R extends JsonResponse<infer S, infer T>
  ? JsonResponse<S, JsonValueOf<T>>
  : never;

/** What a call sends. */
export type CallInit<P extends string, M extends string> =
  & {
    /** The method: one that the route has. */
    readonly method: M;
    /** The values of the query, by name. */
    readonly query?: HrefOptions["query"];
    /** The body: a form, a blob or a text as it is, any other value as JSON. */
    readonly body?: unknown;
    /** Headers of this request. */
    readonly headers?: HeadersInit | undefined;
    /** Aborts the call. */
    readonly signal?: AbortSignal | undefined;
  }
  & ([ParamName<P>] extends [never] ? { readonly params?: Readonly<Record<string, never>> }
    : {
      /** The values of the pattern's parameters. */
      readonly params: { readonly [Name in ParamName<P>]: string | number };
    });

/** Calls a route by its pattern. */
export type Caller<A> = <P extends keyof A & string, M extends keyof A[P] & string>(
  pattern: P,
  init: CallInit<P, M>,
) => Promise<ResponseOf<A[P][M]>>;

/** Settings of {@link createCaller}. */
export interface CallerOptions {
  /** Where the application is, its base path included. @default the origin of the page */
  readonly baseUrl?: string | URL | undefined;
  /** Sends a request: the handler of an application in the same process. @default `fetch` */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
  /** Headers of every request. @default none */
  readonly headers?: HeadersInit | undefined;
}

/** A problem document (RFC 9457) that a call got: thrown, so that responses have the types of the handler. */
export class CallError extends Error {
  /** The class name. */
  override readonly name = "CallError";
  /** The status. */
  readonly status: number;
  /** The problem document. */
  readonly problem: Readonly<Record<string, unknown>>;
  /** The response; its body has been read. */
  readonly response: Response;

  /**
   * Creates the error of a response.
   *
   * @param response The response.
   * @param problem Its body.
   */
  constructor(response: Response, problem: Readonly<Record<string, unknown>>) {
    const text = problem["detail"] ?? problem["title"];
    super(`${response.status}${typeof text === "string" ? `: ${text}` : ""}`);
    this.status = response.status;
    this.problem = problem;
    this.response = response;
  }

  /** The stable code of the problem. */
  get code(): string | undefined {
    const code = this.problem["code"];
    return typeof code === "string" ? code : undefined;
  }
}

/**
 * Creates a function that calls the routes of a project by their patterns, with the types of their
 * handlers. The body of a request is not typed: a handler does not tell what it reads.
 *
 * @param options Where the application is.
 * @returns The caller. It throws {@link CallError} for a problem document.
 * @example
 * ```ts
 * import { createCaller } from "@fw/fw/client";
 *
 * const call = createCaller<Record<never, never>>({ baseUrl: "https://example.com" });
 * console.assert(typeof call === "function");
 * ```
 */
export function createCaller<A>(options: CallerOptions = {}): Caller<A> {
  const call = async (pattern: string, init: CallInit<string, string>): Promise<Response> => {
    const path = buildHref(pattern, [init.params ?? {}, { query: init.query }]);
    const request = new Request(baseOf(options) + path, requestInit(init, options));
    const response = await (options.fetch ?? fetch)(request);
    const type = response.headers.get("content-type") ?? "";
    if (!/^application\/problem\+json(?:;|$)/i.test(type)) return response;
    throw new CallError(response, await readProblem(response));
  };
  return call as unknown as Caller<A>;
}

function baseOf({ baseUrl }: CallerOptions): string {
  const page = (globalThis as { readonly location?: { readonly origin: string } }).location;
  const base = baseUrl ?? page?.origin;
  if (base === undefined) {
    throw new TypeError(
      "Cannot find the application: pass `baseUrl`, such as http://localhost:3000.",
    );
  }
  return String(base).replace(/\/+$/, "");
}

function requestInit(init: CallInit<string, string>, options: CallerOptions): RequestInit {
  const headers = new Headers(options.headers);
  if (!headers.has("accept")) headers.set("accept", "application/json, application/problem+json");
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  const body = writeBody(init.body, headers);
  return {
    method: init.method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  };
}

function writeBody(body: unknown, headers: Headers): BodyInit | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string" || body instanceof FormData || body instanceof Blob) return body;
  if (body instanceof URLSearchParams) return body;
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return JSON.stringify(body);
}

/** A broken document does not hide the status of its response. */
async function readProblem(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const problem: unknown = await response.json();
    return typeof problem === "object" && problem !== null ? { ...problem } : {};
  } catch {
    return {};
  }
}
