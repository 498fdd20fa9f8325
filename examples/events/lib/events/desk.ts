import { bool, type Infer, int, key, struct, text } from "@fw/fw";
import { columns, type Db, set, values } from "@fw/fw/data";
import type { CityEvent, Photo } from "../city_event.ts";
import type { EventDraft } from "./draft.ts";
import { slugOf } from "../slug.ts";

/** The event desk provided by `setup.ts` for the organisers' pages: `use(c, Desk)`. */
export const Desk = key<EventDesk>("event desk");

/** A venue and a time. */
export interface Booking {
  /** The slug of the venue. */
  readonly venue: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** An event that conflicts with a booking. */
const Clash = struct({ title: text(), startsAt: text(), endsAt: text() });
/** An event that conflicts with a booking. */
export type Clash = Infer<typeof Clash>;

const VenueChoice = struct({ slug: text(), name: text(), area: text() });
/** A venue in the choices of a form. */
export type VenueChoice = Infer<typeof VenueChoice>;

/** The columns that the desk writes. */
const NewEvent = struct({
  slug: text(),
  title: text(),
  summary: text(),
  story: text(),
  category: text(),
  venueId: int(),
  startsAt: text(),
  endsAt: text(),
  priceCents: int(),
  seats: int(),
  photoFile: text().optional(),
  photoType: text().optional(),
  photoVersion: text().optional(),
  isSample: bool(),
});

/** Maximum length of a slug, to keep URLs short. */
const maxSlugChars = 60;

/** Changes events. Run a check and the change that depends on it in one transaction. */
export class EventDesk {
  readonly #db: Db;
  readonly #onChange: () => void;

  /** @param onChange Called after each change. @default nothing */
  constructor(db: Db, onChange: () => void = () => {}) {
    this.#db = db;
    this.#onChange = onChange;
  }

  /** Lists all venues by name. */
  listVenues(): Promise<readonly VenueChoice[]> {
    return this.#db.all(VenueChoice)`
      -- scan: a city has few venues
      select ${VenueChoice} from venues order by name`;
  }

  /** Returns whether a venue exists. */
  async hasVenue(slug: string): Promise<boolean> {
    return await this.#db.first(int())`select 1 from venues where slug = ${slug}` !== undefined;
  }

  /**
   * Finds the first event that occupies the venue at that time.
   *
   * @param booking The venue and the time. An event that ends when another starts is no conflict.
   * @param current The event being changed, which does not conflict with itself.
   */
  findClash(booking: Booking, current?: CityEvent): Promise<Clash | undefined> {
    const { venue, startsAt, endsAt } = booking;
    return this.#db.first(Clash)`
      select ${columns(Clash, "e")} from events e join venues v on v.id = e.venue_id
      where v.slug = ${venue} and e.starts_at < ${endsAt} and e.ends_at > ${startsAt}
        and e.id <> ${current?.id ?? 0}
      order by e.starts_at limit 1`;
  }

  /**
   * Adds an event.
   *
   * @returns Its slug, created from the title, with a number if it is already used.
   */
  async add(draft: EventDraft, photo: Photo | undefined): Promise<string> {
    const { venue, ...fields } = draft;
    const slug = await this.#db.tx(async () => {
      const slug = await this.#freeSlug(draft.title);
      await this.#db.run`
        insert into events ${
        values(NewEvent, {
          ...fields,
          ...photoColumns(photo),
          slug,
          venueId: await this.#venueId(venue),
        })
      }`;
      return slug;
    });
    this.#onChange();
    return slug;
  }

  /** Changes an event. Its slug stays the same, so that no link breaks. */
  async change(
    event: CityEvent,
    to: { readonly draft: EventDraft; readonly photo: Photo | undefined },
  ): Promise<void> {
    const { venue, ...fields } = to.draft;
    const { title, summary, story } = fields;
    // A changed event is no longer a sample and keeps its day. Translations of changed texts are
    // removed.
    await this.#db.tx(async () => {
      const changes = {
        ...fields,
        ...photoColumns(to.photo),
        venueId: await this.#venueId(venue),
        isSample: false,
      };
      await this.#db.run`
        update events set ${set(NewEvent, changes)}, texts = case
          when title = ${title} and summary = ${summary} and story = ${story} then texts end
        where id = ${event.id}`;
    });
    this.#onChange();
  }

  /** Removes an event. */
  async remove({ id }: CityEvent): Promise<void> {
    await this.#db.run`delete from events where id = ${id}`;
    this.#onChange();
  }

  #venueId(slug: string): Promise<number> {
    return this.#db.one(int())`select id from venues where slug = ${slug}`;
  }

  async #freeSlug(title: string): Promise<string> {
    // A title may have no letters that are valid in a slug.
    const stem = slugOf(title).slice(0, maxSlugChars).replace(/-$/, "") || "event";
    for (let number = 1;; number++) {
      const slug = number === 1 ? stem : `${stem}-${number}`;
      const found = await this.#db.first(int())`select 1 from events where slug = ${slug}`;
      if (found === undefined) return slug;
    }
  }
}

function photoColumns(photo: Photo | undefined): {
  readonly photoFile: string | null;
  readonly photoType: string | null;
  readonly photoVersion: string | null;
} {
  return {
    photoFile: photo?.file ?? null,
    photoType: photo?.type ?? null,
    photoVersion: photo?.version ?? null,
  };
}
