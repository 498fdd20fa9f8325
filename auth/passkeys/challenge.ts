import type { Ctx } from "../../mod.ts";
import { prefixedCookieName, randomToken } from "../../runtime/addon.ts";
import { need } from "./fault.ts";

/** Timeout of a ceremony, as the specification recommends. */
export const ceremonyMs = 300_000;

const cookie = "fw_passkey";

/** A challenge that a browser was given. */
export interface Challenge {
  /** Purpose of the challenge. */
  readonly kind: "create" | "get";
  /** The random text. */
  readonly challenge: string;
  /** When it was made, in milliseconds since 1970. */
  readonly atMs: number;
  /** The account that registers a passkey; `""` for a sign-in. */
  readonly subject: string;
  /** User handle stored by the authenticator; `""` for a sign-in. */
  readonly userHandle: string;
}

/** Makes a challenge and keeps it in a signed cookie: any replica can check it. */
export function startCeremony(c: Ctx, ceremony: Omit<Challenge, "challenge">): Challenge {
  const started: Challenge = { ...ceremony, challenge: randomToken() };
  c.setSigned(prefixedCookieName(c, cookie), JSON.stringify(started), ceremonyMs);
  c.cacheControl("no-store");
  return started;
}

/**
 * Removes and returns the challenge of the browser. A client can keep the cookie and send it again: what a response
 * changes must note that it was used.
 *
 * @throws {PasskeyFault} `challenge` where there is none of this kind.
 */
export function takeChallenge(
  c: Ctx,
  { kind, now }: { readonly kind: Challenge["kind"]; readonly now: number },
): Challenge {
  const name = prefixedCookieName(c, cookie);
  const text = c.signed(name);
  c.setCookie({ name, value: "", maxAgeSeconds: 0 });
  need(text !== undefined, "challenge", "there is no challenge, or it has expired");
  // The signature says that `startCeremony` wrote it.
  const started: Challenge = JSON.parse(text);
  need(started.kind === kind, "challenge", "the challenge is of another ceremony");
  need(now - started.atMs < ceremonyMs, "challenge", "the challenge has expired");
  return started;
}
