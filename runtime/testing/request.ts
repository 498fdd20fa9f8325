import { isNode, type Node } from "../../html/node.ts";
import { App } from "../app/app.ts";
import { type Config, csrfNames, Off, trimBasePath } from "../base/config/config.ts";
import { type CookieDefaults, csrfCookieName, prefixedName } from "../request/cookies.ts";
import { shareProvided } from "../base/keys.ts";
import { createLogger } from "../telemetry/log.ts";
import { decodeParam, decodePath, pathEnd } from "../base/url/path.ts";
import type { Route } from "../base/ctx/route.ts";
import { ProcessConnection } from "../request/request_ctx.ts";
import { signerOf } from "../request/signed.ts";
import { readBody } from "./answer_body.ts";
import { CookieJar } from "./cookie_jar.ts";
import { recordPage } from "./page_record.ts";
import { planRequest, type RequestPlan, type TestOption } from "./options.ts";
import type { NextRequest } from "./next_request.ts";
import { type PendingResponse, pendingResponse, TestResponse } from "./response.ts";

/**
 * Sends one request through the application, as a server would, without a socket. It carries the CSRF cookie
 * and, for a method with a body, the token in its header, unless `withoutCsrf()` is passed. Only
 * `followRedirects()` follows redirects. Await the response, which is read to its end, or add checks first. A
 * body that has not ended after 30 seconds fails the test: `withMaxEvents` reads the first events of a stream.
 *
 * @param path A path with its query, base path included; or a whole URL, for HTTPS or another host.
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { testRequest } from "@fw/fw/testing";
 *
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({ pattern: "/hello/{name}", methods: { GET: (c) => c.text(200, c.param("name")) } });
 * await testRequest(app, "GET", "/hello/ada").wantStatus(200).wantContains("ada");
 * ```
 */
export function testRequest(
  app: App,
  method: string,
  path: string,
  ...options: TestOption[]
): PendingResponse {
  return pendingResponse(send(app, { method, path, options }));
}

export interface Sending {
  readonly method: string;
  readonly path: string;
  readonly options: readonly TestOption[];
  /** Options of every request of a client, with lower precedence. */
  readonly defaults?: readonly TestOption[];
  readonly jar?: CookieJar;
  readonly node?: () => Node | undefined;
  /** The cookies that the previous request of a chain carried in addition to those of the jar. */
  readonly carried?: ReadonlyMap<string, string> | undefined;
}

export async function send(app: App, sending: Sending): Promise<TestResponse> {
  // Without a client, a new jar keeps the cookies for the requests that follow.
  const { path, options, defaults = [], jar = new CookieJar(), node, carried } = sending;
  const method = sending.method.toUpperCase();
  const plan = planRequest([...defaults, ...options]);
  const url = urlOf(path, plan.headers);
  const own = writeCookies(app, plan, { method, path: pathOf(url), jar, carried });
  const request = new Request(url, { method, headers: plan.headers, body: await sizedBody(plan) });
  const address: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 40_000 };
  const response = await app.fetch(request, new ProcessConnection(address));
  const changed = response.headers.getSetCookie();
  // A proxy that terminates TLS forwards plain HTTP.
  const isForwarded = /https$/i.test(plan.headers.get("x-forwarded-proto") ?? "");
  jar.store(changed, isForwarded ? url.replace(/^http:/, "https:") : url);
  // Cookies that the response set or deleted belong to the jar.
  for (const cookie of changed) own.delete(cookie.split("=", 1)[0]?.trim() ?? "");
  const target = `${method} ${path.replace(/^https?:\/\/localhost(?=\/)/, "")}`;
  const again = (next: NextRequest): Promise<TestResponse> =>
    send(app, {
      method: next.method,
      path: next.url,
      options: [asBrowser(next, plan), ...next.options],
      defaults,
      jar,
      carried: own,
    });
  const read = await readBody(response, target, plan);
  const received = new TestResponse(response, read, { target, method, url, node: node?.(), again });
  if (/^text\/html\b/i.test(received.header("content-type") ?? "")) {
    recordPage(app, method, received);
  }
  return received;
}

/** Returns the body; sets its type and length in the headers unless it is a stream. */
async function sizedBody({ body, headers }: RequestPlan): Promise<BodyInit | null> {
  if (body === undefined || body instanceof ReadableStream) return body ?? null;
  const sent = new Response(body);
  const type = sent.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  const bytes = await sent.bytes();
  if (!headers.has("content-length") && !headers.has("transfer-encoding")) {
    headers.set("content-length", String(bytes.length));
  }
  return bytes;
}

/** Converts the next request of a chain into an option, with only the token of the page. */
function asBrowser({ body, isSame }: NextRequest, previous: RequestPlan): TestOption {
  return (plan) => {
    plan.hasCsrf = false;
    if (isSame) {
      // 307 and 308: the same request once more.
      for (const [name, value] of previous.headers) {
        if (name !== "cookie") plan.headers.set(name, value);
      }
      if (previous.body !== undefined) plan.body = previous.body;
    } else if (body !== undefined) plan.body = body;
  };
}

