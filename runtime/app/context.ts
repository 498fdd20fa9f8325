import type { Node } from "../../html/node.ts";
import { type Answer, type Answered, openAnswer } from "../base/ctx/answer.ts";
import type { Cookie, FlashAction, FlashKind, JsonResponse, Upgrade } from "../base/ctx/answers.ts";
import type { Application } from "../base/ctx/application.ts";
import type { Key } from "../base/ctx/ctx.ts";
import type { Bound, FormBindOptions, FormFiles } from "../base/ctx/input.ts";
import type { Location, MatchedRoute, Target } from "../base/ctx/target.ts";
import type { Catalog, CatalogSource, MessageKey, MessageParams } from "../base/catalog.ts";
import type { Env } from "../base/env.ts";
import type { RedirectStatus } from "../base/errors/errors.ts";
import type { AnyField, AnySchema } from "../base/standard_schema.ts";
import type { AppTexts, TextScope } from "../base/texts.ts";
import { buildLink, invalidLink } from "../base/url/href.ts";
import { joinBase, sliceQuery } from "../base/url/path.ts";
import { boundWithFiles, readInput } from "../body/bind.ts";
import { type Checks, RequestBody } from "../body/body.ts";
import { guardMethods, guardRequest } from "../body/guarded_request.ts";
import { boundInput } from "../schema/input.ts";
import type { Client } from "../guard/client_ip.ts";
import { csrfToken } from "../guard/csrf_token.ts";
import { requestNonce } from "../guard/secure_headers.ts";
import type { Spoken } from "../i18n/languages.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import { isFragmentId, renderPage } from "../render/page.ts";
import { type DefaultHeaders, mark, sealedError, setCookie } from "../request/stage.ts";
import { findIds } from "../serve/access_log.ts";
import type { CookieNames } from "../request/cookies.ts";
import { queueFlash } from "../request/flash.ts";
import { plainSpoken } from "../request/language.ts";
import {
  contexts,
  ExportConnection,
  made,
  type RequestCtx,
  type RequestIds,
} from "../request/request_ctx.ts";
import { buildJson, buildRedirect } from "../request/answer.ts";
import { routeParam } from "../request/router.ts";
import {
  contextAccessors,
  contextMethods,
  type ContextState,
  noFields,
} from "./context_methods.ts";

/** A catalog, loosely typed because the compiler has already checked the call of `c.t`. */
type Messages = { text(language: string, key: string, params?: unknown): string };

/** The only implementation of `Ctx`: it holds the state of a request and calls the layers below. */
export class Context implements RequestCtx, ContextState {
  readonly [made] = true;
  title = "";
  readonly target: Target;
  readonly answer: Answer = { ...openAnswer };
  readonly info: Deno.ServeHandlerInfo | undefined;
  readonly app: Application;
  readonly env: Env;
  readonly base: string;
  readonly isSecure: boolean;
  readonly isExport: boolean;
  method: string;
  startMs = 0;
  endMs = 0;
  isMeasured = false;
  isOver = false;
  location: Location | undefined = undefined;
  route: MatchedRoute | undefined = undefined;
  spoken: Spoken | undefined = undefined;
  scope: TextScope | undefined = undefined;
  upgraded: Upgrade | undefined = undefined;

  // Private, so that printing a context does not show them.
  readonly #runtime: Runtime;
  #source: Request;
  #lazyFields: typeof noFields | undefined = undefined;
  #ids: RequestIds | undefined = undefined;
  #cookies: string | undefined = undefined;
  #nonce: string | undefined = undefined;
  #isKnown = false;

