import type { Alternate } from "../base/ctx/ctx.ts";
import { HttpError } from "../base/errors/errors.ts";
import { variesBy } from "../base/headers.ts";
import { findTimeZone } from "../base/local_time.ts";
import { joinBase } from "../base/url/path.ts";
import { flattenOptions, formatOf } from "../i18n/format.ts";
import { type Languages, speakIn, type Spoken } from "../i18n/languages.ts";
import type { RequestCtx } from "./request_ctx.ts";
import { markCookieRead } from "./stage.ts";

/** Lifetime of the user's language choice; browsers cap it at 400 days. */
const keptSeconds = 31_536_000;

export const plainSpoken: Spoken = speakIn("en", {
  vary: undefined,
  texts: { language: undefined, validationMessages: [], labels: undefined, errorPages: undefined },
});

/** Implements `c.setLanguage`: a 400 for a language that the application does not list. */
export function chooseLanguage(c: RequestCtx, language: string, languages?: Languages): Spoken {
  if (languages === undefined) {
    throw new TypeError(
      `Cannot set the language: list the languages in config.languages, such as ["en", "pt-PT"].`,
    );
  }
  const spoken = languages.chosen(language);
  if (spoken === undefined) {
    throw new HttpError(400, "there is no such language here", { code: "unknown_language" });
  }
  c.setCookie({ name: languages.cookie, value: spoken.language, maxAgeSeconds: keptSeconds });
  return spoken;
}

/** Implements `c.alternates`: the page in each language, and without one. */
export function listAlternates(c: RequestCtx, { tags }: Languages, query: string): Alternate[] {
  const { base, target, location } = c;
  const current = location?.language;
  // The path as sent, so that escapes stay: the base path and the language are whole segments.
  const skipped = base.split("/").length - (current === undefined ? 1 : 0);
  const path = afterSegments(target.path, skipped);
  const at = (prefix: string): string => joinBase(base, prefix + path) + query;
  const alternates = tags.map((language) => ({
    language,
    path: at(`/${language}`),
    isCurrent: language === c.language,
  }));
  return [...alternates, { language: "x-default", path: at(""), isCurrent: current === undefined }];
}

/** Returns a path without its first segments; the rest starts with a slash. */
export function afterSegments(path: string, segments: number): string {
  let at = 0;
  for (let passed = 0; passed < segments; passed++) {
    at = path.indexOf("/", at + 1);
    if (at < 0) return "/";
  }
  return path.slice(at);
}

/** Sets `Content-Language` on a response with a body, and `Vary` if the request decided the language. */
export function tellLanguage(c: RequestCtx, response: Response): void {
  const { spoken } = c;
  if (spoken === undefined) return;
  const { headers } = response;
  const name = "content-language";
  const hasOwn = headers.has(name) || c.answer.headers?.has(name) === true;
  if (response.body !== null && !hasOwn && !c.isExport) c.header(name, spoken.language);
  for (const varied of spoken.vary?.split(", ") ?? []) {
    if (!variesBy(headers.get("vary"), varied.toLowerCase())) c.header("vary", varied);
  }
}

const zoneCookie = "fw_zone";

/** Returns the time zone of the browser's cookie, else that of the application. */
export function findZone(c: RequestCtx): string {
  markCookieRead(c);
  return findTimeZone(c.cookie(zoneCookie) ?? "") ?? c.app.config.zone;
}

export function checkZone(name: string): string {
  const zone = findTimeZone(name);
  if (zone !== undefined) return zone;
  throw new TypeError(
    `Cannot set the zone "${name}": use a name of the time zone database, such as "Europe/Lisbon".`,
  );
}

const mediumTime: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

export function writeTime(
  c: RequestCtx,
  date: Date | Temporal.Instant,
  options: Intl.DateTimeFormatOptions = mediumTime,
): string {
  const instant = date instanceof Date ? date : new Date(date.epochMilliseconds);
  const timeZone = options.timeZone ?? c.zone;
  return formatOf(c.language).date(instant, { ...flattenOptions(options), timeZone });
}
