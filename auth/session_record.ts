import { hash } from "node:crypto";
import type { StoredSession } from "../runtime/addon.ts";
import type { SessionSettings } from "./session_options.ts";

/** The signed-in user. */
export interface User {
  /**
   * The issuer of the user's identity provider; `""` if the application itself signed the user in. Two
   * providers may use one subject for different people: use provider and subject as the key of an account.
   */
  readonly provider: string;
  /** The stable identifier of the account at its provider, or the key of its row. */
  readonly subject: string;
  /**
   * The key of the user's row: what `account` of the provider returned, or the subject if the application
   * signed the user in. Without `account` it joins provider and subject, and is not the key of a row.
   */
  readonly id: string;
  /** The email address, if known. */
  readonly email?: string;
  /** The display name, if known. */
  readonly name?: string;
  /** The roles that the guards check. */
  readonly roles: readonly string[];
  /** When the user signed in; at the provider, if that states it (`auth_time`). */
  readonly issuedAt: Date;
}

/** The user that `sessions.start` signs in. */
export interface SignIn {
  /** The stable identifier of the account, 1 to 255 characters. Not an email address, whose owner can change. */
  readonly subject: string;
  /** The key of the user's row in the application, 1 to 255 characters. @default `subject` */
  readonly id?: string | undefined;
  /** The email address. */
  readonly email?: string | undefined;
  /** The display name. */
  readonly name?: string | undefined;
  /** The roles that the guards check. @default none */
  readonly roles?: readonly string[] | undefined;
}

export interface ProviderPart {
  readonly provider: string;
  readonly sid?: string;
  /** Sealed data to keep with the session; needs a store. */
  readonly data?: string;
  /** When the user authenticated at the provider, in milliseconds since 1970. @default now */
  readonly authenticatedMs?: number;
}

/** Creates the record of a session. @throws {TypeError} for a user who cannot be stored. */
export function createSession(
  who: SignIn,
  at: {
    readonly part: ProviderPart;
    readonly settings: Pick<SessionSettings, "absoluteMs" | "idleMs" | "now">;
    readonly id: string;
    readonly device: string;
  },
): StoredSession {
  const { absoluteMs, idleMs, now } = at.settings;
  const { part, id, device } = at;
  checkSignIn(who, part);
  const usedAtMs = Math.floor(now());
  return {
    id,
    provider: part.provider,
    subject: who.subject,
    ...(who.id === undefined ? {} : { account: who.id }),
    ...(who.email === undefined ? {} : { email: who.email }),
    ...(who.name === undefined ? {} : { name: who.name }),
    roles: Object.freeze([...new Set(who.roles)]),
    device,
    issuedAtMs: Math.min(usedAtMs, part.authenticatedMs ?? usedAtMs),
    usedAtMs,
    expiresAtMs: usedAtMs + Math.min(idleMs, absoluteMs),
    endsAtMs: usedAtMs + absoluteMs,
    ...(part.sid === undefined ? {} : { sid: part.sid }),
    ...(part.data === undefined ? {} : { data: part.data }),
  };
}

/** Creates the record of a used token or state. Its id isn't the hash of an identifier, so no cookie matches. */
export function createUseRecord(
  id: string,
  provider: string,
  { usedAtMs, endsAtMs }: Pick<StoredSession, "usedAtMs" | "endsAtMs">,
): StoredSession {
  const times = { issuedAtMs: usedAtMs, usedAtMs, expiresAtMs: endsAtMs, endsAtMs };
  return { id, provider, subject: "", roles: [], device: "", ...times };
}

export function userOf(session: StoredSession): User {
  const { provider, subject, account, email, name, roles, issuedAtMs } = session;
  return {
    provider,
    subject,
    // A provider's subject may equal the key of another user's row.
    id: account ?? (provider === "" ? subject : `${provider} ${subject}`),
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    roles,
    issuedAt: new Date(issuedAtMs),
  };
}

export function isIdentifier(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Returns the hash that a store keeps of an identifier, so that a leaked store cannot be used to sign in. */
export function hashId(token: string): string {
  return hash("sha256", token, "base64url");
}

/**
 * Reports whether a value is a string that sessions can store. Control characters are refused, because a
 * store that truncates at one would return the subject of another user.
 */
export function isStorableText(text: unknown, max: number): text is string {
  return typeof text === "string" && text.length <= max && text.isWellFormed() &&
    !/\p{Cc}/u.test(text);
}

function checkSignIn(who: SignIn, { provider, sid }: ProviderPart): void {
  const { subject, id = subject, email, name, roles = [] } = who;
  for (const [what, text] of Object.entries({ subject, id })) {
    if (isStorableText(text, 255) && text !== "") continue;
    throw new TypeError(
      `Cannot keep "${String(text).slice(0, 60)}" as a user: use a ${what} of 1 to 255 ` +
        "characters without control characters.",
    );
  }
  const isValid = (email === undefined || isStorableText(email, 320)) &&
    (name === undefined || isStorableText(name, 500)) &&
    roles.length <= 1_000 && roles.every((role) => isStorableText(role, 255)) &&
    isStorableText(provider, 1_000) && (sid === undefined || isStorableText(sid, 1_000));
  if (isValid) return;
  throw new TypeError(
    `Cannot keep "${subject}" as a user: use an email of up to 320 characters, a name of up ` +
      "to 500 and up to 1000 roles of up to 255 each, without control characters.",
  );
}

const maxAgentChars = 512;

// The order matters, because most browsers also name the ones they are compatible with.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Describes a device, such as `Firefox on Linux`, from the user agent: a hint, not evidence. */
export function parseDevice(agent: string | null): string {
  const text = (agent ?? "").slice(0, maxAgentChars);
  const nameIn = (table: typeof browsers): string | undefined =>
    table.find(([pattern]) => pattern.test(text))?.[1];
  const browser = nameIn(browsers) ?? /^([A-Za-z][A-Za-z0-9 ._-]{0,38})\//.exec(text)?.[1];
  const system = nameIn(systems);
  const known = browser === "Mozilla" ? undefined : browser;
  return known !== undefined && system !== undefined
    ? `${known} on ${system}`
    : known ?? system ?? "";
}
