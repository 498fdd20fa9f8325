import { type Application, key, provide, use } from "@fw/fw";
import { columns, contains, type Db, sql, TableStore } from "@fw/fw/data";
import { type Infer, int, struct, text } from "@fw/fw/schema";
import { Database } from "./database.ts";

const fields = {
  title: text("required,max=255"),
  seats: int("min=1").optional(),
};

/** What the form of an event takes. */
export const EventInput = struct(fields);
export type EventInput = Infer<typeof EventInput>;

/** An event as pages show it. */
export const EventRow = struct({ id: int(), ...fields });
export type EventRow = Infer<typeof EventRow>;

/** What a list may be asked for. */
export const EventQuery = struct({
  q: text("max=100").optional(),
  sort: text("oneof=newest oldest title -title")
    .optional(),
  // The key of a page, or "last".
  at: text("max=8000").optional(),
});
export type EventQuery = Infer<typeof EventQuery>;

/** The orders of a list: each has an index, alone and behind each filter. */
const orders = {
  newest: { id: [sql`t."id"`, "desc"] },
  oldest: { id: [sql`t."id"`, "asc"] },
  title: { title: [sql`t."title"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-title": { title: [sql`t."title"`, "desc"], id: [sql`t."id"`, "desc"] },
} as const;

const read = sql`
  select t."id", ${columns(EventInput, "t")}
  from "events" t
`;

/** The events, as `Setup` provides them: `use(c, Events)`. */
export const Events = key<EventStore>("events");

/** Provides the events of the database. */
export function openEvents(app: Application): void {
  // The pages flash messages, which travel in a signed cookie.
  if (app.env !== "dev" && app.config.secret === undefined) {
    app.log.warn("the messages of events are lost: set FW_SECRET to 32 random bytes or more");
  }
  provide(app, Events, new EventStore(use(app, Database)));
}

/** The name of an event in titles and links. */
export function eventTitle(row: EventRow): string {
  if (row.title) return row.title;
  return `#${row.id}`;
}

/** The events of a database: their lists, and the rows by id. */
export class EventStore extends TableStore<EventRow, EventInput, EventQuery> {
  constructor(db: Db) {
    super(db, {
      table: "events",
      rows: EventRow,
      input: EventInput,
      read,
      orders,
      matching: (query) => [
        query.q && contains("events", query.q),
      ],
    });
  }
}
