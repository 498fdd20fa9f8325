import { currentTexts } from "../base/texts.ts";

/** Options of {@link formatMoney}. */
export interface MoneyOptions {
  /** The code of ISO 4217. */
  readonly currency: string;
  /** The language whose separators count. @default that of the request */
  readonly language?: string;
}

/**
 * Parses an amount as people of a language write it, such as `1.234,50 €` in Portuguese. Where the separators
 * of the language give no amount, a comma or a dot before the decimals counts as well: keypads have one of them.
 */
export function parseMoney(
  text: string,
  { currency, language = currentLanguage() }: MoneyOptions,
): number {
  const { group, decimal, digits, symbols } = conventionsOf(language, currency);
  // Some languages write a minus sign of their own, and marks of direction.
  const plain = text.replace("\u2212", "-").replace(/[\u200e\u200f\u061c]/g, "");
  const bare = symbols.reduce((rest, symbol) => rest.replace(symbol, ""), plain)
    .replace(/^([+-]?)\s+/, "$1").trim();
  const [, sign = "", whole, fraction = ""] =
    new RegExp(`^([+-]?)(\\d+|\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3})(?:${decimal}(\\d*))?$`)
      .exec(bare) ??
      /^([+-]?)(\d+)(?:[.,](\d*))?$/.exec(bare) ?? [];
  if (whole === undefined || fraction.length > digits) return NaN;
  return Number(sign + whole.replace(/\D/g, "") + fraction.padEnd(digits, "0"));
}

/**
 * Writes an amount as the field `money` reads it in a form, without the currency.
 *
 * @param minorUnits Such as cents.
 * @returns The amount with all decimals of its currency.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatMoney } from "@fw/fw/addon";
 *
 * assertEquals(formatMoney(123_450, { currency: "EUR", language: "pt" }), "1234,50");
 * ```
 */
export function formatMoney(
  minorUnits: number | bigint,
  { currency, language = currentLanguage() }: MoneyOptions,
): string {
  const { digits } = conventionsOf(language, currency);
  const text = String(minorUnits).replace("-", "").padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const amount = digits === 0 ? whole : `${whole}.${text.slice(-digits)}`;
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    useGrouping: false,
  });
  // A string keeps all digits, where a number would be rounded.
  return format.format(`${minorUnits < 0 ? "-" : ""}${amount}` as unknown as number);
}

function currentLanguage(): string {
  return currentTexts()?.language ?? "en";
}

/** The notation of a currency's amounts in a language, as sources of regular expressions. */
interface Conventions {
  readonly group: string;
  readonly decimal: string;
  readonly digits: number;
  readonly symbols: readonly string[];
}

const known = new Map<string, Conventions>();

function conventionsOf(language: string, currency: string): Conventions {
  const key = `${language} ${currency}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  const parts = new Intl.NumberFormat(language).formatToParts(-1_234_567.8);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  const separator = part("group");
  const conventions: Conventions = {
    // Spaces and apostrophes have several spellings; everyone types the common one.
    group: /[.,]/.test(separator) ? `\\${separator}` : "[\\s'\u2019]",
    decimal: `\\${part("decimal")}`,
    digits: format.resolvedOptions().maximumFractionDigits ?? 2,
    symbols: [
      currency,
      format.formatToParts(1).find(({ type }) => type === "currency")?.value ?? "",
    ],
  };
  // Applications have few languages and currencies.
  if (known.size < 200) known.set(key, conventions);
  return conventions;
}
