import { key } from "@fw/fw";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CityEvent, Photo, Venue } from "../city_event.ts";
import type { EventDraft } from "./draft.ts";
import { textIn } from "./row.ts";
import { slugOf } from "../slug.ts";

/** The desk, as `setup.ts` provides it and the organisers' pages use it: `use(c, Desk)`. */
export const Desk = key<EventDesk>("event desk");

/** A venue for a time. */
export interface Booking {
  /** The slug of the venue. */
  readonly venue: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** What is in the way of a booking. */
export interface Clash {
  readonly title: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** Where a slug is cut, so that URLs stay short. */
const maxSlugChars = 60;

/** Changes events. Everything here is done when it returns: nothing comes between two calls. */
export class EventDesk {
  readonly #statements: Statements;
  readonly #onChange: () => void;

  /**
   * Takes the database of the store, which closes it.
   *
   * @param onChange Called after each change. @default nothing
   */
  constructor(db: DatabaseSync, onChange: () => void = () => {}) {
    this.#statements = prepareAll(db);
    this.#onChange = onChange;
  }

  /** All venues, by name. */
  listVenues(): readonly Pick<Venue, "slug" | "name" | "area">[] {
    return this.#statements.venues.all().map((row) => ({
      slug: textIn(row, "slug"),
      name: textIn(row, "name"),
      area: textIn(row, "area"),
    }));
  }

  /** Whether there is such a venue. */
  hasVenue(slug: string): boolean {
    return this.#statements.venue.get({ slug }) !== undefined;
  }

  /**
   * Finds the first event that has the venue at that time.
   *
   * @param booking The venue and the time. What ends when another starts is not in its way.
   * @param current The event that is being changed: it is never in its own way.
   */
  findClash(booking: Booking, current?: CityEvent): Clash | undefined {
    const { venue, startsAt, endsAt } = booking;
    const row = this.#statements.clash.get({ venue, startsAt, endsAt, id: current?.id ?? 0 });
    return row === undefined ? undefined : {
      title: textIn(row, "title"),
      startsAt: textIn(row, "starts_at"),
      endsAt: textIn(row, "ends_at"),
    };
  }

  /**
   * Adds an event.
   *
   * @returns Its slug, made from the title; a number behind it makes it free.
   */
  add(draft: EventDraft, photo: Photo | undefined): string {
    const slug = this.#freeSlug(draft.title);
    this.#statements.add.run({ ...toColumns(draft, photo), slug });
    this.#onChange();
    return slug;
  }

  /** Changes an event. Its slug stays, so that no link breaks. */
  change(
    event: CityEvent,
    to: { readonly draft: EventDraft; readonly photo: Photo | undefined },
  ): void {
    this.#statements.change.run({ ...toColumns(to.draft, to.photo), id: event.id });
    this.#onChange();
  }

  /** Removes an event. */
  remove(event: CityEvent): void {
    this.#statements.remove.run({ id: event.id });
    this.#onChange();
  }

  #freeSlug(title: string): string {
    // A title may have no letter that a slug keeps.
    const stem = slugOf(title).slice(0, maxSlugChars).replace(/-$/, "") || "event";
    for (let number = 1;; number++) {
      const slug = number === 1 ? stem : `${stem}-${number}`;
      if (this.#statements.slug.get({ slug }) === undefined) return slug;
    }
  }
}

function toColumns(
  draft: EventDraft,
  photo: Photo | undefined,
): Record<string, string | number | null> {
  return {
    ...draft,
    photoFile: photo?.file ?? null,
    photoType: photo?.type ?? null,
    photoVersion: photo?.version ?? null,
  };
}

type Statements = Readonly<
  Record<
    "venues" | "venue" | "clash" | "slug" | "add" | "change" | "remove",
    StatementSync
  >
>;

function prepareAll(db: DatabaseSync): Statements {
  const prepare = (sql: string): StatementSync => db.prepare(sql);
  return {
    venues: prepare("select slug, name, area from venues order by name"),
    venue: prepare("select 1 from venues where slug = $slug"),
    clash: prepare(
      `select e.title, e.starts_at, e.ends_at from events e join venues v on v.id = e.venue_id
       where v.slug = $venue and e.starts_at < $endsAt and e.ends_at > $startsAt and e.id <> $id
       order by e.starts_at limit 1`,
    ),
    slug: prepare("select 1 from events where slug = $slug"),
    add: prepare(
      `insert into events (slug, title, summary, story, category, venue_id, starts_at, ends_at,
         price_cents, seats, photo_file, photo_type, photo_version)
       values ($slug, $title, $summary, $story, $category,
         (select id from venues where slug = $venue), $startsAt, $endsAt,
         $priceCents, $seats, $photoFile, $photoType, $photoVersion)`,
    ),
    // An event that an organiser has changed is no sample any more and keeps its day. Its translations go
    // with the texts that they translate.
    change: prepare(
      `update events set title = $title, summary = $summary, story = $story,
         category = $category, venue_id = (select id from venues where slug = $venue),
         starts_at = $startsAt, ends_at = $endsAt, price_cents = $priceCents, seats = $seats,
         photo_file = $photoFile, photo_type = $photoType, photo_version = $photoVersion,
         is_sample = 0,
         texts = case when title = $title and summary = $summary and story = $story then texts end
       where id = $id`,
    ),
    remove: prepare("delete from events where id = $id"),
  };
}
