import type { Child, Node } from "../../html/node.ts";
import type { Answer } from "../base/ctx/answer.ts";
import type {
  Cookie,
  DownloadOptions,
  DownloadSource,
  Flash,
  FlashAction,
  FlashKind,
  JsonResponse,
  Upgrade,
  UpgradeOptions,
} from "../base/ctx/answers.ts";
import type { Application } from "../base/ctx/application.ts";
import type { Alternate } from "../base/ctx/ctx.ts";
import type {
  BindOptions,
  Bound,
  FileRules,
  FormBindOptions,
  FormFiles,
  Upload,
} from "../base/ctx/input.ts";
import type { DeferOptions, StreamHandler, StreamOptions } from "../base/ctx/streams.ts";
import type { Location, MatchedRoute, Target } from "../base/ctx/target.ts";
import type { Catalog, CatalogSource, MessageKey, MessageParams } from "../base/catalog.ts";
import type { Env } from "../base/env.ts";
import type { HttpError, RedirectStatus } from "../base/errors/errors.ts";
import { type CorsHeaders, negotiate } from "../base/headers.ts";
import type { IslandProps, IslandSource } from "../base/islands.ts";
import type { Key } from "../base/keys.ts";
import type { Logger } from "../base/observe/logger.ts";
import type { AnyField, AnySchema } from "../base/standard_schema.ts";
import { type AppTexts, enterScope, type TextScope } from "../base/texts.ts";
import { actionUrl, buildLink, invalidLink } from "../base/url/href.ts";
import { joinBase, sliceQuery } from "../base/url/path.ts";
import {
  acceptInput,
  bindQuery,
  boundWithFiles,
  type QuerySource,
  readInput,
  tryBindQuery,
} from "../body/bind.ts";
import { RequestBody } from "../body/body.ts";
import { formError, readForm } from "../body/form/form.ts";
import { guardRequest } from "../body/guarded_request.ts";
import { boundInput, type FormInputOptions } from "../schema/input.ts";
import type { Client } from "../guard/client_ip.ts";
import { csrfToken } from "../guard/csrf_token.ts";
import { requestNonce } from "../guard/csp.ts";
import type { Spoken } from "../i18n/languages.ts";
import type { Runtime, ScopeState } from "../pipeline/runtime.ts";
import { upgradeRequest } from "../pipeline/upgrade.ts";
import { deferPart } from "../render/defer.ts";
import { parseFragmentId, renderAll, renderDocument, renderPage } from "../render/page.ts";
import { mark, respond, sealedError, setCookie, stage, stageStatus } from "../request/stage.ts";
import { findIds } from "../serve/access_log.ts";
import type { CookieNames } from "../request/cookies.ts";
import type { DefaultHeaders } from "../request/default_headers.ts";
import { queueFlash, takeFlashes } from "../request/flash.ts";
import {
  declareCacheControl,
  declareEtag,
  declareLastModified,
  requireMatch,
} from "../request/http_cache.ts";
import {
  checkZone,
  chooseLanguage,
  findZone,
  listAlternates,
  plainSpoken,
  writeTime,
} from "../request/language.ts";
import {
  ExportConnection,
  made,
  noteContext,
  type RequestCtx,
  type RequestIds,
} from "../request/request_ctx.ts";
import { buildEmpty, buildJson, buildRedirect, buildText, openAnswer } from "../request/answer.ts";
import { routeParam } from "../request/router.ts";
import { signedValue, writeSigned } from "../request/signed.ts";
import { openStream } from "../request/sse/stream.ts";
import { taggedCookie } from "../request/validators.ts";

/** A catalog whose messages the compiler has compared with the call already. */
interface Messages {
  text(language: string, key: string, params?: unknown): string;
}

/** The one implementation of `Ctx`: the state of a request; what is done stands in the layers below. */
export class Context implements RequestCtx, TextScope {
  readonly [made] = true;
  title = "";
  readonly target: Target;
  readonly answer: Answer;
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
  location: Location | undefined = undefined;
  route: MatchedRoute | undefined = undefined;
  spoken: Spoken | undefined = undefined;
  scope: ScopeState = "set";
  upgraded: Upgrade | undefined = undefined;

  readonly #runtime: Runtime;
  #request: Request;
  #ids: RequestIds | undefined = undefined;
  #cookies: string | undefined = undefined;
  #nonce: string | undefined = undefined;
  #isKnown = false;
  #isOver = false;
  #lazyFields: LazyFields | undefined = undefined;