  constructor(runtime: Runtime, request: Request, target: Target, info?: Deno.ServeHandlerInfo) {
    this.#runtime = runtime;
    this.#source = request;
    this.target = target;
    this.method = target.method;
    this.info = info;
    this.app = runtime.app;
    this.env = runtime.app.config.env;
    this.base = runtime.base;
    this.isExport = info instanceof ExportConnection;
    // The framework's listener has no TLS, so an `https:` in its target is only the client's claim.
    this.isSecure = runtime.isPublicHttps ||
      (target.url.startsWith("https:") && !runtime.isListening) ||
      (runtime.app.config.trustedProxies.length > 0 && this.client.isSecure);
  }

  get runtime(): Runtime {
    return this.#runtime;
  }

  get source(): Request {
    return this.#source;
  }

  get lazyFields(): typeof noFields | undefined {
    return this.#lazyFields;
  }

  get lazy(): typeof noFields {
    return this.#lazyFields ??= { ...noFields };
  }

  get request(): Request {
    const isRead = this.method === "GET" || this.method === "HEAD";
    const request = isRead
      ? this.#source
      : this.lazy.guarded ??= guardRequest(this.body, () => this.signal);
    if (!this.#isKnown) contexts.set(request, this);
    this.#isKnown = true;
    return request;
  }

  set request(request: Request) {
    this.#source = request;
    this.#isKnown = false;
    this.method = request.method;
    const lazy = this.lazy;
    lazy.url = lazy.search = lazy.alternates = undefined;
    this.#cookies = undefined;
    lazy.body = lazy.body?.replace(request);
    lazy.guarded = guardMethods(this.body);
  }

  get headers(): Headers {
    return this.#source.headers;
  }

  get body(): RequestBody {
    return this.lazy.body ??= new RequestBody(
      this.#source,
      this.#runtime.bodies,
      this.lazy.checks ??= [],
    );
  }

  get checks(): Checks {
    return this.lazy.checks ??= [];
  }

  get touchedBody(): RequestBody | undefined {
    return this.#lazyFields?.body;
  }

  async tryBind<T, const Files extends FormFiles = Record<never, never>>(
    schema: AnySchema<T>,
    options?: FormBindOptions<Files>,
  ): Promise<Bound<T, Files>> {
    const bound = boundInput(...await readInput(this, schema, options));
    const files = options?.files;
    // Without files `bound.files` is empty, as the type says.
    if (files === undefined) return bound as Bound<T, Files>;
    return await boundWithFiles(bound, files, (field, rules) => this.file(field, rules));
  }

  get hasWriteDeadline(): boolean {
    return this.#lazyFields?.hasWriteDeadline !== false;
  }

  get pattern(): string {
    return this.route?.pattern ?? "";
  }

  get path(): string {
    return this.location?.path ?? this.target.path;
  }

  param(name: string): string;
  param<T>(name: string, field: AnyField<T>): T;
  param<T>(name: string, field?: AnyField<T>): string | T {
    return routeParam(this, name, field);
  }

  search(): string {
    // An assigned request has its own URL.
    const { url, pathEnd } = this.target;
    return this.#source.url === url ? sliceQuery(url, pathEnd) : this.url.search;
  }

  get cookieHeader(): string {
    return this.#cookies ??= this.#source.headers.get("cookie") ?? "";
  }

  get cookieNames(): CookieNames {
    const { http, https } = this.#runtime.cookieNames;
    return this.isSecure ? https : http;
  }

  get ids(): RequestIds {
    return this.#ids ??= findIds(this.#source, this.#runtime.tracing);
  }

  get fragment(): string | undefined {
    const header = this.#source.headers.get("fw-fragment");
    // With a malformed id the client gets the whole page.
    return header !== null && isFragmentId(header) ? header : undefined;
  }

  get client(): Client {
    return this.lazy.client ??= this.#runtime.findClient(this);
  }

  set<T>(key: string | Key<T>, value: T): void {
    const lazy = this.lazy;
    lazy.values ??= new Map();
    lazy.values.set(key, value);
  }

  get<T>(key: Key<T>): T | undefined;
  get(key: string): unknown;
  get(key: unknown): unknown {
    return this.#lazyFields?.values?.get(key);
  }

  get language(): string {
    return this.#speak().language;
  }

  get texts(): AppTexts {
    return this.#speak().texts;
  }

  #speak(): Spoken {
    if (this.spoken !== undefined) return this.spoken;
    const { languages } = this.#runtime;
    if (languages === undefined) return plainSpoken;
    const inPath = this.location?.language;
    return this.spoken = inPath === undefined ? languages.decide(this) : languages.inPath(inPath);
  }

