import type { App } from "../app/app.ts";

/** The values of a form: one or several by field, or a `FormData`. */
export type FormValues =
  | Readonly<Record<string, string | readonly string[]>>
  | URLSearchParams
  | FormData;

/** The combined options of one request. */
export interface RequestPlan {
  /** The application that handles the request instead of a throwaway one. */
  app?: App;
  /** The request's headers. */
  readonly headers: Headers;
  /** The request's cookies. */
  readonly cookies: Map<string, string>;
  /** The cookies that the application signs before they are sent. */
  readonly signed: Map<string, string>;
  /** The framework's own cookies, whose names depend on the base path and the scheme. */
  readonly own: { readonly name: string; readonly value: string; readonly isSigned: boolean }[];
  /** The request's body. */
  body?: BodyInit;
  /** Whether the request carries the CSRF cookie and header. */
  hasCsrf: boolean;
  /** The number of Server-Sent Events after which the client disconnects. */
  maxEvents: number;
}

/** An option of a test request, as the `with…` functions return it. */
export type TestOption = (plan: RequestPlan) => void;

export function planRequest(options: readonly TestOption[]): RequestPlan {
  const plan: RequestPlan = {
    headers: new Headers(),
    cookies: new Map(),
    own: [],
    signed: new Map(),
    hasCsrf: true,
    maxEvents: Infinity,
  };
  for (const option of options) option(plan);
  return plan;
}

/** Makes `testRoute` and `testPage` use the settings and the provided values of an application. */
export function withApp(app: App): TestOption {
  return (plan) => void (plan.app = app);
}

/** Sets a request header; a second one of the same name replaces the first. */
export function withHeader(name: string, value: string): TestOption {
  return (plan) => plan.headers.set(name, value);
}

/** Sends a cookie unchanged. */
export function withCookie(name: string, value: string): TestOption {
  return (plan) => void plan.cookies.set(name, value);
}

/** Sends a cookie signed by the application, valid for an hour: `c.signed(name)` returns the value. */
export function withSigned(name: string, value: string): TestOption {
  return (plan) => void plan.signed.set(name, value);
}

/** Sends a form: URL-encoded, or multipart for a `FormData`, which may hold files. */
export function withForm(values: FormValues): TestOption {
  return (plan) => {
    if (values instanceof FormData || values instanceof URLSearchParams) {
      plan.body = values;
      return;
    }
    const form = new URLSearchParams();
    for (const [name, given] of Object.entries(values)) {
      for (const value of typeof given === "string" ? [given] : given) form.append(name, value);
    }
    plan.body = form;
  };
}

/** Sends a value as JSON. */
export function withJson(value: unknown): TestOption {
  return withBody("application/json", JSON.stringify(value));
}

/** Sends a body unchanged. */
export function withBody(contentType: string, body: BodyInit): TestOption {
  return (plan) => {
    plan.body = body;
    plan.headers.set("content-type", contentType);
  };
}

/** Omits the CSRF cookie and header, which every test request carries by default. */
export function withoutCsrf(): TestOption {
  return (plan) => void (plan.hasCsrf = false);
}

/**
 * Reads at most this many Server-Sent Events (`events` of the response), then disconnects like a closed
 * page.
 *
 * @throws {RangeError} unless the number is an integer above 0.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, type Handler } from "@fw/fw";
 * import { testRequest, withMaxEvents } from "@fw/fw/testing";
 *
 * const app = new App({ env: "dev", logRequest: () => false });
 * const GET: Handler = (c) =>
 *   c.stream(async (s) => {
 *     for (let tick = 0;; tick++) await s.json("tick", { tick });
 *   });
 * app.route({ pattern: "/ticks", methods: { GET } });
 * const { events } = await testRequest(app, "GET", "/ticks", withMaxEvents(2));
 * assertEquals(events.map(({ data }) => data), ['{"tick":0}', '{"tick":1}']);
 * ```
 */
export function withMaxEvents(count: number): TestOption {
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new RangeError(`Cannot take withMaxEvents(${count}): use an integer from 1 up.`);
  }
  return (plan) => void (plan.maxEvents = count);
}
