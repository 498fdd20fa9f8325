/**
 * A convention-routed, server-rendered web framework: the tree under `app/` is the route table.
 *
 * An application is made by `newApp` of its generated `fw_gen.ts`, or by hand:
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
export type { AppTree, SetupModule } from "./runtime/base/app_tree.ts";
export type { ExportOptions, ExportProgress } from "./runtime/app/export_options.ts";
export {
  type BrokenLink,
  type BrokenLinkReason,
  type ExportedFile,
  type ExportedFileKind,
  ExportError,
  type ExportProblem,
  type ExportProblemCode,
  type ExportReport,
  type SkippedRoute,
} from "./runtime/app/export_report.ts";
export {
  type Config,
  configFromEnv,
  type CsrfNames,
  NoTimeout,
  Off,
  type Settings,
  type Timeouts,
} from "./runtime/base/config.ts";
export {
  type FwError,
  HttpError,
  httpError,
  type HttpErrorOptions,
  notFound,
  NotFoundError,
  Redirect,
  redirect,
  statusOf,
} from "./runtime/base/errors.ts";
export type {
  Security,
  SecurityEvent,
  SecurityEventKind,
  SecuritySubject,
} from "./runtime/base/events.ts";
export { fieldError, FieldErrors } from "./runtime/base/field_errors.ts";
export type { ByteRange, FileSource, SourceFile } from "./runtime/base/file_source.ts";
export type {
  CheckResult,
  HealthCheck,
  HealthReport,
  HealthStatus,
} from "./runtime/base/health.ts";
export { href } from "./runtime/base/href.ts";
export type { BindOptions, BodyLimits, Bound, FileRules, Upload } from "./runtime/base/input.ts";
export type {
  Island,
  IslandElement,
  IslandProps,
  Islands,
  IslandSource,
} from "./runtime/base/islands.ts";
export { type Key, key, provide, use } from "./runtime/base/keys.ts";
export {
  createLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from "./runtime/base/log.ts";
export { noteMemoryState } from "./runtime/base/memory_state.ts";
export type {
  Counter,
  Gauge,
  Histogram,
  LabelValue,
  LabelValues,
  Metrics,
} from "./runtime/base/metrics.ts";
export type { ObservabilitySettings } from "./runtime/base/observability.ts";
export { Problem, type ProblemInit } from "./runtime/base/problem.ts";
export {
  type Application,
  type Cookie,
  type CorsPolicy,
  type Ctx,
  type Env,
  type ErrorHandler,
  type FetchHandler,
  type Flash,
  type FlashKind,
  type Handler,
  type HandlerOptions,
  type HrefParams,
  type HrefPattern,
  type JsonResponse,
  type Kind,
  KindAPI,
  KindPage,
  type LayoutHandler,
  type Method,
  type MiddlewareHandler,
  type MiddlewareModule,
  type Next,
  type Params,
  type PathParams,
  type PathsHandler,
  type RateLimit,
  type RateLimitStore,
  type RedirectStatus,
  type Result,
  type Route,
  type Routes,
  type SecuritySettings,
  type Upgrade,
  type UpgradeOptions,
} from "./runtime/base/types.ts";
export type {
  DeferOptions,
  EventStream,
  SendOptions,
  StreamHandler,
  StreamOptions,
} from "./runtime/base/streams.ts";
export { islandLoader, whenIdle, whenVisible } from "./runtime/render/island.ts";
export { csrfInput, csrfTokenFrom } from "./runtime/guard/csrf.ts";
export { nonceAttr, nonceFrom } from "./runtime/guard/nonce.ts";
export {
  limit,
  type LimitOptions,
  type MemoryRateLimitOptions,
  MemoryRateLimitStore,
} from "./runtime/guard/rate_limit.ts";
export type {
  AnySchema,
  StandardIssue,
  StandardProps,
  StandardResult,
  StandardSchema,
  StandardTypes,
} from "./runtime/base/standard_schema.ts";
export {
  bool,
  date,
  type Fields,
  float,
  type Infer,
  int,
  int64,
  list,
  struct,
  StructSchema,
  type StructValue,
  text,
  texts,
} from "./runtime/request/schema.ts";
export { type JsonSchema, toJsonSchema } from "./runtime/request/schema_json.ts";
export type {
  AppRule,
  BoolRule,
  DateRule,
  HasRequired,
  ListRule,
  NumberRule,
  RuleText,
  TextRule,
  ValidationRules,
} from "./runtime/request/schema_rules.ts";
export {
  type FieldCheckResult,
  type FieldNames,
  FieldSchema,
  type StructCheckResult,
} from "./runtime/request/schema_types.ts";
export {
  useValidationEnglish,
  useValidationPtBr,
  validationMessages,
} from "./runtime/request/validate_messages.ts";
export { addRule, type RuleField, type RuleFunction } from "./runtime/request/validate_rules.ts";
export { type Child, Node, type NodeKind } from "./html/node.ts";
