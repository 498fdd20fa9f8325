import { extendVary } from "../base/headers.ts";
import { isTextType } from "../base/media_types.ts";
import { variesByFragment } from "./answer.ts";
import { keepPrivate } from "./cache_privacy.ts";
import { appendCors, missingDefaults } from "./default_headers.ts";
import { Flashes, writeFlashes } from "./flash.ts";
import { tellLanguage } from "./language.ts";
import type { RequestCtx } from "./request_ctx.ts";
import { bindValidators, Declared } from "./validators.ts";

/** Rebuilds a foreign response, which must not be changed, so that it can have more headers. */
function adopt(response: Response): Response {
  return new Response(response.body, response);
}

/**
 * Checks whether a cache may keep a response that the listener would have compressed for another client. The
 * listener says so only of what it compresses, and a cache would give the first form to every client.
 */
function variesByCoding({ method, answer }: RequestCtx, headers: Headers, isOwn = false): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  // What the framework built may be kept only where the application staged one of them.
  const { headers: staged } = answer;
  if (isOwn && (staged === undefined || !keeping.some((name) => staged.has(name)))) return false;
  const control = headers.get("cache-control") ?? "";
  if (/\bno-(?:store|transform)\b/i.test(control)) return false;
  const isKept = /\b(?:public|max-age|s-maxage)\b/i.test(control) || headers.has("etag") ||
    headers.has("last-modified") || headers.has("expires");
  return isKept && !headers.has("content-encoding") &&
    isTextType(headers.get("content-type") ?? "");
}

const keeping: readonly string[] = ["cache-control", "etag", "last-modified", "expires"];

/**
 * Completes the head of a response. Staged headers replace those of the same name, `Vary` and `Set-Cookie`
 * append, user-specific responses are kept out of shared caches, and missing default headers are added. A
 * response that the framework built with nothing staged has its head already; a foreign one is rebuilt once at
 * most, never changed; a 101 passes untouched.
 */
export function finishAnswer(c: RequestCtx, response: Response): Response {
  const { answer } = c;
  const isOwn = response === answer.response;
  if (c.spoken !== undefined && !(isOwn && answer.kind !== "data")) tellLanguage(c, response);
  const flashes = answer.isStaged ? c.get(Flashes) : undefined;
  if (flashes !== undefined) writeFlashes(c, response, flashes);
  if (response.status === 101) return response;
  const cors = c.cors?.(c.headers.get("origin"));
  // A look at the body of the response that is sent turns it into a stream, whose length is not sent.
  const hasBody = isOwn ? response.headers.has("content-type") : response.body !== null;
  const hasDefaults = isOwn && answer.state === "built" && !answer.headers?.has("content-type");
  if (!isOwn && !answer.isStaged && answer.cache === "public") {
    const gaps = missingDefaults(response, hasBody, c);
    const isWhole = gaps.length === 0 && cors === undefined && !variesByFragment(c, response) &&
      !variesByCoding(c, response.headers);
    // A body that is already being read can be sent for HEAD only, which discards it.
    if (isWhole || response.body?.locked === true) return response;
  }
  const merged = isOwn ? response : adopt(response);
  const { headers } = merged;
  answer.headers?.forEach((value, name) => headers.set(name, value));
  answer.cookies?.forEach((text) => headers.append("set-cookie", text));
  if (answer.vary !== "") extendVary(headers, answer.vary);
  keepPrivate(c, headers, isOwn);
  if (c.get(Declared) !== undefined) bindValidators(c, merged);
  if (!hasDefaults) {
    for (const [name, value] of missingDefaults(merged, hasBody, c)) headers.append(name, value);
  }
  if (variesByFragment(c, merged)) extendVary(headers, "FW-Fragment");
  if (variesByCoding(c, headers, isOwn)) extendVary(headers, "Accept-Encoding");
  if (cors !== undefined) appendCors(headers, cors);
  return merged;
}
