import type { Child, Node } from "../../html/node.ts";
import { type HttpError, redirect } from "../base/errors.ts";
import type { BindOptions, Bound, FileRules, Upload } from "../base/input.ts";
import type { AnySchema } from "../base/standard_schema.ts";
import { parseFragmentId } from "../base/fragment_id.ts";
import { headerError, isRequestId, negotiate, parseTraceId } from "../base/headers.ts";
import type { IslandProps, IslandSource } from "../base/islands.ts";
import { hrefValues } from "../base/url/href.ts";
import type { Key } from "../base/keys.ts";
import type { Logger } from "../base/logger.ts";
import { decodeParam, joinBase, sliceQuery } from "../base/url/path.ts";
import { buildPath } from "../base/url/pattern.ts";
import { newRequestId } from "../base/request_id.ts";
import type { Client } from "../base/services.ts";
import type { DeferOptions, StreamHandler, StreamOptions } from "../base/streams.ts";
import type {
  Application,
  Cookie,
  Ctx,
  Env,
  Flash,
  FlashKind,
  HrefParams,
  HrefPattern,
  JsonResponse,
  RedirectStatus,
  Upgrade,
  UpgradeOptions,
} from "../base/types.ts";
import { bindBody, bindJson, tryBindBody } from "../body/bind.ts";
import { RequestBody } from "../body/body.ts";
import { guardRequest } from "../body/guarded_request.ts";
import { findCookie, serializeCookie, stageCookie } from "./cookies.ts";
import type { Audience } from "./cache_privacy.ts";
import type { CorsHeaders, DefaultHeaders } from "./default_headers.ts";
import { ExportExchange } from "./shared.ts";
import { queueFlash, takeFlashes } from "./flash.ts";
import { formError, readForm } from "../body/form/form.ts";
import { declareCacheControl, declareEtag, declareLastModified } from "./http_cache.ts";
import { htmlResponse, jsonResponse, textResponse } from "./responses.ts";
import { RareFields } from "./lazy_fields.ts";
import type { MatchedRoute, Shared } from "./shared.ts";
import { readSigned, writeSigned } from "./signed.ts";
import { openStream } from "./sse.ts";
import { readUpload } from "../body/upload/upload.ts";

/** The contexts of the requests that were handed out, for code that has the request alone. */
const contexts: WeakMap<Request, RequestContext> = new WeakMap();

/** The context of a request that `c.request` gave. */
export function contextOf(request: Request): RequestContext | undefined {
  return contexts.get(request);
}

/**
 * The one implementation of {@link Ctx}. Handlers see the interface; the layers of the runtime use
 * the members below it as well.
 */
export class RequestContext implements Ctx {
  title = "";
  /** The connection, where a server gave it. */
  info: Deno.ServeHandlerInfo | undefined = undefined;
  /** What `performance.now()` gave at the start; 0 while nothing needs it. */
  startMs = 0;
  /** Whether its end was counted already. */
  isMeasured = false;
  /** The path inside the application, in canonical form. */
  path = "";
  /** The whole URL as the server gave it. */
  rawUrl = "";
  /** Where the path starts in `rawUrl`. */
  pathStart = 0;
  /** Where the path ends in `rawUrl`. */
  pathEnd = 0;
  /** The matched route. */
  route: MatchedRoute | undefined = undefined;
  /** The captured parameters, undecoded. */
  captures: readonly string[] | undefined = undefined;
  /** The status that was staged, 0 for none. */
  stagedStatus = 0;
  /** The headers that were staged. */
  stagedHeaders: Headers | undefined = undefined;
  /** The last answer that the context itself made: it may be changed. */
  made: Response | undefined = undefined;
  /** The connection that was handed over: nothing else can answer then. */
  upgraded: Upgrade | undefined = undefined;
  /** The last answer that carries the default headers already. */
  dressed: Response | undefined = undefined;
  /** The last answer that says already that a fragment request gets another one. */
  varied: Response | undefined = undefined;
  /** Who the answer is made for. */
  audience: Audience = "anybody";

  readonly #shared: Shared;
  #request: Request;
  #method: string | undefined = undefined;
  #requestId: string | undefined = undefined;
  #traceId: string | undefined = undefined;
  #endMs = 0;
  #nonce: string | undefined = undefined;
  #isKnown = false;
  #isSealed = false;
  #isOver = false;
  #rareFields: RareFields | undefined = undefined;

  /** Made by the pipeline, one a request. */
  constructor(shared: Shared, request: Request) {
    this.#shared = shared;
    this.#request = request;
  }

