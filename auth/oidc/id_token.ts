import { equalSecrets, isJsonObject, type JsonObject } from "../../runtime/addon.ts";
import { isStorableText } from "../session_record.ts";
import { encodeBase64url } from "../strict_json.ts";
import { type Checked, type KeySource, refuseToken, type TokenRefusal, verifyJws } from "./jws.ts";

export const toleranceSeconds = 60;

/** Maximum length of a user or session identifier (OpenID Connect Core, section 2). */
const maxIdChars = 255;

export interface TokenExpectations {
  readonly keys: KeySource;
  /** Reports whether an issuer is the provider's; the claims name the tenant of a multi-tenant provider. */
  readonly isIssuer: (iss: string, claims: JsonObject) => boolean;
  readonly clientId: string;
  readonly nowMs: number;
}

export interface IdTokenExpectations extends TokenExpectations {
  /** The nonce of the attempt; `undefined` for a refreshed token, which belongs to no attempt. */
  readonly nonce: string | undefined;
  /** The access token of the same response, which `at_hash`, if present, must match. */
  readonly accessToken: string;
  /** Maximum age of the user's sign-in at the provider; requires `auth_time`. */
  readonly maxAgeSeconds?: number | undefined;
}

export type IdTokenClaims = JsonObject & { readonly sub: string; readonly iss: string };

/** Checks an ID token (OpenID Connect Core, section 3.1.3.7). */
export async function verifyIdToken(
  token: unknown,
  expected: IdTokenExpectations,
): Promise<Checked<IdTokenClaims>> {
  const jws = await verifyJws(token, { keys: expected.keys, types: ["jwt"] });
  if (!jws.ok) return jws;
  const { hash, payload } = jws.value;
  const reason = audienceFault(payload, expected) ?? timeFault(payload, expected) ??
    nonceFault(payload.nonce, expected.nonce) ?? ageFault(payload, expected) ??
    await hashFault(payload.at_hash, expected.accessToken, hash);
  if (reason !== undefined) return refuseToken(reason);
  return isId(payload.sub)
    ? { ok: true, value: payload as IdTokenClaims }
    : refuseToken("token-sub");
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
export async function verifyLogoutToken(
  token: unknown,
  expected: TokenExpectations,
): Promise<
  Checked<{ sub: string | undefined; sid: string | undefined; jti: string; exp: number }>
> {
  const jws = await verifyJws(token, { keys: expected.keys, types: ["jwt", "logout+jwt"] });
  if (!jws.ok) return jws;
  const { payload } = jws.value;
  const reason = audienceFault(payload, expected) ?? timeFault(payload, expected);
  if (reason !== undefined) return refuseToken(reason);
  const { sub, sid, jti, exp, events, nonce } = payload;
  if (!isJsonObject(events) || !isJsonObject(events[logoutEvent])) {
    return refuseToken("token-events");
  }
  // A token with a nonce would be an ID token, which must not end sessions.
  if (nonce !== undefined) return refuseToken("token-nonce");
  if (!isId(jti) || typeof exp !== "number") return refuseToken("token-jti");
  if (sub !== undefined && !isId(sub)) return refuseToken("token-sub");
  if (sid !== undefined && !isId(sid)) return refuseToken("token-sid");
  if (sub === undefined && sid === undefined) return refuseToken("token-sub");
  return { ok: true, value: { sub, sid, jti, exp } };
}

/** Reports whether a value can identify a user, a session or a token. */
export function isId(value: unknown): value is string {
  return isStorableText(value, maxIdChars) && value !== "";
}

function audienceFault(claims: JsonObject, expected: TokenExpectations): TokenRefusal | undefined {
  const { iss, aud, azp } = claims;
  const { clientId } = expected;
  if (typeof iss !== "string" || !expected.isIssuer(iss, claims)) return "token-iss";
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((one) => typeof one === "string") || !audiences.includes(clientId)) {
    return "token-aud";
  }
  // A token for several clients must name the client that requested it.
  const isOther = azp === undefined ? audiences.length > 1 : azp !== clientId;
  return isOther ? "token-azp" : undefined;
}

function timeFault(claims: JsonObject, expected: TokenExpectations): TokenRefusal | undefined {
  const { exp, nbf, iat } = claims;
  const now = expected.nowMs / 1_000;
  if (!isTime(exp) || exp + toleranceSeconds <= now) return "token-exp";
  if (nbf !== undefined && (!isTime(nbf) || nbf - toleranceSeconds > now)) return "token-nbf";
  return !isTime(iat) || iat - toleranceSeconds > now ? "token-iat" : undefined;
}

/** Reports whether a value is in seconds since 1970, possibly with a fraction (RFC 7519, section 2). */
function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function nonceFault(nonce: unknown, expected: string | undefined): TokenRefusal | undefined {
  if (expected === undefined) return undefined;
  return typeof nonce === "string" && equalSecrets(nonce, expected) ? undefined : "token-nonce";
}

function ageFault(claims: JsonObject, expected: IdTokenExpectations): TokenRefusal | undefined {
  const { auth_time: authTime } = claims;
  const { maxAgeSeconds, nowMs } = expected;
  if (authTime === undefined && maxAgeSeconds === undefined) return undefined;
  const now = nowMs / 1_000;
  if (!isTime(authTime) || authTime - toleranceSeconds > now) return "token-auth-time";
  const oldest = now - toleranceSeconds - (maxAgeSeconds ?? Infinity);
  return authTime < oldest ? "token-auth-time" : undefined;
}

/** Checks `at_hash`, the left half of the access token's hash (OpenID Connect Core, section 3.1.3.6). */
async function hashFault(
  sent: unknown,
  accessToken: string,
  hash: string,
): Promise<TokenRefusal | undefined> {
  if (sent === undefined) return undefined;
  const bytes = new TextEncoder().encode(accessToken);
  const digest = new Uint8Array(await crypto.subtle.digest(hash, bytes));
  const half = encodeBase64url(digest.subarray(0, digest.length / 2));
  return typeof sent === "string" && equalSecrets(sent, half) ? undefined : "token-at-hash";
}
