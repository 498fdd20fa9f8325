import type { Child, Node } from "../../html/node.ts";
import { notFound } from "../base/errors/errors.ts";
import type { BindOptions, Bound } from "../base/ctx/input.ts";
import type { AnyField, AnySchema } from "../base/standard_schema.ts";
import { parseFragmentId } from "../base/fragment_id.ts";
import { isRequestId, parseTraceId } from "../base/headers.ts";
import type { IslandProps, IslandSource } from "../base/islands.ts";
import { actionUrl } from "../base/url/action.ts";
import type { Catalog, CatalogSource, MessageKey, MessageParams } from "../base/catalog.ts";
import { type AppTexts, enterScope, type TextScope } from "../base/texts.ts";
import type { Spoken } from "../i18n/languages.ts";
import type { Key } from "../base/keys.ts";
import type { Logger } from "../base/observe/logger.ts";
import { decodeParam, sliceQuery } from "../base/url/path.ts";
import { newRequestId } from "../base/observe/request_id.ts";
import type { Client } from "../base/ctx/services.ts";
import type { DeferOptions, StreamHandler, StreamOptions } from "../base/ctx/streams.ts";
import type { JsonResponse, Upgrade, UpgradeOptions } from "../base/ctx/answers.ts";
import type { Application } from "../base/ctx/application.ts";
import type { Alternate } from "../base/ctx/ctx.ts";
import type { Env } from "../base/env.ts";
import { bindBody } from "../body/bind.ts";
import { bindQuery, type QuerySource, tryBindQuery } from "../body/query.ts";
import { RequestBody } from "../body/body.ts";
import { guardRequest } from "../body/guarded_request.ts";
import { taggedCookie } from "./cookie_tag.ts";
import { isKeptRedirect, markPersonal } from "./cache_privacy.ts";
import type { CorsHeaders, DefaultHeaders } from "./default_headers.ts";
import { chooseLanguage, listAlternates, plainSpoken } from "./language.ts";
import { htmlResponse, jsonResponse, textResponse } from "./responses.ts";
import type {
  Audience,
  Carried,
  Exchange,
  Location,
  MatchedRoute,
  OwnResponse,
  Target,
} from "./exchange.ts";
import { ExportConnection, type Shared } from "./shared.ts";
import { refuseSealed, ResponseOutput } from "./response_output.ts";
import { openStream } from "./sse/stream.ts";
import { parseText } from "../schema/param.ts";

/** A catalog whose messages the compiler has compared with the call already. */
interface Messages {
  text(language: string, key: string, params?: unknown): string;
}

/** The contexts of the requests that were handed out, for code that has the request alone. */
const contexts: WeakMap<Request, RequestContext> = new WeakMap();

/** Returns the context of a request obtained from `c.request`. */
export function contextOf(request: Request): RequestContext | undefined {
  return contexts.get(request);
}

/**
 * The one implementation of {@link Exchange}, and with it of `Ctx`, which handlers see.
 */
// The state of a request, and what almost every request calls: a usual one passes no other class.
export class RequestContext extends ResponseOutput implements Exchange, TextScope {
  title = "";
  /** What the request asks for. */
  readonly target: Target;
  /** The connection, if a server provided it. */
  readonly info: Deno.ServeHandlerInfo | undefined;
  /** The value of `performance.now()` at the start; 0 while not needed. */
  startMs = 0;
  isMeasured = false;
  location: Location | undefined = undefined;
  route: MatchedRoute | undefined = undefined;
  spoken: Spoken | undefined = undefined;
  /** How the scope of the texts stands: without one, the texts are those of the process. */
  scope: "set" | "none" | "entered" = "set";
  stagedStatus = 0;
  stagedHeaders: Headers | undefined = undefined;
  upgraded: Upgrade | undefined = undefined;
  own: OwnResponse | undefined = undefined;
  audience: Audience = "anybody";

