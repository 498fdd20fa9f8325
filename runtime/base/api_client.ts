/**
 * Calls the API of the same project with its types: `Api` of the generated `fw_gen.ts` names the handlers
 * of every `route.ts`, and what they return with `c.json` types the responses. For another project, use a
 * client of the OpenAPI document that `fw openapi` writes.
 *
 * @example
 * ```ts
 * import { App, type Ctx, type HttpError, httpError } from "@fw/fw";
 * import { CallError, createCaller } from "@fw/fw/client";
 *
 * const DELETE = (_c: Ctx): HttpError => httpError(409, "Visitors have booked.");
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/api/events/{slug}", kind: "api", methods: { DELETE } });
 *
 * // In a browser, both options are left out; `Api` is in `fw_gen.ts`.
 * type Api = { "/api/events/{slug}": { DELETE: typeof DELETE } };
 * const call = createCaller<Api>({ baseUrl: "http://localhost", fetch: app.fetch });
 * try {
 *   await call("/api/events/{slug}", { method: "DELETE", params: { slug: "jazz" } });
 * } catch (error) {
 *   if (error instanceof CallError && error.status === 409) console.log(error.problem["detail"]);
 * }
 * ```
 *
 * @module
 */
import type { JsonResponse } from "./ctx/answers.ts";
import type { SentFields, StructForm } from "./sent.ts";
import type { StandardSchema } from "./standard_schema.ts";
import { buildHref, type HrefOptions, type ParamName } from "./url/href.ts";

/** The type of a value after a JSON round trip: a date is a string, a bigint a number. */
export type JsonValueOf<T> = 0 extends 1 & T ? unknown
  : T extends { toJSON(): infer Json } ? Json
  : T extends bigint ? number
  : T extends string | number | boolean | null | undefined ? T
  : T extends readonly (infer Item)[] ? JsonValueOf<Item>[]
  : T extends object ? { [Name in keyof T]: JsonValueOf<T[Name]> }
  : unknown;

/**
 * A handler with the inputs it reads, as `Api` of `fw_gen.ts` lists them. A schema stands for the type that
 * it accepts, any other type for itself; an absent member is unknown.
 */
export interface ApiOperation {
  /** The handler. */
  readonly handler: unknown;
  /** The JSON body that it reads. */
  readonly body?: unknown;
  /** The form that it reads. */
  readonly form?: unknown;
  /** The query that it reads. */
  readonly query?: unknown;
}

/** The type that a schema accepts as JSON; any other type stands for itself. */
export type BodyOf<S> = S extends StandardSchema<infer Input, infer _> ? Input : S;

/** The type that a schema accepts as a form or a query; any other type stands for itself. */
export type FormOf<S> = "~shape" extends keyof S
  ? S extends { readonly "~shape"?: infer Shape extends SentFields }
    ? string extends keyof Shape ? FormValues : StructForm<Shape>
  : FormValues
  : S extends StandardSchema<infer Input, infer _> ? { [Name in keyof Input]: Input[Name] | string }
  : S;

/** A value of a form; a list repeats the name. */
export type FormInput =
  | string
  | number
  | bigint
  | boolean
  | Blob
  | null
  | undefined
  | readonly (string | number | bigint | boolean | Blob)[];

/** The fields of any form. */
export type FormValues = Readonly<Record<string, FormInput>>;

/** The body of a call, by the body that the operation reads. */
export type SentBody<F, M extends string> = M extends "GET"
  ? { readonly body?: undefined; readonly form?: undefined }
  : F extends { readonly body: infer S; readonly form: infer Fields }
    ? JsonBody<BodyOf<S>> | FormBody<FormOf<Fields>>
  : F extends { readonly body: infer S } ? JsonBody<BodyOf<S>>
  : AnyBody;

/** A JSON body of a known type. */
export type JsonBody<T> = { readonly body: T; readonly form?: undefined };

/** A form of a known type. */
export type FormBody<T> = {
  /** The fields of the form, sent as multipart if a value is a file. */
  readonly form: T;
  readonly body?: undefined;
} | {
  /** A whole form. */
  readonly body: FormData | URLSearchParams;
  readonly form?: undefined;
};

/** A body of unknown type. */
export interface AnyBody {
  /** The body: a form, a blob or a string as it is, any other value as JSON. */
  readonly body?: unknown;
  /** The fields of a form, sent as multipart if a value is a file. */
  readonly form?: FormValues | undefined;
}

/** The query of a call, by the query that the operation reads. */
export type SentQuery<F> = F extends { readonly query: infer S }
  ? Record<never, never> extends FormOf<S> ? { readonly query?: FormOf<S> | undefined }
  : { readonly query: FormOf<S> }
  : { readonly query?: HrefOptions["query"] };

