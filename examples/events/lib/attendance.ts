import { type Infer, int, key, struct, text } from "@fw/fw";
import { type Db, sql } from "@fw/fw/data";
import type { CityEvent } from "./city_event.ts";
import type { Guest } from "./guest_mails.ts";

/** The attendance provided by `setup.ts`: `use(c, Guests)`. */
export const Guests = key<Attendance>("attendance");

/** The result of "I am going": a new seat, an existing seat, or none. */
export type Joined = "going" | "already" | "full";

const MailedRow = struct({ email: text(), language: text() });
const GuestRow = struct({ visitor: text(), email: text().optional() });
/** A visitor with a seat, and the email address. */
export type GuestRow = Infer<typeof GuestRow>;
const ReminderRow = struct({ slug: text(), email: text(), language: text() });

/** Assigns seats to visitors: one each, up to the capacity. */
export class Attendance {
  readonly #db: Db;
  readonly #onChange: () => void;

  /** @param onChange Called after each change. @default nothing */
  constructor(db: Db, onChange: () => void = () => {}) {
    this.#db = db;
    this.#onChange = onChange;
  }

  /** Returns whether a visitor has a seat. */
  async isGoing({ id }: CityEvent, visitor: string): Promise<boolean> {
    const seat = sql`event_id = ${id} and visitor = ${visitor}`;
    return await this.#db.first(int())`select 1 from attendees where ${seat}` !== undefined;
  }

  /** Gives a visitor a seat. */
  async join(event: CityEvent, visitor: string): Promise<Joined> {
    const { id } = event;
    const joined = await this.#db.tx(async (): Promise<Joined> => {
      if (await this.isGoing(event, visitor)) return "already";
      const taken = await this.#db.run`
        update events set taken = taken + 1 where id = ${id} and taken < seats`;
      if (taken === 0) return "full";
      await this.#db.run`insert into attendees (event_id, visitor) values (${id}, ${visitor})`;
      return "going";
    });
    if (joined === "going") this.#onChange();
    return joined;
  }

  /** Releases the seat of a visitor; returns whether there was one. */
  async leave({ id }: CityEvent, visitor: string): Promise<boolean> {
    const hadSeat = await this.#db.tx(async () => {
      const removed = await this.#db.run`
        delete from attendees where event_id = ${id} and visitor = ${visitor}`;
      if (removed === 0) return false;
      await this.#db.run`update events set taken = taken - 1 where id = ${id} and taken > 0`;
      return true;
    });
    if (hadSeat) this.#onChange();
    return hadSeat;
  }

  /** Stores the email address of a visitor with a seat; returns whether there is a seat. */
  async mailTo({ id }: CityEvent, visitor: string, { email, language }: Guest): Promise<boolean> {
    return await this.#db.run`
      update attendees set email = ${email}, language = ${language}
      where event_id = ${id} and visitor = ${visitor}` === 1;
  }

  /** Returns the guests of a day's events who were not yet reminded, and marks them. */
  async takeUnreminded(day: Temporal.PlainDate): Promise<(Guest & { readonly slug: string })[]> {
    const [from, to] = [String(day), String(day.add({ days: 1 }))];
    const ofDay =
      sql`event_id in (select id from events where starts_at >= ${from} and starts_at < ${to})
      and email is not null and is_reminded = 0`;
    const guests = await this.#db.all(ReminderRow)`
      select e.slug, email, language from attendees join events e on e.id = event_id where ${ofDay}`;
    await this.#db.run`update attendees set is_reminded = 1 where ${ofDay}`;
    return guests;
  }

  /** Lists the visitors with a seat. */
  async list({ id }: CityEvent): Promise<readonly GuestRow[]> {
    return await this.#db.all(GuestRow)`
      select visitor, email from attendees where event_id = ${id} order by visitor`;
  }

  /** Lists the guests who want emails, each address once per language. */
  async listMailed(): Promise<readonly Guest[]> {
    return await this.#db.all(MailedRow)`-- scan: once a week
      select distinct email, language from attendees where email is not null`;
  }
}
