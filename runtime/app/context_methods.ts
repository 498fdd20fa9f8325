// deno-lint-ignore-file explicit-function-return-type -- `Ctx` gives each member its type.

import type { Upgrade } from "../base/ctx/answers.ts";
import type { Alternate } from "../base/ctx/ctx.ts";
import { negotiate } from "../base/headers.ts";
import type { Logger } from "../base/observe/logger.ts";
import { enterScope } from "../base/texts.ts";
import { actionUrl } from "../base/url/href.ts";
import { acceptInput, bindQuery, type QuerySource, readInput, tryBindQuery } from "../body/bind.ts";
import type { Checks, RequestBody } from "../body/body.ts";
import { formError, readForm } from "../body/form/form.ts";
import type { Client } from "../guard/client_ip.ts";
import type { Runtime } from "../pipeline/runtime.ts";
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
  checks: undefined as Checks | undefined,
  url: undefined as URL | undefined,
  search: undefined as URLSearchParams | undefined,
  alternates: undefined as readonly Alternate[] | undefined,
  values: undefined as Map<unknown, unknown> | undefined,
  log: undefined as Logger | undefined,
  signal: undefined as AbortSignal | undefined,
  controller: undefined as AbortController | undefined,
  hasClientLeft: false,
  client: undefined as Client | undefined,
  zone: undefined as string | undefined,
  hasWriteDeadline: true,
};

/** The members of a context that the methods below use and the other layers do not. */
export interface ContextState extends RequestCtx {
  readonly runtime: Runtime;
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

/** The accessors of `Ctx` that a plain request does not use, and its methods with a list of arguments. */
export const contextAccessors = {
  get signal() {
    return this.lazy.signal ??= openSignal(this);
  },

  set signal(signal) {
    this.lazy.signal = signal;
  },

  get url() {
    return this.lazy.url ??= readUrl(this);
  },

  get requestId() {
    return this.ids.requestId;
  },

  get traceId() {
    return this.ids.traceId;
  },

  get log() {
    const { traceId, requestId } = this.ids;
    return this.lazy.log ??= this.app.log.with({
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

  get cors() {
    // A request refused before routing already has the policy of its route.
    const route = this.route ?? this.location?.route ?? this.location?.near;
    return route === undefined ? this.runtime.cors?.headers : route.corsHeaders;
  },

  get written() {
    return this.answer.isWritten;
  },

  get hasClientLeft() {
    return this.lazyFields?.hasClientLeft === true;
  },

  get abortReason() {
    return this.lazyFields?.controller?.signal.reason;
  },

  accepts(...offers) {
    return negotiate(this.headers.get("accept"), offers);
  },

  async renderAll(status, ...nodes) {
    const layouts = this.route?.layouts ?? [];
    return await renderAll(this, nodes, { status, layouts, pages: this.runtime.errorPages });
  },

  island(src, props, ...children) {
    return this.runtime.makeIsland(this, { src, props, children });
  },
} satisfies Partial<RequestCtx> & ThisType<ContextState>;

type Method<M> = M extends (...args: infer A) => infer R ? (c: ContextState, ...args: A) => R
  : never;

/** The methods of `Ctx` that a plain request does not use, of up to three arguments. */
export const contextMethods = {
  query: (c, name) => (c.lazy.search ??= new URLSearchParams(c.search())).get(name) ?? undefined,
  bindQuery: (c, schema, options) =>
    bindQuery(querySource(c), schema, { ...options, zone: () => c.zone }),
  tryBindQuery: (c, schema, options) =>
    tryBindQuery(querySource(c), schema, { ...options, zone: () => c.zone }),
  form: async (c, name) => (await readForm(c.body)).get(name),
  formData: async (c) => await (await readForm(c.body)).toFormData(),
  formErr: (c) => formError(c.body),
  bind: async (c, schema, options) => acceptInput(await readInput(c, schema, options)),
  bindJson: async (c, schema) => acceptInput(await readInput(c, schema, { isJson: true })),
  async file(c, field, rules = {}) {
    // Few requests have files, so the file checks are loaded on first use (`bench/start`).
    const { readUpload } = await import("../body/upload/upload.ts");
    return await readUpload(c.body, field, rules);
  },
  allowBody: (c, maxBytes) => c.body.allow(maxBytes),
  noReadDeadline: (c) => c.body.dropDeadline(),
  noWriteDeadline(c) {
    c.lazy.hasWriteDeadline = false;
  },
  cookie: taggedCookie,
  signed: (c, name) => signedValue(c, name, { isTagged: true }),
  time: writeTime,
  setLanguage(c, language) {
    if (c.answer.state === "sealed") throw sealedError("the language");
    c.spoken = chooseLanguage(c, language, c.runtime.languages);
    if (c.lazyFields !== undefined) c.lazyFields.alternates = undefined;
    if (c.scope === undefined) enterScope(c.scope = { facts: c });
  },
  alternates(c) {
    const { languages } = c.runtime;
    if (languages?.hasPrefix !== true || c.route === undefined) return [];
    // A page reads them twice, for its head and for its language switch (`bench/i18n`).
    return c.lazy.alternates ??= listAlternates(c, languages, c.search());
  },
  status: stageStatus,
  header: stage,
  setSigned(c, name, value, ttlMs) {
    if (c.answer.state === "sealed") throw sealedError(`the cookie "${name}"`);
    writeSigned(c, { name, value, ttlMs });
  },
  flashes: takeFlashes,
  etag: declareEtag,
  ifMatch: requireMatch,
  lastModified: declareLastModified,
  cacheControl: declareCacheControl,
  respond,
  text: buildText,
  html: renderDocument,
  async download(c, source, options = {}) {
    const { sendDownload } = await import("../serve/download.ts");
    return await sendDownload(c, source, options);
  },
  noContent: (c) => buildEmpty(c, 204),
  render: (c, status, node) => Promise.resolve(c.renderNow(status, node)),
  stream: (c, handler, options) =>
    openStream(c, handler, { ...options, registry: c.runtime.streams }),
  defer: (c, part, fallback, options) => deferPart(c, part, { ...options, fallback }),
  upgrade: (c, options) =>
    c.upgraded = upgradeRequest(c, { ...options, sockets: c.runtime.sockets }),
  action(c, name) {
    const names = c.route?.actionNames ?? [];
    if (names.includes(name)) return actionUrl(name, c.target.path, c.search());
    const others = names.length === 0 ? "no Actions" : `only ${names.join(", ")}`;
    throw new TypeError(`Cannot name the action "${name}": the page "${c.pattern}" has ${others}.`);
  },
  resume(c) {
    c.isOver = false;
    const controller = c.lazyFields?.controller;
    if (controller !== undefined) c.runtime.signals.add(controller);
  },
  abort(c, reason) {
    if (!c.isOver) c.lazyFields?.controller?.abort(reason);
  },
} satisfies { readonly [Name in keyof RequestCtx]?: Method<RequestCtx[Name]> };

function openSignal(c: ContextState): AbortSignal {
  const controller = new AbortController();
  // After the response the signal must not abort: the server's own one also fires after every success.
  if (c.isOver) return controller.signal;
  c.lazy.controller = controller;
  c.runtime.signals.add(controller);
  const native = c.source.signal;
  const abort = (): void => {
    // An upgrade ends the server's request, but not the connection.
    if (c.isOver || c.upgraded !== undefined) return;
    c.lazy.hasClientLeft = true;
    controller.abort(native.reason);
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
