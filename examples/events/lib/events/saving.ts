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
 * Checks a form against the data and, if there are no errors, stores the event and its image.
 *
 * @param input The form, to which error messages are added.
 * @param slug The event to change. @default a new one
 * @returns The slug of the event, or `undefined` if there are errors.
 * @throws {NotFoundError} if the event to change no longer exists.
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
    // In one transaction, so that if two organisers book a hall at once, the second gets an error.
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
 * Finds the event with a slug.
 *
 * @throws {NotFoundError} if it does not exist.
 */
export async function findEvent(c: Ctx, slug: string): Promise<CityEvent> {
  const event = await use(c, Store).findBySlug(slug);
  if (event === undefined) throw notFound(c.t(pageWords, "noEvent"));
  return event;
}

/** Removes an event and its image. */
export async function deleteEvent(c: Ctx, event: CityEvent): Promise<void> {
  await use(c, Desk).remove(event);
  await publishSeats(c, event.id);
  await use(c, Photos).remove(event.photo);
}

interface Saved {
  readonly slug: string;
  /** The image that the event no longer uses. */
  readonly oldPhoto: Photo | undefined;
  /** The id of an event that open pages may show; `undefined` for a new one. */
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