/** The responses of a handler: one for each `c.json` in it, distinguished by `status`. */
export type ResponseOf<F> = F extends { readonly handler: infer Handler } ? ResponseOf<Handler>
  : F extends (...args: never) => infer Returned
    ? [JsonResponses<Awaited<Returned>>] extends [never] ? Response
    : JsonResponses<Awaited<Returned>>
  : Response;

/** The JSON responses among a handler's return values, with bodies typed as after a JSON round trip. */
export type JsonResponses<R> = R extends JsonResponse<infer S, infer T>
  ? JsonResponse<S, JsonValueOf<T>>
  : never;

/** The options of a call; `F` is the type of the operation in `Api`. */
export type CallInit<P extends string, M extends string, F = unknown> =
  & {
    /** A method of the route. */
    readonly method: M;
    /** Headers of this request. */
    readonly headers?: HeadersInit | undefined;
    /** Aborts the call. */
    readonly signal?: AbortSignal | undefined;
  }
  & ([ParamName<P>] extends [never] ? { readonly params?: Readonly<Record<string, never>> }
    : {
      /** The values of the pattern's parameters. */
      readonly params: { readonly [Name in ParamName<P>]: string | number };
    })
  & SentQuery<F>
  & SentBody<F, M>;

/** Calls a route by its pattern. */
export type Caller<A> = <P extends keyof A & string, M extends keyof A[P] & string>(
  pattern: P,
  init: CallInit<P, M, A[P][M]>,
) => Promise<ResponseOf<A[P][M]>>;

/** Settings of {@link createCaller}. */
export interface CallerOptions {
  /** URL of the application, with its base path. @default the origin of the page */
  readonly baseUrl?: string | URL | undefined;
  /** Sends a request, for example the handler of an application in the same process. @default `fetch` */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
  /** Headers of every request. @default none */
  readonly headers?: HeadersInit | undefined;
}

/** Thrown for a problem document (RFC 9457), so that returned responses have the handler's types. */
export class CallError extends Error {
  /** The class name. */
  override readonly name = "CallError";
  /** The status. */
  readonly status: number;
  /** The problem document. */
  readonly problem: Readonly<Record<string, unknown>>;
  /** The response; its body has been read. */
  readonly response: Response;

  /** Creates the error of a response with its body. */
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
 * Creates a function that calls the routes of a project by their patterns, with the types of their handlers.
 * It throws {@link CallError} for a problem document.
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
 */
export function createCaller<A>(options: CallerOptions = {}): Caller<A> {
  const call = async (pattern: string, init: AnyInit): Promise<Response> => {
    const path = buildHref(pattern, [init.params ?? {}, { query: init.query }]);
    const request = new Request(baseOf(options) + path, requestInit(init, options));
    const response = await (options.fetch ?? fetch)(request);
    const type = response.headers.get("content-type") ?? "";
    if (!/^application\/problem\+json(?:;|$)/i.test(type)) return response;
    throw new CallError(response, await readProblem(response));
  };
  return call as unknown as Caller<A>;
}

interface AnyInit extends AnyBody {
  readonly method: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: HrefOptions["query"];
  readonly headers?: HeadersInit | undefined;
  readonly signal?: AbortSignal | undefined;
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

function requestInit(init: AnyInit, options: CallerOptions): RequestInit {
  const headers = new Headers(options.headers);
  if (!headers.has("accept")) headers.set("accept", "application/json, application/problem+json");
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  const body = init.form === undefined ? writeBody(init.body, headers) : writeForm(init.form);
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
  // JSON has no 64-bit integers, so schemas accept the digits as a string.
  return JSON.stringify(
    body,
    (_name, value: unknown) => typeof value === "bigint" ? `${value}` : value,
  );
}

function writeForm(fields: FormValues): FormData | URLSearchParams {
  const entries = Object.entries(fields)
    .flatMap(([name, given]) => [given].flat().map((value) => ({ name, value })))
    .filter(({ value }) => value !== undefined && value !== null);
  const hasFiles = entries.some(({ value }) => value instanceof Blob);
  const form = hasFiles ? new FormData() : new URLSearchParams();
  for (const { name, value } of entries) {
    if (form instanceof FormData && value instanceof Blob) form.append(name, value);
    else form.append(name, String(value));
  }
  return form;
}

/** Reads the problem document; a malformed one does not hide the status of its response. */
async function readProblem(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const problem: unknown = await response.json();
    return typeof problem === "object" && problem !== null ? { ...problem } : {};
  } catch {
    return {};
  }
}