  get languagePrefix(): string {
    return this.location?.language === undefined ? "" : `/${this.language}`;
  }

  t<T extends CatalogSource, K extends MessageKey<T>>(
    messages: Catalog<T>,
    key: K,
    ...params: MessageParams<T, K>
  ): string;
  // No rest parameter: it slows down pages with hundreds of messages (`bench/i18n`).
  t(messages: Messages, key: string, params?: unknown): string {
    return messages.text((this.spoken ?? this.#speak()).language, key, params);
  }

  get defaults(): DefaultHeaders {
    const { defaults: all } = this.#runtime;
    const defaults = this.answer.cache === "no-store" ? all.guarded : all;
    return this.isSecure ? defaults.https : defaults.http;
  }

  get nonce(): string {
    // An exported file is sent to every client, with hashes in place of the nonce.
    if (this.answer.state !== "sealed" && !this.isExport) mark(this, "declared");
    return this.policyNonce;
  }

  get policyNonce(): string {
    return this.#nonce ??= requestNonce(this, this.app.config.security);
  }

  csrfToken(): string {
    return csrfToken(this);
  }

  setCookie(cookie: Cookie): void {
    setCookie(this, cookie);
  }

  flash(kind: FlashKind, text: string, action?: FlashAction): void {
    if (this.answer.state === "sealed") throw sealedError("a flash message");
    queueFlash(this, action === undefined ? { kind, text } : { kind, text, action });
  }

  json<S extends number, T>(status: S, value: T): JsonResponse<S, T> {
    // The same response at run time; the type adds what `openapi` and typed clients read.
    return buildJson(this, status, value) as JsonResponse<S, T>;
  }

  redirect(url: string, status?: RedirectStatus): Response {
    return buildRedirect(this, url, status);
  }

  renderNow(status: number, node: Node): Answered {
    const layouts = this.route?.layouts ?? [];
    return renderPage(this, node, { status, layouts, pages: this.#runtime.errorPages });
  }

  // Loosely typed: against the signature of `Ctx`, the compiler compares every route with every other.
  href(pattern: string, ...rest: readonly unknown[]): string {
    const path = buildLink(pattern, rest, (message) => this.log.warn(message));
    if (path === invalidLink) return path;
    return joinBase(this.base, this.location?.language ? this.languagePrefix + path : path);
  }

  asset(path: string): string {
    const { files, checkAsset } = this.#runtime;
    const rooted = path.startsWith("/") ? path : `/${path}`;
    checkAsset?.(rooted);
    return joinBase(this.base, files?.asset(rooted) ?? rooted);
  }

  finish(): void {
    this.isOver = true;
    const controller = this.#lazyFields?.controller;
    if (controller !== undefined) this.#runtime.signals.delete(controller);
  }
}

// The compiler checks these against `Ctx` where they are defined.
export interface Context
  extends Pick<RequestCtx, keyof typeof contextAccessors | keyof typeof contextMethods> {}

Object.defineProperties(Context.prototype, Object.getOwnPropertyDescriptors(contextAccessors));

for (
  const [name, method] of Object.entries<(c: Context, ...args: never[]) => unknown>(contextMethods)
) {
  const call = method as (c: Context, ...args: unknown[]) => unknown;
  Object.assign(Context.prototype, {
    // Three parameters, because rest parameters are slower.
    [name](this: Context, first: unknown, second: unknown, third: unknown): unknown {
      return call(this, first, second, third);
    },
  });
}