function urlOf(path: string, headers: Headers): string {
  if (/^https?:\/\//.test(path)) return path;
  if (!path.startsWith("/")) {
    throw new TypeError(`Cannot request "${path}": write a path that starts with a slash.`);
  }
  return `http://${headers.get("host") ?? "localhost"}${path}`;
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? "/" : url.slice(start, pathEnd(url, start));
}

/** Writes the cookies and the token of a request; returns the cookies outside the jar. */
function writeCookies(
  app: App,
  plan: RequestPlan,
  { method, path, jar, carried = new Map() }: Omit<Sending, "options"> & {
    readonly jar: CookieJar;
  },
): Map<string, string> {
  nameOwnCookies(app, plan);
  const own = new Map([...carried, ...plan.cookies, ...signCookies(app, plan.signed)]);
  const names = [...new Set(cookieDefaults(app).map((at) => csrfCookieName(app.config, at)))];
  const held = jar.find(path);
  const isKept = names.some((name) => own.has(name) || held.has(name));
  for (const name of plan.hasCsrf && !isKept ? names : []) own.set(name, jar.csrfToken);
  const cookies = new Map([...held, ...own]);
  const { headers } = plan;
  const { header } = csrfNames(app.config);
  const isUnsafe = !["GET", "HEAD", "OPTIONS"].includes(method);
  if (plan.hasCsrf && isUnsafe && !headers.has(header)) {
    headers.set(header, names.map((name) => cookies.get(name)).find(Boolean) ?? "");
  }
  if (cookies.size > 0 && !headers.has("cookie")) {
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
  }
  return own;
}

export function nameOwnCookies(app: App, plan: RequestPlan): void {
  for (const { name, value, isSigned } of plan.own.splice(0)) {
    for (const at of cookieDefaults(app)) {
      (isSigned ? plan.signed : plan.cookies).set(prefixedName(name, at), value);
    }
  }
}

function cookieDefaults({ config }: App): CookieDefaults[] {
  const path = trimBasePath(config.basePath) || "/";
  return [{ path, isSecure: false }, { path, isSecure: true }];
}

export function signCookies(app: App, values: ReadonlyMap<string, string>): Map<string, string> {
  // The keys exist once the application is compiled.
  if (values.size > 0) app.handler();
  const signed = [...values].map(([name, value]): [string, string] => [
    name,
    signerOf(app).sign(name, value, { ttlMs: hourMs }),
  ]);
  return new Map(signed);
}

const hourMs = 3_600_000;

/**
 * Sends one request, as {@link testRequest}, to a single route in a throwaway development application. The
 * pattern resolves the parameters. `withApp(app)` uses the settings and the provided values of an
 * application.
 *
 * @example
 * ```ts
 * import { testRoute } from "@fw/fw/testing";
 *
 * const route = { pattern: "/sum/{a}/{b}", methods: {
 *   GET: (c: import("@fw/fw").Ctx) => c.json(200, Number(c.param("a")) + Number(c.param("b"))),
 * } };
 * await testRoute(route, "GET", "/sum/2/3").wantStatus(200).wantContains("5");
 * ```
 */
export function testRoute(
  route: Route,
  method: string,
  path: string,
  ...options: TestOption[]
): PendingResponse {
  return pendingResponse(send(throwaway(route, options), { method, path, options }));
}

/** A page to test: a route whose pattern may be omitted if it has no parameters. */
export type TestedPage = Omit<Route, "pattern" | "page"> & Required<Pick<Route, "page">> & {
  /** The path as a template. @default the requested path */
  readonly pattern?: string;
};

/**
 * Requests the document of one page, as {@link testRoute}: `body` is the whole document, `node` the node that
 * the page returned.
 *
 * @throws {TypeError} for a path that needs a pattern, if none is given.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 *
 * const Page = () => h.h1("Events");
 * const { node, body } = await testPage({ page: Page }, "/events").wantStatus(200);
 * assertEquals(node && h.render(node), "<h1>Events</h1>");
 * assertEquals(body.startsWith("<!doctype html>"), true);
 * ```
 */
export function testPage(
  route: TestedPage,
  path: string,
  ...options: TestOption[]
): PendingResponse {
  let node: Node | undefined;
  const pattern = route.pattern ?? literalPattern(path);
  const app = throwaway({
    ...route,
    pattern,
    page: async (c) => {
      const result = await route.page(c);
      if (isNode(result)) node = result;
      return result;
    },
  }, options);
  return pendingResponse(send(app, { method: "GET", path, options, node: () => node }));
}

function literalPattern(path: string): string {
  const canonical = decodePath(pathOf(urlOf(path, new Headers())));
  if (canonical !== undefined && !/%2F|[{}]/.test(canonical)) return decodeParam(canonical);
  throw new TypeError(
    `Cannot test a page at "${path}": no plain text is the pattern of this path; use the page's ` +
      'own, such as pattern: "/{name}".',
  );
}

function throwaway(route: Route, options: readonly TestOption[]): App {
  const lender = planRequest(options).app;
  const { logger } = lender?.config ?? {};
  const app = new App({
    ...lender?.config,
    ...testConfig(),
    ...(logger === undefined ? {} : { logger }),
  });
  if (lender !== undefined) shareProvided(lender, app);
  app.route(route);
  return app;
}

/** Settings of an application under test: development, without the reload script, a quiet log. */
export function testConfig(): Partial<Config> {
  return {
    env: "dev",
    devReload: Off,
    logger: createLogger({
      format: "text",
      level: "warn",
      write: (lines) => console.error(lines.trimEnd()),
    }),
  };
}
