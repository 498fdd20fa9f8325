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

/** How much may be typed into each field, for the schema and for the inputs. */
export const maxChars = { title: 80, summary: 160, story: 4_000 } as const;

/** The picture of an event. */
export const photoRules = {
  optional: true,
  maxSizeBytes: 4 * 1024 * 1024,
  accept: ["image/jpeg", "image/png", "image/webp"],
} as const;

/** The size of a picture as people are told it. */
export const photoSize = "4 MiB";

/** How long an event may take, in days. */
export const maxDays = 7;
const dayMs = 86_400_000;

/** The fields that people type and partners send alike. */
export const eventFields = {
  title: text(`required,max=${maxChars.title}`).check(refuseBlank),
  category: text("required").check((id) =>
    isCategory(id) ? undefined : checkWords.text(checkLanguage(), "category")
  ),
  summary: text(`required,max=${maxChars.summary}`).check(refuseBlank),
  story: text(`required,max=${maxChars.story}`).check(refuseBlank),
  venue: text("required"),
  // Optional makes 0 a value like any other, with the message of "min" and not of "required".
  seats: int("required,min=1,max=5000").optional(),
} as const;

/**
 * The form of an event. Each message reads on from the name of its field: "Title" "is required". What
 * depends on other events is checked by `checkEvent`.
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

/** What the form gives when every field was accepted. */
export type EventForm = Infer<typeof EventForm>;

/** A form that came in. */
export interface EventInput {
  /** What was typed, and what could be read of it. */
  readonly bound: Bound<EventForm>;
  /** The picture, when a good one was chosen. */
  readonly upload: Upload | undefined;
}

/** Reads the form with its picture; the messages of both are in one place. */
export async function readEventForm(c: Ctx): Promise<EventInput> {
  const bound = await c.tryBind(EventForm, { files: { photo: photoRules } });
  return { bound, upload: bound.files.photo };
}

/** Turns an accepted form into what is kept. */
export function toDraft(form: EventForm): EventDraft {
  const { category } = form;
  if (!isCategory(category)) throw new TypeError(`Cannot keep the category "${category}".`);
  return {
    title: inOneLine(form.title),
    summary: inOneLine(form.summary),
    // Browsers send each line break as two characters.
    story: form.story.replace(/\r\n?/g, "\n").trim(),
    category,
    venue: form.venue,
    startsAt: toWallClock(form.starts),
    endsAt: toWallClock(form.ends),
    priceCents: Math.round(form.price * 100),
    seats: form.seats,
  };
}

/** What the fields of the form hold for an event. */
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

/** Whether an event takes no more than {@link maxDays}. */
export function isWithinDays(starts: Date, ends: Date): boolean {
  return ends.getTime() - starts.getTime() <= maxDays * dayMs;
}

/** The text of a time that was typed: `date` reads what the clock on the wall shows as UTC. */
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
