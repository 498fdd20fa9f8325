// deno-lint-ignore-file explicit-function-return-type -- `Ctx` gives each member its type.

import type { Upgrade } from "../base/ctx/answers.ts";
import type { Alternate } from "../base/ctx/ctx.ts";
import { negotiate } from "../base/headers.ts";
import type { Logger } from "../base/observe/logger.ts";
import { enterScope } from "../base/texts.ts";
import { actionUrl } from "../base/url/href.ts";
import { acceptInput, bindQuery, type QuerySource, readInput, tryBindQuery } from "../body/bind.ts";
import type { RequestBody } from "../body/body.ts";
import { formError, readForm } from "../body/form/form.ts";
import type { Client } from "../guard/client_ip.ts";
import type { BegunCtx, Runtime } from "../pipeline/runtime.ts";
import { upgradeRequest } from "../pipeline/upgrade.ts";
import { deferPart } from "../render/defer.ts";
import { renderAll, renderDocument } from "../render/page.ts";
import { buildEmpty, buildText } from "../request/answer.ts";
import { takeFlashes } from "../request/flash.ts";
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
  writeTime,
} from "../request/language.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { signedValue, writeSigned } from "../request/signed.ts";
import { openStream } from "../request/sse/stream.ts";
import { respond, sealedError, stage, stageStatus } from "../request/stage.ts";
import { taggedCookie } from "../request/validators.ts";

