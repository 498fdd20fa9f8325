import type { App } from "../app/app.ts";
import { CookieJar } from "./cookie_jar.ts";
import {
  type FormValues,
  planRequest,
  type RequestPlan,
  type TestOption,
  withForm,
  withJson,
} from "./options.ts";
import { nameOwnCookies, send, signCookies } from "./request.ts";
import { type PendingResponse, pendingResponse } from "./response.ts";

/** Sends requests one after another and keeps the cookies, as a browser does. */
export class TestClient {
  readonly #app: App;
  readonly #jar = new CookieJar();
  readonly #plan: RequestPlan;

  /** Created by {@link newTestClient}. */
  constructor(app: App, options: readonly TestOption[] = []) {
    this.#app = app;
    this.#plan = planRequest(options);
    if (this.#plan.body === undefined) return;
    throw new TypeError(
      "Cannot create a test client with a body: every request would send it; pass " +
        "withForm, withJson or withBody to the request.",
    );
  }

  /** Requests a path with `GET`. */
  get(path: string, ...options: TestOption[]): PendingResponse {
    return this.request("GET", path, ...options);
  }

  /** Sends a form. */
  postForm(path: string, values: FormValues, ...options: TestOption[]): PendingResponse {
    return this.request("POST", path, withForm(values), ...options);
  }

  /** Sends a value as JSON. */
  postJson(path: string, value: unknown, ...options: TestOption[]): PendingResponse {
    return this.request("POST", path, withJson(value), ...options);
  }

  /** Sends any request. `followRedirects()` on its response follows redirects. */
  request(method: string, path: string, ...options: TestOption[]): PendingResponse {
    this.#plantCookies();
    const defaults = [asDefaults(this.#plan)];
    return pendingResponse(send(this.#app, { method, path, options, defaults, jar: this.#jar }));
  }

  /** Returns the value of a cookie that the client would send to a path, or `undefined`. */
  cookie(name: string, path = "/"): string | undefined {
    this.#plantCookies();
    return this.#jar.find(path).get(name);
  }

  /** Puts the cookies of the options into the jar once, so that later changes by responses persist. */
  #plantCookies(): void {
    nameOwnCookies(this.#app, this.#plan);
    const { cookies, signed } = this.#plan;
    const path = this.#app.config.basePath || "/";
    const planted = [...cookies, ...signCookies(this.#app, signed)];
    for (const [name, value] of planted) this.#jar.keep({ name, value, path, expiresMs: Infinity });
    cookies.clear();
    signed.clear();
  }
}

/** Converts the plan of a client's options into an option for each of its requests. */
function asDefaults({ headers, hasCsrf, maxEvents }: RequestPlan): TestOption {
  return (plan) => {
    for (const [name, value] of headers) plan.headers.set(name, value);
    Object.assign(plan, { hasCsrf, maxEvents });
  };
}

/**
 * Creates a client that keeps cookies, for tests that sign in, fill in a form and follow a redirect step by
 * step.
 *
 * @param options Options of every request: `withUser(…)` of `@fw/fw/auth/testing` signs the client in. Their
 * cookies go into the client's jar. Options of a request take precedence.
 * @throws {TypeError} for an option with a body, which belongs to one request.
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { newTestClient } from "@fw/fw/testing";
 *
 * const app = new App({ env: "dev", logRequest: () => false });
 * const GET = (c: import("@fw/fw").Ctx) => {
 *   c.setSigned("seen", "yes", 60_000);
 *   return c.text(200, c.signed("seen") ?? "no");
 * };
 * app.route({ pattern: "/seen", methods: { GET } });
 * const client = newTestClient(app);
 * await client.get("/seen").wantContains("no");
 * await client.get("/seen").wantContains("yes");
 * ```
 */
export function newTestClient(app: App, ...options: TestOption[]): TestClient {
  return new TestClient(app, options);
}
