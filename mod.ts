/**
 * A convention-routed, server-rendered web framework: the tree under `app/` is the route table.
 *
 * Create an application with `newApp` of the generated `fw_gen.ts`, or by hand:
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 *
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/", methods: { GET: (c) => c.json(200, { ok: true }) } });
 * assertEquals((await app.fetch(new Request("http://localhost/"))).status, 200);
 * ```
 *
 * @module
 */

export { App, type AppParts } from "./runtime/app/app.ts";
export { boot } from "./runtime/app/boot.ts";
export type { ExportOptions, ExportProgress } from "./runtime/export/options.ts";
export {
  type ExportedFile,
  type ExportedFileKind,
  ExportError,
  type ExportProblem,
  type ExportProblemCode,
  type ExportReport,
  type SkippedRoute,
} from "./runtime/export/report.ts";
export {
  type Config,
  configFromEnv,
  type Settings,
  variable,
} from "./runtime/base/config/config.ts";
export {
  type FwError,
  HttpError,
  httpError,
  type HttpErrorOptions,
  notFound,
  NotFoundError,
  Problem,
  type ProblemDocument,
  type ProblemInit,
  publicMessage,
  Redirect,
  redirect,
  type RedirectStatus,
  statusOf,
} from "./runtime/base/errors/errors.ts";
export type {
  Security,
  SecurityEvent,
  SecurityEventKind,
  SecuritySubject,
} from "./runtime/base/observe/events.ts";
export type * from "./runtime/base/file_source.ts";
export type * from "./runtime/base/observe/health.ts";
export {
  type ActionName,
  href,
  type HrefOptions,
  type HrefParams,
  type HrefPattern,
  type ParamName,
  type QueryValue,
  type RouteActions,
  type Routes,
} from "./runtime/base/url/href.ts";
export type {
  BindOptions,
  BodyLimits,
  Bound,
  BoundFiles,
  FileRules,
  FormBindOptions,
  FormFiles,
  Upload,
} from "./runtime/base/ctx/input.ts";
export type * from "./runtime/base/islands.ts";
export { decodeHeader } from "./runtime/base/headers.ts";
export { type Key, key, provide, use } from "./runtime/base/keys.ts";
export type * from "./runtime/base/observe/logger.ts";
export { createLogger, type LoggerOptions } from "./runtime/telemetry/log.ts";
export { noteMemoryState, provideStores, type Stores } from "./runtime/base/stores/stores.ts";
export * from "./runtime/base/stores/channel.ts";
export type * from "./runtime/base/observe/metrics.ts";
export * from "./runtime/base/ctx/route.ts";
export * from "./runtime/base/config/settings.ts";
export type * from "./runtime/base/ctx/answers.ts";
export type * from "./runtime/base/ctx/application.ts";
export type { LanguageTexts } from "./runtime/base/ctx/config.ts";
export type { Alternate, Ctx } from "./runtime/base/ctx/ctx.ts";
export type { ResponseSide } from "./runtime/base/ctx/response_side.ts";
export type { Env, Variables } from "./runtime/base/env.ts";
export type * from "./runtime/base/ctx/streams.ts";
export { islandLoader, whenIdle, whenMedia, whenVisible } from "./runtime/render/island.ts";
export { csrfInput, csrfTokenFrom } from "./runtime/guard/csrf.ts";
export { nonceAttr, nonceFrom } from "./runtime/guard/secure_headers.ts";
export {
  limit,
  type LimitOptions,
  type MemoryRateLimitOptions,
  MemoryRateLimitStore,
} from "./runtime/guard/rate_limit.ts";
export * from "./runtime/schema/mod.ts";
export { type Child, Node, type NodeKind } from "./html/node.ts";
