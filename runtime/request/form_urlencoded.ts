import type { BodyLimits } from "../base/input.ts";
import { addField, invalidForm, overLimit, refuseName } from "./form_text.ts";

const AND = 0x26;

/**
 * Reads `application/x-www-form-urlencoded` (URL Standard, section 5.1), but refuses what its parser
 * would repair: an escape that is none, and bytes that are no UTF-8.
 *
 * @param text The body, decoded as UTF-8.
 * @param limits How many fields there may be, and how long their names.
 * @returns The values of every field, in order.
 * @throws {HttpError} 400 for a malformed escape, 413 over a limit.
 */
export function parseUrlencoded(text: string, limits: BodyLimits): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (let start = 0; start < text.length;) {
    let end = text.indexOf("&", start);
    if (end < 0) end = text.length;
    if (end > start) {
      if (++count > limits.maxFields) throw overLimit(`${limits.maxFields} fields`);
      const equals = text.indexOf("=", start);
      const hasValue = equals >= 0 && equals < end;
      const name = decode(text.slice(start, hasValue ? equals : end));
      refuseName(name, limits);
      addField(fields, name, hasValue ? decode(text.slice(equals + 1, end)) : "");
    }
    start = text.charCodeAt(end) === AND ? end + 1 : end;
  }
  return fields;
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalidForm("it has a malformed escape");
  }
}