  get #rare(): RareFields {
    return this.#rareFields ??= new RareFields();
  }

  get request(): Request {
    const isRead = this.method === "GET" || this.method === "HEAD";
    const request = isRead
      ? this.#request
      : this.#rare.guarded ??= guardRequest(this.body, () => this.signal);
    if (!this.#isKnown) {
      this.#isKnown = true;
      contexts.set(request, this);
    }
    return request;
  }

  set request(request: Request) {
    this.#request = request;
    this.#isKnown = false;
    this.#method = undefined;
    const rare = this.#rare;
    rare.url = rare.search = rare.cookies = undefined;
    rare.guarded = request;
    rare.body = rare.body?.replace(request);
  }

  /** The body, with its limit and whatever was read of it. */
  get body(): RequestBody {
    return this.#rare.body ??= new RequestBody(this.#request, this.#shared.bodies);
  }

  /** The body, if anything has asked for it. */
  get touchedBody(): RequestBody | undefined {
    return this.#rareFields?.body;
  }

  async form(name: string): Promise<string | undefined> {
    return (await readForm(this)).get(name);
  }

  async formData(): Promise<FormData> {
    return await (await readForm(this)).toFormData();
  }

  formErr(): Promise<HttpError | undefined> {
    return formError(this);
  }

  bindJson<T>(schema: AnySchema<T>): Promise<T> {
    return bindJson(this, schema);
  }

  bind<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T> {
    return bindBody(this, schema, options);
  }

  tryBind<T>(schema: AnySchema<T>, options?: BindOptions): Promise<Bound<T>> {
    return tryBindBody(this, schema, options);
  }

  file(field: string, rules?: FileRules & { readonly optional?: false }): Promise<Upload>;
  file(field: string, rules: FileRules): Promise<Upload | undefined>;
  file(field: string, rules: FileRules = {}): Promise<Upload | undefined> {
    return readUpload(this, field, rules);
  }

  allowBody(maxBytes: number): void {
    this.body.allow(maxBytes);
  }

  noReadDeadline(): void {
    this.body.dropDeadline();
  }

  noWriteDeadline(): void {
    this.#rare.hasWriteDeadline = false;
  }

  /** Whether the handler must answer in time. */
  get hasWriteDeadline(): boolean {
    return this.#rareFields?.hasWriteDeadline !== false;
  }

  get signal(): AbortSignal {
    return this.#rare.signal ??= this.#openSignal();
  }

  set signal(signal: AbortSignal) {
    this.#rare.signal = signal;
  }

  #openSignal(): AbortSignal {
    const controller = new AbortController();
    // After the answer nothing may abort: the server's own signal fires after every success too.
    if (this.#isOver) return controller.signal;
    this.#rare.controller = controller;
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
    return this.#rare.url ??= this.#readUrl();
  }

  #readUrl(): URL {
    const url = new URL(this.#request.url);
    // The proxy that ended TLS sent plain HTTP on: an absolute link must lead back to HTTPS.
    if (url.protocol === "http:" && this.isSecure) url.protocol = "https:";
    return url;
  }

  get method(): string {
    // Reading it from the request is a call into the server (`bench/http`).
    return this.#method ??= this.#request.method;
  }

  get pattern(): string {
    return this.route?.pattern ?? "";
  }

  /** The path as the client sent it, for the log. */
  get rawPath(): string {
    return this.rawUrl.slice(this.pathStart, this.pathEnd);
  }

  param(name: string): string {
    const index = this.route?.names.indexOf(name) ?? -1;
    const capture = this.captures?.[index];
    if (capture === undefined) {
      throw new TypeError(
        `Cannot read the parameter "${name}": the route "${this.pattern}" has ${
          this.route?.names.length ? `only ${this.route.names.join(", ")}` : "none"
        }.`,
      );
    }
    return decodeParam(capture);
  }

  query(name: string): string | undefined {
    const rare = this.#rare;
    rare.search ??= this.#parseSearch();
    return rare.search.get(name) ?? undefined;
  }

  #parseSearch(): URLSearchParams {
    // A request that was assigned has a URL of its own.
    return this.#request.url === this.rawUrl
      ? new URLSearchParams(sliceQuery(this.rawUrl, this.pathEnd))
      : this.url.searchParams;
  }

  cookie(name: string): string | undefined {
    const rare = this.#rare;
    rare.cookies ??= this.#request.headers.get("cookie") ?? "";
    return findCookie(rare.cookies, name);
  }

  setSigned(name: string, value: string, ttlMs: number): void {
    this.#refuseSealed(`the cookie "${name}"`);
    writeSigned(this, { name, value, ttlMs });
  }

  signed(name: string): string | undefined {
    return readSigned(this, name);
  }

  accepts(...offers: string[]): string | undefined {
    return negotiate(this.#request.headers.get("accept"), offers);
  }

  /** What `performance.now()` gave when the end was first asked for: the clock costs (`bench/http`). */
  get endMs(): number {
    return this.#endMs ||= performance.now();
  }

  get requestId(): string {
    return this.#requestId ?? this.#readIds();
  }

  get traceId(): string | undefined {
    if (this.#requestId === undefined) this.#readIds();
    return this.#traceId;
  }

  /** Reads both ids, which the log wants together: to reach for the headers costs (`bench/http`). */
  #readIds(): string {
    let given: string | null = null;
    let parent: string | null = null;
    try {
      const { headers } = this.#request;
      given = headers.get("x-request-id");
      parent = headers.get("traceparent");
    } catch {
      // The log is still written when a WebSocket has taken the request away.
    }
    this.#traceId = parseTraceId(parent) ?? this.#shared.activeTraceId?.();
    return this.#requestId = given !== null && isRequestId(given) ? given : newRequestId();
  }

  get log(): Logger {
    return this.#rare.log ??= this.#openLog();
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
    const rare = this.#rare;
    rare.values ??= new Map();
    rare.values.set(key, value);
  }

  get<T>(key: Key<T>): T | undefined;
  get(key: string): unknown;
  get(key: unknown): unknown {
    return this.#rareFields?.values?.get(key);
  }

  status(code: number): void {
    this.#refuseSealed("the status");
    if (!Number.isInteger(code) || code < 200 || code > 599) {
      throw new RangeError(`Cannot set the status "${code}": give a whole number from 200 to 599.`);
    }
    this.stagedStatus = code;
  }

  header(name: string, value: string): void {
    this.#refuseSealed(`the header "${name}"`);
    this.stagedHeaders ??= new Headers();
    try {
      if (/^(?:vary|set-cookie)$/i.test(name)) this.stagedHeaders.append(name, value);
      else this.stagedHeaders.set(name, value);
    } catch (error) {
      throw headerError(name, error);
    }
  }

  setCookie(cookie: Cookie): void {
    this.#refuseSealed(`the cookie "${cookie.name}"`);
    this.stagedHeaders ??= new Headers();
    stageCookie(
      this.stagedHeaders,
      serializeCookie(cookie, {
        path: this.base === "" ? "/" : this.base,
        isSecure: this.isSecure,
      }),
    );
  }

  flash(kind: FlashKind, text: string): void {
    this.#refuseSealed("a flash message");
    queueFlash(this, { kind, text });
  }

  flashes(): readonly Flash[] {
    return takeFlashes(this);
  }

  csrfToken(): string {
    return this.#shared.services.csrfToken(this);
  }

  /**
   * Whether an answer must still say that a fragment request to its URL gets another one. Caches keep
   * what `GET` and `HEAD` give; for the rest a header more costs a tenth of a form post (`bench/http`).
   */
  lacksVary(response: Response): boolean {
    return this.route?.isPage === true && response !== this.varied &&
      (this.method === "GET" || this.method === "HEAD");
  }

  /** Whether the client sent the request over HTTPS. */
  get isSecure(): boolean {
    // Reading it from the request is a call into the server (`bench/http`).
    if ((this.rawUrl || this.#request.url).startsWith("https:")) return true;
    return this.#shared.trustsProxies && this.#client.isSecure;
  }

  get clientIp(): string | undefined {
    return this.#client.ip;
  }

  get #client(): Client {
    return this.#rare.client ??= this.#shared.services.client(this);
  }

  get isExport(): boolean {
    return this.info instanceof ExportExchange;
  }

  /** The headers as they came: `request` of a method with a body makes a guarded copy. */
  get headers(): Headers {
    return this.#request.headers;
  }

  /** The headers that its answer carries unless the application sets its own. */
  get defaults(): DefaultHeaders {
    const { defaults: all } = this.#shared;
    const defaults = this.audience === "guarded" ? all.guarded : all;
    return this.isSecure ? defaults.https : defaults.http;
  }

  /** What the CORS policy adds to its answer. */
  get cors(): CorsHeaders | undefined {
    const route = this.route ?? this.#rareFields?.refusedRoute;
    return route === undefined ? this.#shared.corsHeaders : route.corsHeaders;
  }

  /** Gives the answer to a request that is refused before its route the route's CORS policy. */
  refuseBefore(route: MatchedRoute | undefined): void {
    this.#rare.refusedRoute = route;
  }

  get nonce(): string {
    return this.#nonce ??= this.#shared.services.nonce(this);
  }

  /** Origins besides its own to which the page may send forms. */
  get formActions(): readonly string[] | undefined {
    return this.#rareFields?.formActions;
  }

  /** Adds origins to which the page may send forms. */
  allowFormActions(origins: readonly string[]): void {
    const rare = this.#rare;
    const present = rare.formActions ?? origins;
    // The same list comes again with each question who is signed in.
    rare.formActions = present === origins ? origins : [...new Set([...present, ...origins])];
  }

  /** Whether the head has been sent. */
  get isSealed(): boolean {
    return this.#isSealed;
  }

  #refuseSealed(what: string): void {
    if (this.#isSealed) throw new TypeError(`Cannot set ${what}: the head has been sent.`);
  }

  json<S extends number, T>(status: S, value: T): JsonResponse<S, T> {
    const response = jsonResponse(status, value, this.defaults.data);
    this.made = this.dressed = response;
    // The two carry the same bytes; the type adds what `openapi` and typed clients read.
    return response as JsonResponse<S, T>;
  }

  text(status: number, body: string): Response {
    return this.made = this.dressed = textResponse(status, body, this.defaults.data);
  }

  html(status: number, node: Node): Response {
    return this.#shared.services.document(this, status, node);
  }

  /** Answers with finished HTML. */
  writeHtml(status: number, html: BodyInit): Response {
    return this.made = this.dressed = this.varied = htmlResponse(status, html, this);
  }

  noContent(): Response {
    return this.made = new Response(null, { status: 204 });
  }

  render(status: number, node: Node): Promise<Response> {
    return Promise.resolve(this.#shared.services.render(this, status, node));
  }

  async renderAll(status: number, ...nodes: readonly Node[]): Promise<Response> {
    return await this.#shared.services.renderAll(this, status, nodes);
  }

  /** Renders without a promise where every layout is synchronous. */
  renderNow(status: number, node: Node): Response | Promise<Response> {
    return this.#shared.services.render(this, status, node);
  }

  redirect(url: string, status: RedirectStatus = 303): Response {
    const { location } = redirect(url, status);
    return this.made = new Response(null, { status, headers: { location } });
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
    // Deno closes a request whose connection it hands over: what the log tells is read before.
    void this.clientIp;
    void this.requestId;
    void this.log;
    return this.upgraded = this.#shared.services.upgrade(this, options);
  }

  respond(response: Response): void {
    this.#refuseSealed("the answer");
    const rare = this.#rare;
    rare.staged = response;
    rare.isWritten = true;
  }

  get written(): boolean {
    return this.#rareFields?.isWritten ?? false;
  }

  /** Whether a staged answer waits to be handed out. */
  get hasStaged(): boolean {
    return this.stagedAnswer !== undefined;
  }

  /** The staged answer that waits to be handed out. */
  get stagedAnswer(): Response | undefined {
    return this.#rareFields?.staged;
  }

  /** Hands out the staged answer, once. */
  takeStaged(): Response | undefined {
    const rare = this.#rareFields;
    const staged = rare?.staged;
    if (rare !== undefined) rare.staged = undefined;
    return staged;
  }

  etag(tag: string | undefined): boolean {
    return declareEtag(this, tag);
  }

  lastModified(date: Date | undefined): boolean {
    return declareLastModified(this, date);
  }

  cacheControl(value: string): void {
    declareCacheControl(this, value);
  }

  href<P extends HrefPattern>(pattern: P, ...params: HrefParams<P>): string {
    return joinBase(this.base, buildPath(pattern, hrefValues(params)));
  }

  asset(path: string): string {
    return this.#shared.services.asset(this, path);
  }

  /** Ends the time in which the answer can be changed, and in which the signal can abort. */
  seal(): void {
    this.#isSealed = true;
    this.finish();
  }

  /** Says that the answer goes on after its head: until `finish` the signal can abort again. */
  resume(): void {
    this.#isOver = false;
    const controller = this.#rareFields?.controller;
    if (controller !== undefined) this.#shared.signals.add(controller);
  }

  /** Ends the time in which the signal can abort. */
  finish(): void {
    this.#isOver = true;
    const controller = this.#rareFields?.controller;
    if (controller !== undefined) this.#shared.signals.delete(controller);
  }

  /** Whether the client is known to have gone: only a signal that somebody asked for can tell. */
  get hasClientLeft(): boolean {
    return this.#rareFields?.controller?.signal.aborted === true;
  }

  /** Aborts the signal, if anybody has it. */
  abort(reason: unknown): void {
    if (!this.#isOver) this.#rareFields?.controller?.abort(reason);
  }
}
