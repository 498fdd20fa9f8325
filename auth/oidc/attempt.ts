import type { Ctx } from "../../mod.ts";
import {
  equalSecrets,
  parseCookies,
  prefixedCookieName,
  randomToken,
} from "../../runtime/addon.ts";

/** Lifetime of a sign-in, in milliseconds. */
export const lifetimeMs = 600_000;

/** Maximum number of pending sign-ins of one browser, as in several tabs. */
const maxAttempts = 5;

/** The longest target that is carried along: five cookies must fit into the head of a request. */
const maxNextChars = 512;

/** The beginning of a cookie's name; the beginning of the state follows. */
const cookieName = "fw_attempt_";

/** Number of characters of the state that name the cookie. */
const nameChars = 12;

/** A sign-in that is under way: what the browser carries to the provider and back. */
export interface Attempt {
  readonly provider: string;
  /** Ties the answer to the browser. */
  readonly state: string;
  /** Ties the ID token to the attempt. */
  readonly nonce: string;
  /** Ties the code to the attempt (RFC 7636). */
  readonly verifier: string;
  /** Path of the browser afterwards. */
  readonly next: string;
  readonly startedMs: number;
}

/**
 * Starts an attempt in a signed cookie of its own. Of more than five the oldest ends.
 *
 * @throws {TypeError} in production without `FW_SECRET`.
 */
export function openAttempt(
  c: Ctx,
  options: {
    readonly provider: string;
    readonly next: string;
    readonly fallback: string;
    readonly nowMs: number;
  },
): Attempt {
  const { provider, next, fallback, nowMs } = options;
  const attempt: Attempt = {
    provider,
    state: randomToken(),
    nonce: randomToken(),
    verifier: randomToken(),
    next: next.length > maxNextChars ? fallback : next,
    startedMs: nowMs,
  };
  const [prefix = "", suffix = ""] = prefixedCookieName(c, `${cookieName} `).split(" ");
  const started = [...parseCookies(c.request.headers.get("cookie")).keys()]
    // Applications at the paths above have attempts of their own.
    .filter((name) => name.startsWith(prefix) && name.slice(prefix.length + nameChars) === suffix)
    .map((name) => ({ name, startedMs: decode(c.signed(name))?.startedMs ?? -Infinity }))
    .sort((a, b) => b.startedMs - a.startedMs);
  for (const { name } of started.slice(maxAttempts - 1)) expire(c, name);
  c.setSigned(nameOf(c, attempt.state), JSON.stringify(attempt), lifetimeMs);
  return attempt;
}

/**
 * Ends the attempt that a state names, so that its cookie counts once.
 *
 * @returns The attempt; `undefined` for a state of another browser, one that was used, and one that is
 * too old.
 */
export function takeAttempt(
  c: Ctx,
  state: string | undefined,
  nowMs: number,
): Attempt | undefined {
  if (state === undefined || !/^[A-Za-z0-9_-]{43}$/.test(state)) return undefined;
  const name = nameOf(c, state);
  const attempt = decode(c.signed(name));
  if (c.cookie(name) !== undefined) expire(c, name);
  const isOwn = attempt !== undefined && equalSecrets(attempt.state, state);
  return isOwn && nowMs - attempt.startedMs < lifetimeMs ? attempt : undefined;
}

function nameOf(c: Ctx, state: string): string {
  return prefixedCookieName(c, cookieName + state.slice(0, nameChars));
}

function expire(c: Ctx, name: string): void {
  c.setCookie({ name, value: "", maxAgeSeconds: 0 });
}

/** Reads what was signed: the signature says that this file wrote it. */
function decode(value: string | undefined): Attempt | undefined {
  return value === undefined ? undefined : JSON.parse(value);
}
