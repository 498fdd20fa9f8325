import type { App } from "../app/app.ts";
import { CookieJar } from "./cookie_jar.ts";
import { type FormValues, type TestOption, withForm, withJson } from "./options.ts";
import { send } from "./request.ts";
import { PendingResponse } from "./pending_response.ts";

/** Sends requests one after another and keeps the cookies, as a browser does. */
export class TestClient {
  readonly #app: App;
  readonly #jar = new CookieJar();

  /** Made by {@link newTestClient}. */
  constructor(app: App) {
    this.#app = app;
  }

  /** Asks for a path. */
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
    return new PendingResponse(send(this.#app, { method, path, options, jar: this.#jar }));
  }

  /** Returns the value of a cookie that the client would send to a path, or `undefined`. */
  cookie(name: string, path = "/"): string | undefined {
    return this.#jar.find(path).get(name);
  }
}

/**
 * Creates a client that keeps cookies, for tests that sign in, fill in a form and follow a redirect step by
 * step.
 *
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { newTestClient } from "@fw/fw/testing";
 *
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({
 *   pattern: "/visits",
 *   methods: {
 *     GET: (c) => {
 *       const visits = Number(c.signed("visits") ?? 0) + 1;
 *       c.setSigned("visits", String(visits), 60_000);
 *       return c.text(200, `visit ${visits}`);
 *     },
 *   },
 * });
 * const client = newTestClient(app);
 * await client.get("/visits").wantContains("visit 1");
 * await client.get("/visits").wantContains("visit 2");
 * ```
 */
export function newTestClient(app: App): TestClient {
  return new TestClient(app);
}
