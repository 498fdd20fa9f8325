import { type Ctx, notFound, use } from "@fw/fw";
import type { CityEvent, Photo } from "../city_event.ts";
import { Database } from "../database.ts";
import { checkEvent } from "./checks.ts";
import { Desk } from "./desk.ts";
import { type EventForm, type EventInput, toDraft } from "./form.ts";
import { Store } from "./store.ts";
import { publishSeats } from "../live_feed.ts";
import { Photos } from "../photo_files.ts";
import { pageWords } from "../page_words.ts";

/**
 * Checks a form against the data and, when nothing is wrong, keeps the event and its picture.
 *
 * @param input The form; it gets the messages.
 * @param slug The event to change. @default a new one
 * @returns The slug of the event, or `undefined` when there are messages.
 * @throws {NotFoundError} when the event to change is gone.
 */
export async function saveEvent(
  c: Ctx,
  { bound, upload }: EventInput,
  slug?: string,
): Promise<string | undefined> {
  const store = use(c, Store);
  const photos = use(c, Photos);
  const photo = bound.ok && upload !== undefined ? await photos.keep(upload) : undefined;
  let saved: Saved | undefined;
  try {
    // In one transaction: of two organisers who want one hall at the same moment, the second is told.
    saved = await use(c, Database).tx(async () => {
      const current = slug === undefined ? undefined : await findEvent(c, slug);
      await checkEvent(bound.value, bound.errors, {
        desk: use(c, Desk),
        now: store.now(),
        current,
      });
      if (!bound.ok || bound.errors.any()) return undefined;
      return await write(c, { form: bound.value, current, photo });
    });
  } finally {
    await photos.remove(saved === undefined ? photo : saved.oldPhoto);
  }
  if (saved?.changedId !== undefined) await publishSeats(c, saved.changedId);
  return saved?.slug;
}

/**
 * Finds the event of a slug.
 *
 * @throws {NotFoundError} when there is none.
 */
export async function findEvent(c: Ctx, slug: string): Promise<CityEvent> {
  const event = await use(c, Store).findBySlug(slug);
  if (event === undefined) throw notFound(c.t(pageWords, "noEvent"));
  return event;
}

/** Removes an event with its picture. */
export async function deleteEvent(c: Ctx, event: CityEvent): Promise<void> {
  await use(c, Desk).remove(event);
  await publishSeats(c, event.id);
  await use(c, Photos).remove(event.photo);
}

interface Saved {
  readonly slug: string;
  /** The picture that belongs to no event any more. */
  readonly oldPhoto: Photo | undefined;
  /** The event that open pages may show; `undefined` for a new one. */
  readonly changedId: number | undefined;
}

async function write(
  c: Ctx,
  { form, current, photo }: {
    readonly form: EventForm;
    readonly current: CityEvent | undefined;
    readonly photo: Photo | undefined;
  },
): Promise<Saved> {
  const desk = use(c, Desk);
  const draft = toDraft(form);
  if (current === undefined) {
    return { slug: await desk.add(draft, photo), oldPhoto: undefined, changedId: undefined };
  }
  const kept = form.removePhoto ? undefined : current.photo;
  const next = photo ?? kept;
  await desk.change(current, { draft, photo: next });
  const oldPhoto = next === current.photo ? undefined : current.photo;
  return { slug: current.slug, oldPhoto, changedId: current.id };
}
