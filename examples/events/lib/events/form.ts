import {
  bool,
  type Bound,
  type Ctx,
  date,
  fieldError,
  float,
  type Infer,
  int,
  struct,
  text,
  type Upload,
} from "@fw/fw";
import { isCategory } from "../categories.ts";
import type { CityEvent } from "../city_event.ts";
import type { EventDraft } from "./draft.ts";
import { checkLanguage, checkWords } from "../page_words.ts";

/** Maximum lengths of the fields, for the schema and the inputs. */
export const maxChars = { title: 80, summary: 160, story: 4_000 } as const;

/** The rules for the image of an event. */
export const photoRules = {
  optional: true,
  maxSizeBytes: 4 * 1024 * 1024,
  accept: ["image/jpeg", "image/png", "image/webp"],
} as const;

/** The maximum image size, for display. */
export const photoSize = "4 MiB";

/** Maximum duration of an event, in days. */
export const maxDays = 7;
const dayMs = 86_400_000;

/** The fields shared by the form and the partners' API. */
export const eventFields = {
  title: text(`required,max=${maxChars.title}`).check(refuseBlank),
  category: text("required").check((id) =>
    isCategory(id) ? undefined : checkWords.text(checkLanguage(), "category")
  ),
  summary: text(`required,max=${maxChars.summary}`).check(refuseBlank),
  story: text(`required,max=${maxChars.story}`).check(refuseBlank),
  venue: text("required"),
  // Optional, so that 0 counts as a value and gets the message of "min" instead of "required".
  seats: int("required,min=1,max=5000").optional(),
} as const;

/**
 * The form of an event. Each message continues the name of its field: "Title" "is required".
 * `checkEvent` checks conflicts with other events.
 */
export const EventForm = struct({
  ...eventFields,
  starts: date("required"),
  ends: date("required"),
  price: float("min=0,max=500").check((euros) =>
    isInCents(euros) ? undefined : checkWords.text(checkLanguage(), "decimals")
  ),
  removePhoto: bool(),
}).check(({ starts, ends }) => {
  if (ends <= starts) return fieldError("ends", checkWords.text(checkLanguage(), "afterStart"));
  return isWithinDays(starts, ends)
    ? undefined
    : fieldError("ends", checkWords.text(checkLanguage(), "maxDays", { days: maxDays }));
});

/** The value of a valid form. */
export type EventForm = Infer<typeof EventForm>;

/** A submitted form. */
export interface EventInput {
  /** The submitted text and the parsed values. */
  readonly bound: Bound<EventForm>;
  /** The image, if a valid one was chosen. */
  readonly upload: Upload | undefined;
}

/** Reads the form and its image; the errors of both are in `bound`. */
export async function readEventForm(c: Ctx): Promise<EventInput> {
  const bound = await c.tryBind(EventForm, { files: { photo: photoRules } });
  return { bound, upload: bound.files.photo };
}

/** Converts a valid form to a draft. */
export function toDraft(form: EventForm): EventDraft {
  const { category } = form;
  if (!isCategory(category)) throw new TypeError(`Cannot keep the category "${category}".`);
  return {
    title: inOneLine(form.title),
    summary: inOneLine(form.summary),
    // Browsers submit line breaks as CR LF.
    story: form.story.replace(/\r\n?/g, "\n").trim(),
    category,
    venue: form.venue,
    startsAt: toWallClock(form.starts),
    endsAt: toWallClock(form.ends),
    priceCents: Math.round(form.price * 100),
    seats: form.seats,
  };
}

/** Returns the texts of the form's fields for an event. */
export function textsOf(event: CityEvent): Record<Exclude<keyof EventForm, "removePhoto">, string> {
  const { title, category, summary, story, venue, startsAt, endsAt, priceCents, seats } = event;
  return {
    title,
    category,
    summary,
    story,
    venue: venue.slug,
    starts: startsAt,
    ends: endsAt,
    price: priceCents % 100 === 0 ? String(priceCents / 100) : (priceCents / 100).toFixed(2),
    seats: String(seats),
  };
}

/** Returns whether an event takes at most {@link maxDays}. */
export function isWithinDays(starts: Date, ends: Date): boolean {
  return ends.getTime() - starts.getTime() <= maxDays * dayMs;
}

/** Returns the text of an entered time: `date` reads the local time as UTC. */
export function toWallClock(time: Date): string {
  return time.toISOString().slice(0, 16);
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function refuseBlank(text: string): string | undefined {
  return text.trim() === "" ? checkWords.text(checkLanguage(), "required") : undefined;
}

function isInCents(euros: number): boolean {
  return Math.abs(euros * 100 - Math.round(euros * 100)) < 1e-6;
}