/** Fields that few requests use, kept apart so that the context of the others stays small (`bench/http`). */
export const noFields = {
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

/** The members of a context that the methods below use and the other layers do not. */
export interface ContextState extends BegunCtx {
  readonly runtime: Runtime;
  /** The received request, or the assigned one. */
  readonly source: Request;
  readonly lazy: typeof noFields;
  readonly lazyFields: typeof noFields | undefined;
  readonly client: Client;
  /** Whether the response was sent; after that, `signal` must not abort. */
  isOver: boolean;
  upgraded: Upgrade | undefined;
  /** Returns the query with its `?`, or `""`. */
  search(): string;
}

/**
 * The members of `Ctx` that a plain request does not use, with the types that `Ctx` gives them. `context.ts`
 * adds them to its class.
 */
export const contextMethods = {
  get signal() {
    return this.lazy.signal ??= openSignal(this);
  },

  set signal(signal) {
    this.lazy.signal = signal;
  },

  get url() {
    return this.lazy.url ??= readUrl(this);
  },

  query(name) {
    this.lazy.search ??= new URLSearchParams(this.search());
    return this.lazy.search.get(name) ?? undefined;
  },

  bindQuery(schema, options) {
    return bindQuery(querySource(this), schema, { ...options, zone: () => this.zone });
  },

  tryBindQuery(schema, options) {
    return tryBindQuery(querySource(this), schema, { ...options, zone: () => this.zone });
  },

  async form(name) {
    return (await readForm(this.body)).get(name);
  },

  async formData() {
    return await (await readForm(this.body)).toFormData();
  },

  formErr() {
    return formError(this.body);
  },

  async bind(schema, options) {
    return acceptInput(await readInput(this, schema, options));
  },

  async bindJson(schema) {
    return acceptInput(await readInput(this, schema, { isJson: true }));
  },

  allowBody(maxBytes) {
    this.body.allow(maxBytes);
  },

  noReadDeadline() {
    this.body.dropDeadline();
  },

  noWriteDeadline() {
    this.lazy.hasWriteDeadline = false;
  },

  cookie(name) {
    return taggedCookie(this, name);
  },

  signed(name) {
    return signedValue(this, name, { isTagged: true });
  },

  accepts(...offers) {
    return negotiate(this.headers.get("accept"), offers);
  },

  get requestId() {
    return this.ids.requestId;
  },

  get traceId() {
    return this.ids.traceId;
  },

  get log() {
    const { traceId, requestId } = this.ids;
    return this.lazy.log ??= this.runtime.log.with({
      request_id: requestId,
      ...(traceId === undefined ? {} : { trace_id: traceId }),
    });
  },

  get appDir() {
    return this.runtime.appDir;
  },

  get clientIp() {
    return this.client.ip;
  },

  get zone() {
    return this.lazy.zone ??= findZone(this);
  },

  set zone(name) {
    this.lazy.zone = checkZone(name);
  },

  time(date, options) {
    return writeTime(this, date, options);
  },

  setLanguage(language) {
    if (this.answer.state === "sealed") throw sealedError("the language");
    this.spoken = chooseLanguage(this, { language, languages: this.runtime.languages });
    if (this.lazyFields !== undefined) this.lazyFields.alternates = undefined;
    if (this.scope !== "none") return;
    this.scope = "entered";
    enterScope(this);
  },

  alternates() {
    const { languages } = this.runtime;
    if (languages?.hasPrefix !== true || this.route === undefined) return [];
    // A page reads them twice, for its head and for its language switch (`bench/i18n`).
    return this.lazy.alternates ??= listAlternates(this, { languages, query: this.search() });
  },

  get cors() {
    // A request refused before routing already has the policy of its route.
    const route = this.route ?? this.location?.route ?? this.location?.near;
    return route === undefined ? this.runtime.corsHeaders : route.corsHeaders;
  },

  status(code) {
    stageStatus(this, code);
  },

  header(name, value) {
    stage(this, name, value);
  },

  setSigned(name, value, ttlMs) {
    if (this.answer.state === "sealed") throw sealedError(`the cookie "${name}"`);
    writeSigned(this, { name, value, ttlMs });
  },

  flashes() {
    return takeFlashes(this);
  },

  etag(tag) {
    return declareEtag(this, tag);
  },

  ifMatch(tag) {
    requireMatch(this, tag);
  },

  lastModified(date) {
    return declareLastModified(this, date);
  },

  cacheControl(value) {
    declareCacheControl(this, value);
  },

  respond(response) {
    respond(this, response);
  },

  get written() {
    return this.answer.isWritten;
  },

  text(status, body) {
    return buildText(this, status, body);
  },

  html(status, node) {
    return renderDocument(this, status, node);
  },

  async download(source, options = {}) {
    const { sendDownload } = await import("../serve/download.ts");
    return await sendDownload(this, source, options);
  },

  noContent() {
    return buildEmpty(this, 204);
  },

  render(status, node) {
    return Promise.resolve(this.renderNow(status, node));
  },

  async renderAll(status, ...nodes) {
    const layouts = this.route?.layouts ?? [];
    return await renderAll(this, nodes, { status, layouts, pages: this.runtime.errorPages });
  },

  stream(handler, options) {
    return openStream(this, handler, { ...options, registry: this.runtime.streams });
  },

  defer(part, fallback, options) {
    return deferPart(this, part, { ...options, fallback });
  },

  island(src, props, ...children) {
    return this.runtime.makeIsland(this, { src, props, children });
  },

  upgrade(options) {
    const { sockets } = this.runtime;
    return this.upgraded = upgradeRequest(this, { ...options, sockets });
  },

  action(name) {
    const names = this.route?.actionNames ?? [];
    if (names.includes(name)) {
      return actionUrl(name, { path: this.target.path, query: this.search() });
    }
    const others = names.length === 0 ? "no Actions" : `only ${names.join(", ")}`;
    throw new TypeError(
      `Cannot name the action "${name}": the page "${this.pattern}" has ${others}.`,
    );
  },

  resume() {
    this.isOver = false;
    const controller = this.lazyFields?.controller;
    if (controller !== undefined) this.runtime.signals.add(controller);
  },

  get hasClientLeft() {
    return this.lazyFields?.controller?.signal.aborted === true;
  },

  abort(reason) {
    if (!this.isOver) this.lazyFields?.controller?.abort(reason);
  },
} satisfies Partial<RequestCtx> & ThisType<ContextState>;

function openSignal(c: ContextState): AbortSignal {
  const controller = new AbortController();
  // After the response the signal must not abort: the server's own one also fires after every success.
  if (c.isOver) return controller.signal;
  c.lazy.controller = controller;
  c.runtime.signals.add(controller);
  const native = c.source.signal;
  const abort = (): void => {
    // An upgrade ends the server's request, but not the connection.
    if (!c.isOver && c.upgraded === undefined) controller.abort(native.reason);
  };
  if (native.aborted) abort();
  else native.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

function readUrl(c: ContextState): URL {
  const url = new URL(c.source.url);
  const { publicOrigin } = c.app.config;
  // An export uses the origin of its options.
  if (publicOrigin !== undefined && !c.isExport) {
    return new URL(publicOrigin + url.href.slice(url.origin.length));
  }
  // The proxy that terminates TLS forwards plain HTTP, but an absolute link must use HTTPS.
  if (url.protocol === "http:" && c.isSecure) url.protocol = "https:";
  else if (url.protocol === "https:" && !c.isSecure) url.protocol = "http:";
  return url;
}

function querySource(c: ContextState): QuerySource {
  return { query: c.search(), limits: c.runtime.bodies.limits };
}
