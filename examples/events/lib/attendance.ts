import { int, key } from "@fw/fw";
import { type Db, sql } from "@fw/fw/data";
import type { CityEvent } from "./city_event.ts";

/** Who is going, as `setup.ts` provides it: `use(c, Guests)`. */
export const Guests = key<Attendance>("attendance");

/** What became of "I am going": a seat, the seat that the visitor had already, or none. */
export type Joined = "going" | "already" | "full";

/** Gives seats to visitors: one each, and no more than there are. */
export class Attendance {
  readonly #db: Db;
  readonly #onChange: () => void;

  /** @param onChange Called after each change. @default nothing */
  constructor(db: Db, onChange: () => void = () => {}) {
    this.#db = db;
    this.#onChange = onChange;
  }

  /** Whether a visitor has a seat. */
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

  /** Takes the seat of a visitor back; tells whether there was one. */
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
}
