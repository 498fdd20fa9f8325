import { key } from "@fw/fw";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CityEvent } from "./city_event.ts";
import { inTransaction } from "./database.ts";

/** Who is going, as `setup.ts` provides it: `use(c, Guests)`. */
export const Guests = key<Attendance>("attendance");

/** What became of "I am going": a seat, the seat that the visitor had already, or none. */
export type Joined = "going" | "already" | "full";

/** Gives seats to visitors: one each, and no more than there are. */
export class Attendance {
  readonly #db: DatabaseSync;
  readonly #onChange: () => void;
  readonly #statements: Readonly<
    Record<"find" | "add" | "remove" | "take" | "release", StatementSync>
  >;

  /**
   * Takes the database of the store, which closes it.
   *
   * @param onChange Called after each change. @default nothing
   */
  constructor(db: DatabaseSync, onChange: () => void = () => {}) {
    const one = "event_id = $event and visitor = $visitor";
    this.#db = db;
    this.#onChange = onChange;
    this.#statements = {
      find: db.prepare(`select 1 from attendees where ${one}`),
      add: db.prepare("insert into attendees (event_id, visitor) values ($event, $visitor)"),
      remove: db.prepare(`delete from attendees where ${one}`),
      take: db.prepare("update events set taken = taken + 1 where id = $event and taken < seats"),
      release: db.prepare("update events set taken = taken - 1 where id = $event and taken > 0"),
    };
  }

  /** Whether a visitor has a seat. */
  isGoing(event: CityEvent, visitor: string): boolean {
    return this.#statements.find.get({ event: event.id, visitor }) !== undefined;
  }

  /** Gives a visitor a seat. */
  join(event: CityEvent, visitor: string): Joined {
    if (this.isGoing(event, visitor)) return "already";
    let joined: Joined = "full";
    inTransaction(this.#db, () => {
      const { changes } = this.#statements.take.run({ event: event.id });
      if (changes === 0) return;
      this.#statements.add.run({ event: event.id, visitor });
      joined = "going";
    });
    if (joined !== "full") this.#onChange();
    return joined;
  }

  /** Takes the seat of a visitor back; tells whether there was one. */
  leave(event: CityEvent, visitor: string): boolean {
    let hadSeat = false;
    inTransaction(this.#db, () => {
      hadSeat = this.#statements.remove.run({ event: event.id, visitor }).changes !== 0;
      if (hadSeat) this.#statements.release.run({ event: event.id });
    });
    if (hadSeat) this.#onChange();
    return hadSeat;
  }
}
