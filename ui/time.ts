/** Instants in the user's language and time zone. */

import * as h from "../html/mod.ts";
import type { Node } from "../html/mod.ts";
import type { Ctx } from "../mod.ts";
import { formatOf } from "../runtime/i18n/mod.ts";
import { requestLanguage } from "../runtime/addon.ts";

/** Options of {@linkcode time}. */
export interface TimeOptions {
  /** Whether to show the time relative to now: "5 minutes ago". @default false */
  readonly relative?: boolean;
  /** Whether to show the time of day too. @default false */
  readonly clock?: boolean;
}

/**
 * Renders an instant in the user's language and time zone, `c.zone`: `27 Nov 2026`, or relative to now. The
 * kit's script sets the cookie with the zone, and keeps relative times up to date.
 *
 * @param c The request, for its language and its zone.
 * @param instant The instant.
 * @param options Relative, with the time of day.
 * @returns A `time`, whose `datetime` is the instant in UTC and whose title contains the time of day.
 *
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import type { Ctx } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) => ui.time(c, new Date("2026-11-27T09:14:00Z"));
 * await testPage({ page }, "/").wantContains(">Nov 27, 2026</time>");
 * ```
 */
export function time(c: Ctx, instant: Date, options: TimeOptions = {}): Node {
  const { relative = false, clock = false } = options;
  if (Number.isNaN(instant.getTime())) return h.fragment();
  const timeZone = c.zone;
  const language = requestLanguage() ?? c.language ?? "en";
  const { date } = formatOf(language);
  const full = date(instant, { dateStyle: "medium", timeStyle: "short", timeZone });
  const text = relative
    ? relativeText(instant, language)
    : clock
    ? full
    : date(instant, { dateStyle: "medium", timeZone });
  return h.time(
    h.datetime(instant.toISOString()),
    text !== full && h.titleAttr(full),
    relative && h.bool("data-ui-relative"),
    text,
  );
}

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const formats = new Map<string, Intl.RelativeTimeFormat>();

function relativeText(instant: Date, language: string): string {
  const seconds = (instant.getTime() - Date.now()) / 1000;
  const format = formats.get(language) ??
    new Intl.RelativeTimeFormat([language, "en"], { numeric: "auto" });
  if (formats.size < 100) formats.set(language, format);
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (found === undefined) return format.format(0, "second");
  const [unit, size] = found;
  return format.format(Math.trunc(seconds / size), unit);
}

/**
 * Formats an amount of money in the user's language: `€1,234.50`.
 *
 * @param c The request, for its language.
 * @param minorUnits The amount in minor units, such as cents, as read by the builder `money`.
 * @param currency The ISO 4217 code. A malformed one, as in a row, stands after an amount with two digits.
 * @returns The text.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) => h.p(ui.amount(c, 123_450, "EUR"));
 * await testPage({ page }, "/").wantContains("€1,234.50");
 * ```
 */
export function amount(c: Ctx, minorUnits: number, currency: string): string {
  const language = requestLanguage() ?? c.language ?? "en";
  const { number } = formatOf(language);
  if (!/^[a-z]{3}$/i.test(currency)) {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return `${number(minorUnits / 100, digits)} ${currency}`.trim();
  }
  return number(minorUnits / 10 ** fractionDigits(currency), { style: "currency", currency });
}

const knownDigits = new Map<string, number>();

function fractionDigits(currency: string): number {
  const known = knownDigits.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  if (knownDigits.size < 200) knownDigits.set(currency, digits);
  return digits;
}
