import { createHash, createHmac, randomBytes } from "node:crypto";
import { appKeys, deriveKey, equalSecrets } from "../../runtime/addon.ts";
import { isJsonObject } from "../json.ts";
import { type PerApplication, perApplication } from "./per_application.ts";

export interface StateBinding {
  readonly principal: string;
  readonly method: string;
  readonly params: unknown;
}

export interface KeptState {
  readonly id: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]];

/** Time for the user to answer the questions of one call, in milliseconds. */
export const stateTtlMs = 3_600_000;

/** The most characters of a state: what clients send back is read with every retry. */
const maxStateChars = 262_144;

/**
 * Signs and verifies what a client holds between two of its requests: it is bound to the caller, to its
 * subject and to a time.
 */
class SignedStates {
  readonly #keys: SigningKeys;
  readonly #now: () => number;

  constructor(keys: SigningKeys, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  seal({ id, answers }: KeptState, binding: StateBinding): string {
    const body = JSON.stringify({
      id,
      answers,
      expires: this.#now() + stateTtlMs,
      call: digest(binding),
    });
    const payload = new TextEncoder().encode(body).toBase64({ alphabet: "base64url" });
    return `${payload}.${sign(payload, this.#keys[0])}`;
  }

  /**
   * Verifies what a client sent back.
   *
   * @returns `undefined` for a state that is forged, too old, or of another call.
   */
  open(state: unknown, binding: StateBinding): KeptState | undefined {
    if (typeof state !== "string" || state.length > maxStateChars) return undefined;
    const dot = state.indexOf(".");
    const payload = state.slice(0, Math.max(dot, 0));
    const sent = state.slice(dot + 1);
    if (!this.#keys.some((key) => equalSecrets(sent, sign(payload, key)))) return undefined;
    const body = parse(payload);
    if (!isJsonObject(body) || !isJsonObject(body.answers) || typeof body.id !== "string") {
      return undefined;
    }
    const { id, answers, expires } = body;
    const isFresh = typeof expires === "number" && expires > this.#now();
    return isFresh && body.call === digest(binding) ? { id, answers } : undefined;
  }
}

function sign(payload: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(payload).digest("base64url");
}

function digest({ principal, method, params }: StateBinding): string {
  const text = JSON.stringify([principal, method, params]);
  return createHash("sha256").update(text).digest("base64url");
}

function parse(payload: string): unknown {
  try {
    const bytes = Uint8Array.fromBase64(payload, { alphabet: "base64url" });
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

export type StatesOf = PerApplication<SignedStates>;

/**
 * Returns what signs for an application: with its secret, which its replicas share, else with a random key
 * of its own that lives as long as the process.
 */
export function signedStates(
  purpose: string,
  { secret, now = Date.now }: {
    readonly secret?: string | Uint8Array | undefined;
    readonly now?: () => number;
  } = {},
): StatesOf {
  if (secret !== undefined) {
    const states = new SignedStates([deriveKey(secret, purpose)], now);
    return () => states;
  }
  return perApplication((app) => {
    const [first = randomBytes(32), ...rest] = app === undefined ? [] : appKeys(app, purpose);
    return new SignedStates([first, ...rest], now);
  });
}