  constructor(
    runtime: Runtime,
    request: Request,
    target: Target,
    info: Deno.ServeHandlerInfo | undefined,
  ) {
    this.#runtime = runtime;
    this.#request = request;
    this.target = target;
    this.method = target.method;
    this.info = info;
    this.answer = openAnswer();
    this.app = runtime.app;
    this.env = runtime.env;
    this.base = runtime.base;
    this.isExport = info instanceof ExportConnection;
    // The framework's listener has no TLS: there the client wrote the scheme into its target.
    this.isSecure = (target.url.startsWith("https:") && !runtime.isListening) ||
      (runtime.trustsProxies && this.#client.isSecure);
  }

  get #lazy(): LazyFields {
    return this.#lazyFields ??= { ...noFields };
  }

  get request(): Request {
    const isRead = this.method === "GET" || this.method === "HEAD";
    const request = isRead
      ? this.#request
      : this.#lazy.guarded ??= guardRequest(this.body, () => this.signal);
    if (!this.#isKnown) noteContext(request, this);
    this.#isKnown = true;
    return request;
  }

  set request(request: Request) {
    this.#request = request;
    this.#isKnown = false;
    this.method = request.method;
    const lazy = this.#lazy;
    lazy.url = lazy.search = lazy.alternates = undefined;
    this.#cookies = undefined;
    lazy.guarded = request;
    lazy.body = lazy.body?.replace(request);
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get body(): RequestBody {
    return this.#lazy.body ??= new RequestBody(this.#request, this.#runtime.bodies);
  }

  get touchedBody(): RequestBody | undefined {
    return this.#lazyFields?.body;
  }

  async form(name: string): Promise<string | undefined> {
    return (await readForm(this.body)).get(name);
  }

  async formData(): Promise<FormData> {
    return await (await readForm(this.body)).toFormData();
  }

  formErr(): Promise<HttpError | undefined> {
    return formError(this.body);
  }

  async bind<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T> {
    return acceptInput(await readInput(this, schema, options));
  }

  async bindJson<T>(schema: AnySchema<T>): Promise<T> {
    return acceptInput(await readInput(this, schema, { isJson: true }));
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

  file(field: string, rules?: FileRules & { readonly optional?: false }): Promise<Upload>;
  file(field: string, rules: FileRules): Promise<Upload | undefined>;
  async file(field: string, rules: FileRules = {}): Promise<Upload | undefined> {
    // Few requests have files: a start does not load what checks them (`bench/start`).
    const { readUpload } = await import("../body/upload/upload.ts");
    return await readUpload(this.body, field, rules);
  }

  allowBody(maxBytes: number): void {
    this.body.allow(maxBytes);
  }

  noReadDeadline(): void {
    this.body.dropDeadline();
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
    this.#runtime.signals.add(controller);
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
    const { publicOrigin } = this.app.config;
    // An export has an origin of its own.
    if (publicOrigin !== undefined && !this.isExport) {
      return new URL(publicOrigin + url.href.slice(url.origin.length));
    }
    // The proxy that ended TLS sent plain HTTP on: an absolute link must lead back to HTTPS.
    if (url.protocol === "http:" && this.isSecure) url.protocol = "https:";
    else if (url.protocol === "https:" && !this.isSecure) url.protocol = "http:";
    return url;
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

  query(name: string): string | undefined {
    const lazy = this.#lazy;
    lazy.search ??= new URLSearchParams(this.#search());
    return lazy.search.get(name) ?? undefined;
  }

  bindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T> {
    return bindQuery(this.#querySource(), schema, this.#inZone(options));
  }

  tryBindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<Bound<T>> {
    return tryBindQuery(this.#querySource(), schema, this.#inZone(options));
  }

  #inZone(options?: BindOptions): FormInputOptions {
    return { ...options, zone: () => this.zone };
  }

  #querySource(): QuerySource {
    return { query: this.#search(), limits: this.#runtime.bodies.limits };
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

  get cookieNames(): CookieNames {
    const { http, https } = this.#runtime.cookieNames;
    return this.isSecure ? https : http;
  }

  cookie(name: string): string | undefined {
    return taggedCookie(this, name);
  }

  signed(name: string): string | undefined {
    return signedValue(this, name, { isTagged: true });
  }

  accepts(...offers: string[]): string | undefined {
    return negotiate(this.headers.get("accept"), offers);
  }

  get ids(): RequestIds {
    return this.#ids ??= findIds(this.#request, this.#runtime.tracing);
  }

  get requestId(): string {
    return this.ids.requestId;
  }

  get traceId(): string | undefined {
    return this.ids.traceId;
  }

  get log(): Logger {
    return this.#lazy.log ??= this.#openLog();
  }

  #openLog(): Logger {
    const { traceId, requestId } = this.ids;
    return this.#runtime.log.with({
      request_id: requestId,
      ...(traceId === undefined ? {} : { trace_id: traceId }),
    });
  }

  get appDir(): string | undefined {
    return this.#runtime.appDir;
  }

  get fragment(): string | undefined {
    const header = this.#request.headers.get("fw-fragment");
    return header === null ? undefined : parseFragmentId(header);
  }

  get clientIp(): string | undefined {
    return this.#client.ip;
  }

  get #client(): Client {
    return this.#lazy.client ??= this.#runtime.findClient(this);
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
  // Without a list of the rest, which pages with hundreds of messages notice (`bench/i18n`).
  t(messages: Messages, key: string, params?: unknown): string {
    return messages.text((this.spoken ?? this.#speak()).language, key, params);
  }

  get zone(): string {
    return this.#lazy.zone ??= findZone(this);
  }

  set zone(name: string) {
    this.#lazy.zone = checkZone(name);
  }

  time(date: Date | Temporal.Instant, options?: Intl.DateTimeFormatOptions): string {
    return writeTime(this, date, options);
  }

  setLanguage(language: string): void {
    if (this.answer.state === "sealed") throw sealedError("the language");
    this.spoken = chooseLanguage(this, { language, languages: this.#runtime.languages });
    if (this.#lazyFields !== undefined) this.#lazyFields.alternates = undefined;
    if (this.scope !== "none") return;
    this.scope = "entered";
    enterScope(this);
  }

  alternates(): readonly Alternate[] {
    const { languages } = this.#runtime;
    if (languages?.hasPrefix !== true || this.route === undefined) return [];
    // A page asks twice, for its head and for its switch (`bench/i18n`).
    return this.#lazy.alternates ??= listAlternates(this, { languages, query: this.#search() });
  }

  get defaults(): DefaultHeaders {
    const { defaults: all } = this.#runtime;
    const defaults = this.answer.cache === "no-store" ? all.guarded : all;
    return this.isSecure ? defaults.https : defaults.http;
  }

  get cors(): CorsHeaders | undefined {
    // A request that is refused before its route has the policy of the route already.
    const route = this.route ?? this.location?.route ?? this.location?.near;
    return route === undefined ? this.#runtime.corsHeaders : route.corsHeaders;
  }

  get nonce(): string {
    // An exported file is sent to every client, with hashes in place of the nonce.
    if (this.answer.state !== "sealed" && !this.isExport) mark(this, "private");
    return this.policyNonce;
  }

  get policyNonce(): string {
    return this.#nonce ??= requestNonce(this, this.app.config.security);
  }

  csrfToken(): string {
    return csrfToken(this);
  }

  status(code: number): void {
    stageStatus(this, code);
  }

  header(name: string, value: string): void {
    stage(this, name, value);
  }

  setCookie(cookie: Cookie): void {
    setCookie(this, cookie);
  }

  setSigned(name: string, value: string, ttlMs: number): void {
    if (this.answer.state === "sealed") throw sealedError(`the cookie "${name}"`);
    writeSigned(this, { name, value, ttlMs });
  }

  flash(kind: FlashKind, text: string, action?: FlashAction): void {
    if (this.answer.state === "sealed") throw sealedError("a flash message");
    queueFlash(this, action === undefined ? { kind, text } : { kind, text, action });
  }

  flashes(): readonly Flash[] {
    return takeFlashes(this);
  }

  etag(tag: string | undefined): boolean {
    return declareEtag(this, tag);
  }

  ifMatch(tag: string | undefined): void {
    requireMatch(this, tag);
  }

  lastModified(date: Date | undefined): boolean {
    return declareLastModified(this, date);
  }

  cacheControl(value: string): void {
    declareCacheControl(this, value);
  }

  respond(response: Response): void {
    respond(this, response);
  }

  get written(): boolean {
    return this.answer.isWritten;
  }

  json<S extends number, T>(status: S, value: T): JsonResponse<S, T> {
    // The two carry the same bytes; the type adds what `openapi` and typed clients read.
    return buildJson(this, status, value) as JsonResponse<S, T>;
  }

  text(status: number, body: string): Response {
    return buildText(this, status, body);
  }

  html(status: number, node: Node): Response {
    return renderDocument(this, status, node);
  }

  async download(source: DownloadSource, options: DownloadOptions = {}): Promise<Response> {
    const { sendDownload } = await import("../serve/download.ts");
    return await sendDownload(this, source, options);
  }

  noContent(): Response {
    return buildEmpty(this, 204);
  }

  redirect(url: string, status?: RedirectStatus): Response {
    return buildRedirect(this, url, status);
  }

  render(status: number, node: Node): Promise<Response> {
    return Promise.resolve(this.renderNow(status, node));
  }

  renderNow(status: number, node: Node): Response | Promise<Response> {
    const layouts = this.route?.layouts ?? [];
    return renderPage(this, node, { status, layouts, pages: this.#runtime.errorPages });
  }

  async renderAll(status: number, ...nodes: readonly Node[]): Promise<Response> {
    const layouts = this.route?.layouts ?? [];
    return await renderAll(this, nodes, { status, layouts, pages: this.#runtime.errorPages });
  }

  stream(handler: StreamHandler, options: StreamOptions = {}): Response {
    return openStream(this, handler, { ...options, registry: this.#runtime.streams });
  }

  defer(part: Promise<Child>, fallback: Child, options: DeferOptions = {}): Node {
    return deferPart(this, part, { ...options, fallback });
  }

  island<S extends IslandSource>(src: S, props: IslandProps<S>, ...children: Child[]): Node {
    return this.#runtime.makeIsland(this, { src, props, children });
  }

  upgrade(options: UpgradeOptions = {}): Upgrade {
    return this.upgraded = upgradeRequest(this, { ...options, sockets: this.#runtime.sockets });
  }

  // Loosely typed: against the signature of `Ctx`, the compiler compares every route with every other.
  href(pattern: string, ...rest: readonly unknown[]): string {
    const path = buildLink(pattern, rest, (message) => this.log.warn(message));
    if (path === invalidLink) return path;
    return joinBase(this.base, this.location?.language ? this.languagePrefix + path : path);
  }

  action(name: string): string {
    const names = this.route?.actionNames ?? [];
    if (names.includes(name)) {
      return actionUrl(name, { path: this.target.path, query: this.#search() });
    }
    const others = names.length === 0 ? "no Actions" : `only ${names.join(", ")}`;
    throw new TypeError(
      `Cannot name the action "${name}": the page "${this.pattern}" has ${others}.`,
    );
  }

  asset(path: string): string {
    const { files, checkAsset } = this.#runtime;
    const rooted = path.startsWith("/") ? path : `/${path}`;
    checkAsset?.(rooted);
    return joinBase(this.base, files?.asset(rooted) ?? rooted);
  }

  resume(): void {
    this.#isOver = false;
    const controller = this.#lazyFields?.controller;
    if (controller !== undefined) this.#runtime.signals.add(controller);
  }

  finish(): void {
    this.#isOver = true;
    const controller = this.#lazyFields?.controller;
    if (controller !== undefined) this.#runtime.signals.delete(controller);
  }

  get hasClientLeft(): boolean {
    return this.#lazyFields?.controller?.signal.aborted === true;
  }

  abort(reason: unknown): void {
    if (!this.#isOver) this.#lazyFields?.controller?.abort(reason);
  }
}

/** Fields that few requests use, kept apart so that the context of the others stays small (`bench/http`). */
const noFields = {
  guarded: undefined as Request | undefined,
  body: undefined as RequestBody | undefined,
  url: undefined as URL | undefined,
  search: undefined as URLSearchParams | undefined,
  alternates: undefined as readonly Alternate[] | undefined,
  values: undefined as Map<unknown, unknown> | undefined,
  log: undefined as Logger | undefined,
  signal: undefined as AbortSignal | undefined,
  controller: undefined as AbortController | undefined,
  client: undefined as Client | undefined,
  zone: undefined as string | undefined,
  hasWriteDeadline: true,
};

type LazyFields = typeof noFields;
