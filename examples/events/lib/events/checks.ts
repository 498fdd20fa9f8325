import type { FieldErrors } from "@fw/fw";
import type { CityEvent } from "../city_event.ts";
import { toLocalText } from "../clock.ts";
import type { EventDesk } from "./desk.ts";
import { type EventForm, toWallClock } from "./form.ts";
import { formatTime } from "../format.ts";
import { shortDateIn } from "../messages.ts";
import { checkLanguage, checkWords } from "../page_words.ts";

const maxYearsAhead = 2;

/** The data against which a form is checked. */
export interface CheckedAgainst {
  readonly desk: EventDesk;
  /** The date and time in the city. */
  readonly now: Temporal.PlainDateTime;
  /** The event being changed; `undefined` for a new one. */
  readonly current: CityEvent | undefined;
}

/**
 * Checks a form against the other events and the clock, and adds the errors to those of the schema,
 * so that one response names all of them. Fields refused by the schema are skipped.
 *
 * @param form The accepted fields.
 * @param errors Receives the messages.
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
  // A conflict at a time that must change anyway is irrelevant.
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
  // An event that has started may still be corrected.
  if (startsAt === current?.startsAt) return;
  if (startsAt < toLocalText(now)) errors.add("starts", checkWords.text(checkLanguage(), "past"));
  if (startsAt > toLocalText(now.add({ years: maxYearsAhead }))) {
    errors.add("starts", checkWords.text(checkLanguage(), "ahead", { years: maxYearsAhead }));
  }
}
