import type { FieldErrors } from "@fw/fw";
import type { CityEvent } from "../city_event.ts";
import { toLocalText } from "../clock.ts";
import type { EventDesk } from "./desk.ts";
import { type EventForm, toWallClock } from "./form.ts";
import { formatTime } from "../format.ts";
import { shortDateIn } from "../messages.ts";
import { checkLanguage, checkWords } from "../page_words.ts";

const maxYearsAhead = 2;

/** What a form is checked against. */
export interface CheckedAgainst {
  readonly desk: EventDesk;
  /** The date and time in the city. */
  readonly now: Temporal.PlainDateTime;
  /** The event that is being changed; none for a new one. */
  readonly current: CityEvent | undefined;
}

/**
 * Checks a form against the other events and the clock, and adds what it finds to the messages of the
 * schema. Fields that the schema refused are left out, so that one answer names all that is wrong.
 *
 * @param form The fields that were accepted.
 * @param errors Gets the messages.
 */
export async function checkEvent(
  form: Partial<EventForm>,
  errors: FieldErrors,
  against: CheckedAgainst,
): Promise<void> {
  const { venue, starts, ends, seats } = form;
  const { desk, current } = against;
  if (venue !== undefined && !await desk.hasVenue(venue)) {
    errors.add("venue", checkWords.text(checkLanguage(), "venue"));
  }
  if (starts !== undefined) checkStart(toWallClock(starts), errors, against);
  if (seats !== undefined && current !== undefined && seats < current.taken) {
    errors.add("seats", checkWords.text(checkLanguage(), "taken", { taken: current.taken }));
  }
  if (venue === undefined || starts === undefined || ends === undefined) return;
  // Whatever is in the way of a time that has to change says nothing.
  if (errors.has("starts") || errors.has("ends")) return;
  const booking = { venue, startsAt: toWallClock(starts), endsAt: toWallClock(ends) };
  const clash = await desk.findClash(booking, current);
  if (clash === undefined) return;
  const taken = {
    title: clash.title,
    day: shortDateIn(checkLanguage(), Temporal.PlainDate.from(clash.startsAt.slice(0, 10))),
    from: formatTime(clash.startsAt),
    to: formatTime(clash.endsAt),
  };
  errors.add("venue", checkWords.text(checkLanguage(), "clash", taken));
}

function checkStart(
  startsAt: string,
  errors: FieldErrors,
  { now, current }: CheckedAgainst,
): void {
  // An event that has begun may still be corrected.
  if (startsAt === current?.startsAt) return;
  if (startsAt < toLocalText(now)) errors.add("starts", checkWords.text(checkLanguage(), "past"));
  if (startsAt > toLocalText(now.add({ years: maxYearsAhead }))) {
    errors.add("starts", checkWords.text(checkLanguage(), "ahead", { years: maxYearsAhead }));
  }
}
