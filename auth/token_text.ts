import { Buffer } from "node:buffer";
import type { Ctx } from "../mod.ts";
import { equalSecrets, signText, type StoredSession } from "../runtime/addon.ts";
import type { TokenInfo } from "./token_types.ts";

/** Maximum length of a token, so that proxies accept the header. */
export const maxTokenChars = 4_096;

const maxScopes = 50;

/** Encodes a record as a signed token. @throws {TypeError} without keys. @throws {RangeError} if too long. */
export function signToken(record: StoredSession, keys: readonly Uint8Array[]): string {
  const [current] = keys;
  if (current === undefined) {
    throw new TypeError(
      "Cannot sign a token: the application has no secret; set FW_SECRET to 32 bytes or more.",
    );
  }
  const payload = Buffer.from(JSON.stringify(record)).toString("base64url");
  const token = `${payload}.${signText(payload, current)}`;
  if (token.length <= maxTokenChars) return token;
  throw new RangeError(
    `Cannot sign a token of ${token.length} characters for "${record.subject}": at most ` +
      `${maxTokenChars} fit; give createTokens a store: { stored: true }.`,
  );
}

/** Decodes a token of {@link signToken}, expired or not; `undefined` for anything else. */
export function verifyToken(
  token: string,
  keys: readonly Uint8Array[],
): StoredSession | undefined {
  const [, payload = "", code = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
  // Compare the strings, because base64url can spell the same bytes in several ways.
  const isGenuine = code !== "" && keys.some((each) => equalSecrets(signText(payload, each), code));
  return isGenuine ? JSON.parse(Buffer.from(payload, "base64url").toString()) : undefined;
}

/** Returns the credentials that the client sent with a scheme; `undefined` without any or with another scheme. */
export function findCredentials(c: Ctx, scheme: string): string | undefined {
  const header = c.request.headers.get("authorization") ?? "";
  const [, name = "", credentials] = /^(\S+) +(\S.*)$/.exec(header) ?? [];
  return name.toLowerCase() === scheme.toLowerCase() ? credentials : undefined;
}

export function tokenScopes({ data = "[]" }: StoredSession): readonly string[] {
  return JSON.parse(data);
}

export function tokenInfo(record: StoredSession): TokenInfo {
  return {
    id: record.id,
    label: record.device,
    scopes: tokenScopes(record),
    issuedAt: new Date(record.issuedAtMs),
    usedAt: new Date(record.usedAtMs),
    expiresAt: new Date(record.endsAtMs),
  };
}

/** Checks scopes. @throws {TypeError} for one that RFC 6749, section 3.3, does not allow. */
export function checkScopes(scopes: readonly string[], act: string): void {
  const isScope = (scope: unknown): boolean =>
    typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope);
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong === undefined && scopes.length <= maxScopes) return;
  throw new TypeError(
    `Cannot ${act} the scopes "${scopes.slice(0, 3).join(" ").slice(0, 60)}": use at most ` +
      `${maxScopes}, each of 1 to 100 characters of printable ASCII without spaces, quotes and "\\".`,
  );
}
