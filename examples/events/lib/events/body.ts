import { type Ctx, fieldError, FieldErrors, type Infer, int, struct, text, use } from "@fw/fw";
import { timeZone, toLocalText } from "../clock.ts";
import { Database } from "../database.ts";
import { checkEvent } from "./checks.ts";
import { Desk } from "./desk.ts";
import { eventFields, isWithinDays, maxDays, toDraft } from "./form.ts";
import { Store } from "./store.ts";
import { checkLanguage, checkWords } from "../page_words.ts";

/** An event sent by a partner: the fields of the form, with instants and cents as in the API. */
export const EventBody = struct({
  ...eventFields,
  starts_at: text("required").check(refuseNoInstant),
  ends_at: text("required").check(refuseNoInstant),
  price_cents: int("min=0,max=50000"),
}).check(({ starts_at, ends_at }) => {
  const [starts, ends] = [wallClockOf(starts_at), wallClockOf(ends_at)];
  if (starts === undefined || ends === undefined) return undefined;
  if (ends <= starts) return fieldError("ends_at", checkWords.text(checkLanguage(), "afterStart"));
  return isWithinDays(starts, ends)
    ? undefined
    : fieldError("ends_at", checkWords.text(checkLanguage(), "maxDays", { days: maxDays }));
});

/** The value of a valid body. */
export type EventBody = Infer<typeof EventBody>;

/** The fields with other names in the checks. */
const names: Readonly<Record<string, string>> = { starts: "starts_at", ends: "ends_at" };

/**
 * Adds an event.
 *
 * @returns Its slug.
 * @throws {FieldErrors} for conflicts with other events or times that are not allowed.
 */
export async function addFromBody(c: Ctx, body: EventBody): Promise<string> {
  const { starts_at, ends_at, price_cents, ...fields } = body;
  const [starts, ends] = [wallClockOf(starts_at), wallClockOf(ends_at)];
  if (starts === undefined || ends === undefined) throw new TypeError("Cannot read an instant.");
  const form = { ...fields, starts, ends, price: price_cents / 100, removePhoto: false };
  const desk = use(c, Desk);
  return await use(c, Database).tx(async () => {
    const found = new FieldErrors();
    await checkEvent(form, found, { desk, now: use(c, Store).now(), current: undefined });
    const errors = new FieldErrors();
    for (const [field, message] of found) errors.add(names[field] ?? field, message);
    if (errors.any()) throw errors;
    return await desk.add(toDraft(form), undefined);
  });
}

/** Returns the city's local time, as in the form; `undefined` if the text is not an instant. */
function wallClockOf(text: string): Date | undefined {
  try {
    const local = Temporal.Instant.from(text).toZonedDateTimeISO(timeZone).toPlainDateTime();
    return new Date(`${toLocalText(local)}Z`);
  } catch {
    return undefined;
  }
}

function refuseNoInstant(text: string): string | undefined {
  if (text.length <= 40 && wallClockOf(text) !== undefined) return undefined;
  return checkWords.text(checkLanguage(), "instant");
}