  readonly #shared: Shared;
  #request: Request;
  #method: string;
  #requestId: string | undefined = undefined;
  #brought: string | null | undefined = undefined;
  #traceId: string | undefined = undefined;
  #endMs = 0;
  // Each request of an application with languages reads it.
  #cookies: string | undefined = undefined;
  #nonce: string | undefined = undefined;
  #isKnown = false;
  #isSealed = false;
  #isOver = false;
  #lazyFields: LazyFields | undefined = undefined;

  /** Made by the pipeline, one a request. */
  constructor(
    shared: Shared,
    request: Request,
    target: Target,
    info?: Deno.ServeHandlerInfo,
  ) {
    super();
    this.#shared = shared;
    this.#request = request;
    this.#method = target.method;
    this.target = target;
    this.info = info;
  }

  get #lazy(): LazyFields {
    return this.#lazyFields ??= new LazyFields();
  }

  get request(): Request {
    const isRead = this.method === "GET" || this.method === "HEAD";
    const request = isRead
      ? this.#request
      : this.#lazy.guarded ??= guardRequest(this.body, () => this.signal);
    if (!this.#isKnown) {
      this.#isKnown = true;
      contexts.set(request, this);
    }
    return request;
  }

  set request(request: Request) {
    this.#request = request;
    this.#isKnown = false;
    this.#method = request.method;
    const lazy = this.#lazy;
    lazy.url = lazy.search = lazy.alternates = undefined;
    this.#cookies = undefined;
    lazy.guarded = request;
    lazy.body = lazy.body?.replace(request);
  }

  get body(): RequestBody {
    return this.#lazy.body ??= new RequestBody(this.#request, this.#shared.bodies);
  }

  get touchedBody(): RequestBody | undefined {
    return this.#lazyFields?.body;
  }

  bind<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T> {
    return bindBody(this.body, schema, options);
  }

  noWriteDeadline(): void {
    this.#lazy.hasWriteDeadline = false;
  }

  get hasWriteDeadline(): boolean {
    return this.#lazyFields?.hasWriteDeadline !== false;
  }

  get signal(): AbortSignal {
    return this.#lazy.signal ??= this.#openSignal();
  }

  set signal(signal: AbortSignal) {
    this.#lazy.signal = signal;
  }

  #openSignal(): AbortSignal {
    const controller = new AbortController();
    // After the response nothing may abort: the server's own signal fires after every success too.
    if (this.#isOver) return controller.signal;
    this.#lazy.controller = controller;
    this.#shared.signals.add(controller);
    const native = this.#request.signal;
    const abort = (): void => {
      if (!this.#isOver) controller.abort(native.reason);
    };
    if (native.aborted) abort();
    else native.addEventListener("abort", abort, { once: true });
    return controller.signal;
  }

  get url(): URL {
    return this.#lazy.url ??= this.#readUrl();
  }

  #readUrl(): URL {
    const url = new URL(this.#request.url);
    // The proxy that ended TLS sent plain HTTP on: an absolute link must lead back to HTTPS.
    if (url.protocol === "http:" && this.isSecure) url.protocol = "https:";
    else if (url.protocol === "https:" && !this.isSecure) url.protocol = "http:";
    return url;
  }

  get method(): string {
    return this.#method;
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
    const index = this.route?.names.indexOf(name) ?? -1;
    const capture = this.location?.captures?.[index];
    if (capture === undefined) {
      throw new TypeError(
        `Cannot read the parameter "${name}": the route "${this.pattern}" has ${
          this.route?.names.length ? `only ${this.route.names.join(", ")}` : "none"
        }.`,
      );
    }
    const value = decodeParam(capture);
    if (field === undefined) return value;
    const parsed = parseText(value, field);
    if (parsed === undefined) throw notFound();
    return parsed.value;
  }

  bindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T> {
    return bindQuery(this.#querySource(), schema, options);
  }

  tryBindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<Bound<T>> {
    return tryBindQuery(this.#querySource(), schema, options);
  }

  #querySource(): QuerySource {
    return { query: this.#search(), limits: this.#shared.bodies.limits };
  }

  query(name: string): string | undefined {
    const lazy = this.#lazy;
    lazy.search ??= new URLSearchParams(this.#search());
    return lazy.search.get(name) ?? undefined;
  }

  /** Returns the query with its `?`, or `""`. */
  #search(): string {
    // A request that was assigned has a URL of its own.
    const { url, pathEnd } = this.target;
    return this.#request.url === url ? sliceQuery(url, pathEnd) : this.url.search;
  }

  get cookieHeader(): string {
    return this.#cookies ??= this.#request.headers.get("cookie") ?? "";
  }

  cookie(name: string): string | undefined {
    return taggedCookie(this, name);
  }

  get endMs(): number {
    return this.#endMs ||= performance.now();
  }

  get requestId(): string {
    return this.#requestId ?? this.#readIds();
  }

  get broughtRequestId(): boolean {
    if (this.#brought === undefined) {
      let given: string | null = null;
      try {
        given = this.#request.headers.get("x-request-id");
      } catch {
        // A WebSocket has taken the request away.
      }
      this.#brought = given !== null && isRequestId(given) ? given : null;
    }
    return this.#brought !== null;
  }

  get traceId(): string | undefined {
    if (this.#requestId === undefined) this.#readIds();
    return this.#traceId;
  }

  /** Reads both ids, which the log needs together: accessing the headers is costly (`bench/http`). */
  #readIds(): string {
    let parent: string | null = null;
    try {
      parent = this.#request.headers.get("traceparent");
    } catch {
      // The log is still written when a WebSocket has taken the request away.
    }
    this.#traceId = parseTraceId(parent) ?? this.#shared.activeTraceId?.();
    const brought = this.broughtRequestId ? this.#brought : undefined;
    return this.#requestId = brought ?? newRequestId();
  }

  get log(): Logger {
    return this.#lazy.log ??= this.#openLog();
  }

  #openLog(): Logger {
    const traceId = this.traceId;
    return this.#shared.log.with({
      request_id: this.requestId,
      ...(traceId === undefined ? {} : { trace_id: traceId }),
    });
  }

  get env(): Env {
    return this.#shared.env;
  }

  get appDir(): string | undefined {
    return this.#shared.appDir;
  }

  get base(): string {
    return this.#shared.base;
  }

  get app(): Application {
    return this.#shared.app;
  }

  get fragment(): string | undefined {
    return parseFragmentId(this.#request.headers.get("fw-fragment"));
  }

  set<T>(key: string | Key<T>, value: T): void {
    const lazy = this.#lazy;
    lazy.values ??= new Map();
    lazy.values.set(key, value);
  }

  get<T>(key: Key<T>): T | undefined;
  get(key: string): unknown;
  get(key: unknown): unknown {
    return this.#lazyFields?.values?.get(key);
  }

  csrfToken(): string {
    return this.#shared.services.csrfToken(this);
  }

  // Caches keep what `GET` and `HEAD` give; for the rest a header more costs a tenth of a form post
  // (`bench/http`).
  lacksVary(response: Response): boolean {
    if (this.#method !== "GET" && this.#method !== "HEAD") return false;
    if (this.route?.isPage !== true) {
      return response.status >= 300 && isKeptRedirect(this, response);
    }
    const { own } = this;
    const hasVary = own?.carries === "page" || own?.carries === "stream";
    return !hasVary || own.response !== response;
  }

  get isSecure(): boolean {
    // The framework's listener has no TLS: there the client wrote the scheme into its target.
    if (this.target.url.startsWith("https:") && !this.#shared.isListening) return true;
    return this.#shared.trustsProxies && this.#client.isSecure;
  }

  get language(): string {
    return this.#speak().language;
  }

  #speak(): Spoken {
    if (this.spoken !== undefined) return this.spoken;
    const { languages } = this.#shared;
    if (languages === undefined) return plainSpoken;
    const inPath = this.location?.language;
    return this.spoken = inPath === undefined ? languages.decide(this) : languages.inPath(inPath);
  }

  get texts(): AppTexts {
    return this.#speak().texts;
  }

  get languagePrefix(): string {
    return this.location?.language === undefined ? "" : `/${this.language}`;
  }

  t<T extends CatalogSource, K extends MessageKey<T>>(
    messages: Catalog<T>,
    key: K,
    ...params: MessageParams<T, K>
  ): string;
  // Without a list of the rest, which pages with hundreds of messages notice (`bench/i18n`).
  t(messages: Messages, key: string, params?: unknown): string {
    return messages.text((this.spoken ?? this.#speak()).language, key, params);
  }

  setLanguage(language: string): void {
    refuseSealed(this, "the language");
    this.spoken = chooseLanguage(this, { language, languages: this.#shared.languages });
    if (this.#lazyFields !== undefined) this.#lazyFields.alternates = undefined;
    if (this.scope !== "none") return;
    this.scope = "entered";
    enterScope(this);
  }

  alternates(): readonly Alternate[] {
    const { languages } = this.#shared;
    if (languages?.hasPrefix !== true || this.route === undefined) return [];
    // A page asks twice, for its head and for its switch (`bench/i18n`).
    return this.#lazy.alternates ??= listAlternates(this, { languages, query: this.#search() });
  }

  get clientIp(): string | undefined {
    return this.#client.ip;
  }

  get #client(): Client {
    return this.#lazy.client ??= this.#shared.services.client(this);
  }

  get isExport(): boolean {
    return this.info instanceof ExportConnection;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get defaults(): DefaultHeaders {
    const { defaults: all } = this.#shared;
    const defaults = this.audience === "guarded" ? all.guarded : all;
    return this.isSecure ? defaults.https : defaults.http;
  }

  get cors(): CorsHeaders | undefined {
    // A request that is refused before its route has the policy of the route already.
    const route = this.route ?? this.location?.route;
    return route === undefined ? this.#shared.corsHeaders : route.corsHeaders;
  }

  get nonce(): string {
    // An exported file is sent to every client, with hashes in place of the nonce.
    if (this.audience === "anybody" && !this.isSealed && !this.isExport) markPersonal(this);
    return this.policyNonce;
  }

  get policyNonce(): string {
    return this.#nonce ??= this.#shared.services.nonce(this);
  }

  get formActions(): readonly string[] | undefined {
    return this.#lazyFields?.formActions;
  }

  allowFormActions(origins: readonly string[]): void {
    const lazy = this.#lazy;
    const present = lazy.formActions ?? origins;
    // The same list is added again each time a handler asks who is signed in.
    lazy.formActions = present === origins ? origins : [...new Set([...present, ...origins])];
  }

  get isSealed(): boolean {
    return this.#isSealed;
  }

  keep<R extends Response>(response: R, carries: Carried = "nothing"): R {
    this.own = { response, carries };
    return response;
  }

  json<S extends number, T>(status: S, value: T): JsonResponse<S, T> {
    const response = jsonResponse(status, value, this.defaults.data);
    // The two carry the same bytes; the type adds what `openapi` and typed clients read.
    return this.keep(response, "defaults") as JsonResponse<S, T>;
  }

  text(status: number, body: string): Response {
    return this.keep(textResponse(status, body, this.defaults.data), "defaults");
  }

  html(status: number, node: Node): Response {
    return this.#shared.services.document(this, status, node);
  }

  writeHtml(status: number, html: BodyInit): Response {
    // A page says in which language it is; the others only where something asked for the language.
    if (this.#shared.languages !== undefined) this.#speak();
    return this.keep(htmlResponse(status, html, this), "page");
  }

  render(status: number, node: Node): Promise<Response> {
    return Promise.resolve(this.#shared.services.render(this, status, node));
  }

  async renderAll(status: number, ...nodes: readonly Node[]): Promise<Response> {
    return await this.#shared.services.renderAll(this, status, nodes);
  }

  renderNow(status: number, node: Node): Response | Promise<Response> {
    return this.#shared.services.render(this, status, node);
  }

  stream(handler: StreamHandler, options: StreamOptions = {}): Response {
    return openStream(this, handler, { ...options, registry: this.#shared.streams });
  }

  defer(part: Promise<Child>, fallback: Child, options: DeferOptions = {}): Node {
    return this.#shared.services.defer(this, part, { ...options, fallback });
  }

  island<S extends IslandSource>(src: S, props: IslandProps<S>, ...children: Child[]): Node {
    return this.#shared.services.island(this, { src, props, children });
  }

  upgrade(options: UpgradeOptions = {}): Upgrade {
    if (this.upgraded !== undefined) {
      throw new TypeError(
        "Cannot upgrade the connection: it was upgraded already; keep what the first call gave.",
      );
    }
    // Deno closes a request whose connection is upgraded, so what the log needs is read before.
    void this.clientIp;
    void this.requestId;
    void this.log;
    return this.upgraded = this.#shared.services.upgrade(this, options);
  }

  respond(response: Response): void {
    refuseSealed(this, "the answer");
    const lazy = this.#lazy;
    lazy.staged = response;
    lazy.isWritten = true;
  }

  get written(): boolean {
    return this.#lazyFields?.isWritten ?? false;
  }

  get stagedResponse(): Response | undefined {
    return this.#lazyFields?.staged;
  }

  takeStaged(): Response | undefined {
    const lazy = this.#lazyFields;
    const staged = lazy?.staged;
    if (lazy !== undefined) lazy.staged = undefined;
    return staged;
  }

  action(name: string): string {
    const names = this.route?.actionNames ?? [];
    if (!names.includes(name)) {
      throw new TypeError(
        `Cannot name the action "${name}": the page "${this.pattern}" has ${
          names.length === 0 ? "no Actions" : `only ${names.join(", ")}`
        }.`,
      );
    }
    return actionUrl(name, { path: this.target.path, query: this.#search() });
  }

  asset(path: string): string {
    return this.#shared.services.asset(this, path);
  }

  seal(): void {
    this.#isSealed = true;
    this.#isOver = true;
    if (this.#lazyFields !== undefined) this.finish();
  }

  resume(): void {
    this.#isOver = false;
    const controller = this.#lazyFields?.controller;
    if (controller !== undefined) this.#shared.signals.add(controller);
  }

  finish(): void {
    this.#isOver = true;
    const controller = this.#lazyFields?.controller;
    if (controller !== undefined) this.#shared.signals.delete(controller);
  }

  get hasClientLeft(): boolean {
    return this.#lazyFields?.controller?.signal.aborted === true;
  }

  abort(reason: unknown): void {
    if (!this.#isOver) this.#lazyFields?.controller?.abort(reason);
  }
}

/** Fields that few requests use, kept separate so that the context of the others stays small (`bench/http`). */
class LazyFields {
  /** The request as handlers see it. */
  guarded: Request | undefined = undefined;
  /** The body, once something has asked for it. */
  body: RequestBody | undefined = undefined;
  /** The parsed URL. */
  url: URL | undefined = undefined;
  /** The parsed query. */
  search: URLSearchParams | undefined = undefined;
  /** The page in the languages of the application. */
  alternates: readonly Alternate[] | undefined = undefined;
  /** What `c.set` keeps. */
  values: Map<unknown, unknown> | undefined = undefined;
  /** The logger with the ids of the request. */
  log: Logger | undefined = undefined;
  /** The signal, as handlers see it. */
  signal: AbortSignal | undefined = undefined;
  /** What aborts the framework's own signal. */
  controller: AbortController | undefined = undefined;
  /** The staged response that waits to be handed out. */
  staged: Response | undefined = undefined;
  /** Origins besides its own to which the page may send forms. */
  formActions: readonly string[] | undefined = undefined;
  /** Whether a response was staged. */
  isWritten = false;
  /** Who sent the request. */
  client: Client | undefined = undefined;
  /** Whether the handler has a deadline. */
  hasWriteDeadline = true;
}
