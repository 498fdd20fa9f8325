import { type Application, type Ctx, noteMemoryState } from "../../mod.ts";
import {
  findStores,
  isLookahead,
  noteStoreState,
  type Passkey,
  type PasskeyStore,
  prefixedCookieName,
  randomToken,
} from "../../runtime/addon.ts";
import { need } from "./fault.ts";

/**
 * Keeps passkeys in the memory of the process, without a limit. For tests: after a restart, users
 * could no longer sign in.
 * @example
 * ```ts
 * import { memoryPasskeyStore, passkeys } from "@fw/fw/auth";
 *
 * const keys = passkeys({ rpId: "example.com", store: memoryPasskeyStore() });
 * console.assert(typeof keys.list === "function");
 * ```
 */
export function memoryPasskeyStore(): PasskeyStore {
  noteMemoryState("passkeys", "leave the store of passkeys() out and provideStores(app, …)");
  return keepInMemory();
}

/** Returns a function that finds an application's provided store, else creates one in memory. */
export function providedPasskeys(): (app: Application) => PasskeyStore {
  noteStoreState("passkeys", "passkeys");
  return (app) => findStores(app).passkeys ?? keepInMemory();
}

function keepInMemory(): PasskeyStore {
  const passkeys = new Map<string, Passkey>();
  const list = (subject: string): readonly Passkey[] =>
    [...passkeys.values()].filter((passkey) => passkey.subject === subject);
  return {
    add: (passkey, { max }) => {
      if (passkeys.has(passkey.id)) return "exists";
      const present = list(passkey.subject);
      if (present.some((other) => other.userHandle !== passkey.userHandle)) return "handle";
      if (present.length >= max) return "too-many";
      passkeys.set(passkey.id, passkey);
      return "added";
    },
    find: (id) => passkeys.get(id),
    list,
    use: (id, use) => {
      const passkey = passkeys.get(id);
      if (passkey === undefined || passkey.challengedAtMs >= use.challengedAtMs) return false;
      passkeys.set(id, { ...passkey, ...use });
      return true;
    },
    remove: (subject, id) => passkeys.get(id)?.subject === subject && passkeys.delete(id),
  };
}

/** Timeout of a ceremony, as the specification recommends. */
export const ceremonyMs = 300_000;

const cookie = "fw_passkey";

export interface Challenge {
  readonly kind: "create" | "get";
  readonly challenge: string;
  /** When the challenge was created, in milliseconds since 1970. */
  readonly atMs: number;
  /** The account that registers a passkey; `""` for a sign-in. */
  readonly subject: string;
  /** User handle stored by the authenticator; `""` for a sign-in. */
  readonly userHandle: string;
}

/** Returns a new challenge, kept in a signed cookie, so that any replica can verify it. */
export function startCeremony(c: Ctx, ceremony: Omit<Challenge, "challenge">): string {
  const challenge = randomToken();
  const name = prefixedCookieName(c, cookie);
  if (!isLookahead(c)) c.setSigned(name, JSON.stringify({ ...ceremony, challenge }), ceremonyMs);
  c.cacheControl("no-store");
  return challenge;
}

/** Reads the challenge and clears its cookie, which a client can still resend. @throws {PasskeyFault} */
export function takeChallenge(
  c: Ctx,
  { kind, now }: { readonly kind: Challenge["kind"]; readonly now: number },
): Challenge {
  const name = prefixedCookieName(c, cookie);
  const text = c.signed(name);
  c.setCookie({ name, value: "", maxAgeSeconds: 0 });
  need(text !== undefined, "challenge", "there is no challenge, or it has expired");
  // The signature proves that `startCeremony` wrote it.
  const started: Challenge = JSON.parse(text);
  need(started.kind === kind, "challenge", "the challenge belongs to another ceremony");
  need(now - started.atMs < ceremonyMs, "challenge", "the challenge has expired");
  return started;
}
