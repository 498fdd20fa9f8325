import { hideCredentials, isLoopback } from "../runtime/addon.ts";
import type { Metrics } from "../mod.ts";
import { querySecrets, secretsIn } from "./test_models/recorded_secrets.ts";

/** Options of an `AiClient`. */
export interface AiClientOptions {
  /** The URL above `/chat/completions`, such as `https://models.example.com/v1`. */
  readonly baseUrl: string | URL;
  /** Sent as `Authorization: Bearer …`. @default none, for servers without keys */
  readonly apiKey?: string | undefined;
  /** The default model of requests. */
  readonly model: string;
  /** Whether `apiKey` may be sent to another machine over unencrypted `http:`. @default false */
  readonly allowPlainHttp?: boolean;
  /** Headers of every request, such as `api-key`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of one call with all its retries, in milliseconds. @default 600000 */
  readonly timeoutMs?: number;
  /** Timeout of a stream's first byte, in milliseconds; a model that reasons is silent. @default 300000 */
  readonly firstByteTimeoutMs?: number;
  /** Timeout between two reads of a stream, in milliseconds. @default 300000 */
  readonly idleTimeoutMs?: number;
  /** Maximum retries after 408, 409, 429, 5xx or a lost connection. @default 2 */
  readonly maxRetries?: number;
  /** Maximum `Retry-After` to wait for, in milliseconds; a longer one fails the call. @default 60000 */
  readonly maxRetryDelayMs?: number;
  /** Maximum size of one decompressed response, in bytes. @default 16777216 (16 MiB) */
  readonly maxBytes?: number;
  /** Registry for the series `fw_ai_*`, such as `app.metrics`. @default none */
  readonly metrics?: Metrics | undefined;
  /** Sends the requests. @default the global fetch */
  readonly fetch?: typeof fetch;
}

export interface CheckedOptions extends Required<Omit<AiClientOptions, Replaced>> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Strings that must not appear in messages, such as the key. */
  readonly secrets: readonly string[];
  readonly metrics: Metrics | undefined;
}

type NumberOption =
  | ("timeoutMs" | "firstByteTimeoutMs" | "idleTimeoutMs")
  | ("maxRetries" | "maxRetryDelayMs" | "maxBytes");

type Replaced = "baseUrl" | "apiKey" | "headers" | "allowPlainHttp" | "metrics";

/** The maximum delay of `setTimeout`, which fires a longer one at once. */
export const longestTimeoutMs = 2_147_483_647;

export function checkOptions(options: AiClientOptions): CheckedOptions {
  const { apiKey, model, headers = {} } = options;
  const url = checkUrl(options.baseUrl);
  if (typeof model !== "string" || model === "") {
    throw new TypeError(`Cannot create an AI client without a model: set "model" (FW_AI_MODEL).`);
  }
  if (apiKey !== undefined && !options.allowPlainHttp) refusePlainHttp(url);
  const numbers = checkNumbers(options);
  const own = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${checkKey(apiKey)}` }),
    ...checkHeaders(headers),
  };
  return {
    ...numbers,
    url,
    headers: own,
    secrets: secretsIn([apiKey ?? "", ...Object.values(headers), ...querySecrets(url)]),
    model,
    metrics: options.metrics,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

function checkUrl(baseUrl: string | URL): URL {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const given = url === null ? hideCredentials(baseUrl) : url.protocol;
    throw new TypeError(
      `Cannot use "${given}" as the base URL of an AI client: use an http or https URL such as ` +
        "https://models.example.com/v1 (AI_BASE_URL).",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      "Cannot use a base URL with a user name or password: set apiKey or headers instead.",
    );
  }
  if (/\/chat\/completions\/*$/.test(url.pathname)) {
    throw new TypeError(
      `Cannot use "${url.origin}${url.pathname}" as the base URL of an AI client: use the URL above ` +
        "/chat/completions, which the client adds (AI_BASE_URL).",
    );
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

function refusePlainHttp({ protocol, hostname, origin }: URL): void {
  if (protocol === "https:" || isLoopback(hostname)) return;
  throw new TypeError(
    `Cannot send the API key to "${origin}" in the clear: use an https URL (AI_BASE_URL), or set ` +
      "allowPlainHttp for a network that you trust.",
  );
}

function checkKey(apiKey: string): string {
  // The message must not contain the key.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new TypeError(
    "Cannot use the API key: it is empty or has a space, a line break or a non-ASCII character. " +
      "Check AI_API_KEY for a trailing line break.",
  );
}

function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new TypeError(
        `Cannot send the header "${name}": its name or its value is not valid in HTTP.`,
      );
    }
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

function checkNumbers(options: AiClientOptions): Readonly<Record<NumberOption, number>> {
  const { maxRetries = 2, maxRetryDelayMs = 60_000, maxBytes = 16 * 1024 * 1024 } = options;
  const { timeoutMs = 600_000, firstByteTimeoutMs = 300_000, idleTimeoutMs = 300_000 } = options;
  const timeouts = { timeoutMs, firstByteTimeoutMs, idleTimeoutMs };
  for (const [name, value] of Object.entries(timeouts)) checkTimeout(name, value);
  checkCounts({ maxRetries, maxRetryDelayMs }, 0);
  checkCounts({ maxBytes });
  return { ...timeouts, maxRetries, maxRetryDelayMs, maxBytes };
}

export function checkTimeout(name: string, value: number): void {
  if (value > 0 && (value === Infinity || value <= longestTimeoutMs)) return;
  const fix = `more than 0 and at most ${longestTimeoutMs} milliseconds, or NoTimeout`;
  throw numberError(name, value, fix);
}

export function checkCounts(counts: Readonly<Record<string, number>>, least = 1): void {
  for (const [name, value] of Object.entries(counts)) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw numberError(name, value, `a whole number, ${least} or more`);
  }
}

function numberError(name: string, value: number, fix: string): RangeError {
  return new RangeError(`Cannot set ${name} to "${value}": use ${fix}.`);
}

/** Checks limits, which `Infinity` switches off. */
export function checkLimits(limits: Readonly<Record<string, number>>): void {
  const set = Object.entries(limits).filter(([, value]) => value !== Infinity);
  checkCounts(Object.fromEntries(set), 0);
}
