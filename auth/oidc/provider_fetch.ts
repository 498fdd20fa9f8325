import { isLoopback, type JsonObject, readCapped } from "../../runtime/addon.ts";
import { parseJsonObject } from "../strict_json.ts";

const defaultTimeoutMs = 5_000;

const maxBytes = 262_144;

/** Maximum number of redirects, on the same origin only. */
const maxRedirects = 3;

/** The provider did not answer, or not as its protocol says: an error of the network, not of the user. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

export interface FetchRules {
  readonly fetch: typeof fetch;
  /** Whether plain HTTP to this machine is fine: in development alone. */
  readonly allowsLoopback: boolean;
  /** Timeout of the exchange, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
}

export interface ProviderAnswer {
  readonly status: number;
  /** The JSON object in the body; `undefined` for anything else. */
  readonly body: JsonObject | undefined;
}

/**
 * Sends a request to a provider and reads the JSON of the response, with a deadline of five seconds,
 * at most 256 KiB, and no redirect to another origin.
 *
 * @throws {ProviderError} saying what is wrong with the URL, the connection or the response.
 */
export async function fetchProvider(
  url: string,
  init: RequestInit,
  rules: FetchRules,
): Promise<ProviderAnswer> {
  const { timeoutMs = defaultTimeoutMs } = rules;
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new ProviderError(`${url} did not answer within ${timeoutMs} ms`));
    controller.abort();
  }, timeoutMs);
  try {
    const exchange = send(url, { ...init, signal: controller.signal }, rules);
    // A `fetch` that ignores its signal must not hold the request up.
    return await Promise.race([exchange, late.promise]);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderError(`${url} cannot be read: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function send(
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  rules: FetchRules,
): Promise<ProviderAnswer> {
  let target = url;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    checkProviderUrl(target, rules);
    const response = await rules.fetch(target, { ...init, redirect: "manual" });
    if (response.status < 300 || response.status > 399) {
      const bytes = await readCapped(response.body, { maxBytes, signal: init.signal });
      if (bytes === undefined) throw new RangeError(`it answers with more than ${maxBytes} bytes`);
      return { status: response.status, body: parseJsonObject(bytes) };
    }
    await response.body?.cancel();
    target = redirectOf(response, target, init.method);
  }
  throw new ProviderError(`${url} redirects more than ${maxRedirects} times`);
}

function redirectOf(
  response: Response,
  from: string,
  method: string | undefined,
): string {
  const next = URL.parse(response.headers.get("location") ?? "", from);
  // A code or a secret is sent to the URL that the provider published, and nowhere else.
  if (method === "POST" || next === null || next.origin !== new URL(from).origin) {
    throw new ProviderError(`${from} redirects to ${next?.origin ?? "nowhere"}, which is refused`);
  }
  return next.href;
}

/**
 * Checks that a URL of a provider is `https`, or `http` to this machine in development.
 *
 * @throws {ProviderError} for any other.
 */
export function checkProviderUrl(text: unknown, rules: Pick<FetchRules, "allowsLoopback">): URL {
  const url = typeof text === "string" ? URL.parse(text) : null;
  const isAllowed = url?.protocol === "https:" ||
    (url?.protocol === "http:" && rules.allowsLoopback && isLoopback(url.hostname));
  if (url === null || !isAllowed || url.username !== "" || url.password !== "") {
    throw new ProviderError(
      `"${text}" is not a URL of a provider: write https, or http on localhost in development`,
    );
  }
  return url;
}
