import type { Flash, FlashKind } from "../base/ctx/answers.ts";
import { readHeaders } from "../base/headers.ts";
import { cutText } from "../base/values.ts";
import { findCookie } from "./cookies.ts";
import { forgetShown, mark } from "./stage.ts";
import { signedValue, signerOf, warnUnsigned, writeSigned } from "./signed.ts";
import type { RequestCtx } from "./request_ctx.ts";

const kinds: readonly string[] = ["info", "success", "error"] satisfies FlashKind[];
const ttlMs = 3_600_000;
const maxTextChars = 500;

/** The maximum number of queued messages; the oldest are dropped first. */
const maxMessages = 20;

/** In base64url these are 3,800 characters; with name, expiry and signature the header may have 3,900. */
const maxCookieBytes = 2_850;
const maxHeaderBytes = 8_000;
const encoder = new TextEncoder();

/** Implements `c.flash`. @throws {TypeError} for a kind that does not exist. */
export function queueFlash(c: RequestCtx, message: Flash): void {
  const { kind, text } = message;
  if (!kinds.includes(kind)) {
    throw new TypeError(`Cannot flash the kind "${kind}": use one of ${kinds.join(", ")}.`);
  }
  c.answer.isStaged = true;
  const isShort = text.length <= maxTextChars;
  const kept = isShort ? text.toWellFormed() : cutText(text, maxTextChars - 1);
  (c.answer.queued ??= []).push({ ...message, text: kept });
}

/** Checks whether the browser holds messages that no page has shown. */
export function hasWaiting(c: RequestCtx): boolean {
  return findCookie(c.cookieHeader, c.cookieNames.flash) !== undefined;
}

/** Implements `c.flashes`; nothing is consumed for a prefetch, a `HEAD`, or after the head was sent. */
export function takeFlashes(c: RequestCtx): readonly Flash[] {
  const { answer } = c;
  if (answer.taken !== undefined) return answer.taken;
  if (answer.state === "sealed") return [];
  const messages = readMessages(c);
  if (messages.length === 0 || staysUnseen(c)) return [];
  answer.isStaged = true;
  return answer.taken = messages;
}

/** Reports whether a response may never be shown: to a `HEAD` or a prefetch. */
export function staysUnseen({ method, headers }: RequestCtx): boolean {
  if (method === "HEAD") return true;
  const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) =>
    headers.get(name)
  );
  return /\b(?:prefetch|preview|prerender)\b/i.test(purposes.join());
}

/** Reads the payload of a signed cookie, which another version may have written. */
function readMessages(c: RequestCtx): readonly Flash[] {
  const text = signedValue(c, c.cookieNames.flash, { isTagged: false });
  if (text === undefined) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isFlash) : [];
  } catch {
    return [];
  }
}

function isFlash(value: unknown): value is Flash {
  return typeof value === "object" && value !== null && "kind" in value && "text" in value &&
    typeof value.text === "string" && kinds.includes(String(value.kind)) &&
    (!("action" in value) || isAction(value.action));
}

function isAction(value: unknown): value is Flash["action"] {
  return typeof value === "object" && value !== null && "text" in value && "href" in value &&
    (!("fields" in value) || (typeof value.fields === "object" && value.fields !== null));
}

/** Writes the messages: into `FW-Flash` for a fragment, else, and for a redirect, into the cookie. */
export function writeFlashes(c: RequestCtx, response: Response): void {
  const { taken, queued = [] } = c.answer;
  const headers = readHeaders.call(response);
  const leadsOn = headers.has("location") || headers.has("fw-location");
  const isShown = !leadsOn && c.fragment !== undefined;
  if (isShown && queued.length > 0) {
    mark(c, "private");
    forgetShown(c);
    // Percent-encoded, for `JSON.parse(decodeURIComponent(value))`.
    const encode: Encode = (messages) => encodeURIComponent(JSON.stringify(messages));
    c.header("FW-Flash", fitMessages(queued, encode, maxHeaderBytes));
  }
  const isChanged = taken !== undefined || (!isShown && queued.length > 0);
  if (!isChanged) return;
  if (taken !== undefined) forgetShown(c);
  const waiting = [...(taken === undefined ? readMessages(c) : []), ...(isShown ? [] : queued)];
  const name = c.cookieNames.flash;
  if (waiting.length === 0) c.setCookie({ name, value: "", maxAgeSeconds: 0 });
  else if (!signerOf(c.app).canSign) warnUnsigned(c, name);
  else writeSigned(c, { name, value: fitMessages(waiting, JSON.stringify, maxCookieBytes), ttlMs });
}

type Encode = (messages: readonly Flash[]) => string;

/** Drops the oldest messages, then the button of the last, then shortens it, until the rest fits. */
function fitMessages(messages: readonly Flash[], encode: Encode, maxBytes: number): string {
  let kept = messages.slice(-maxMessages);
  for (;;) {
    const text = encode(kept);
    if (encoder.encode(text).length <= maxBytes) return text;
    const [last] = kept;
    if (kept.length > 1 || last === undefined) kept = kept.slice(1);
    else if (last.action !== undefined) kept = [{ kind: last.kind, text: last.text }];
    else kept = [{ ...last, text: cutText(last.text, Math.floor(last.text.length / 2)) }];
  }
}
