import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The versions of the schema: opening a database runs those that it has not seen. Add to the end;
 * never change one that has been released.
 */
const migrations: readonly string[] = [
  `
  create table meta (
    name text primary key,
    value text not null
  ) strict;

  create table venues (
    id integer primary key,
    slug text not null unique,
    name text not null,
    address text not null,
    area text not null,
    note text not null
  ) strict;

  create table events (
    id integer primary key,
    slug text not null unique,
    title text not null,
    summary text not null,
    story text not null,
    category text not null,
    venue_id integer not null references venues (id),
    starts_at text not null,
    ends_at text not null check (ends_at > starts_at),
    price_cents integer not null default 0 check (price_cents >= 0),
    seats integer not null check (seats > 0),
    taken integer not null default 0 check (taken between 0 and seats),
    is_featured integer not null default 0,
    is_sample integer not null default 0
  ) strict;

  create index events_by_start on events (starts_at, id);
  create index events_by_category on events (category, starts_at);

  create virtual table event_search using fts5 (
    title, summary, story, place, category,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  );

  create trigger events_inserted after insert on events begin
    insert into event_search (rowid, title, summary, story, place, category)
    select new.id, new.title, new.summary, new.story, name || ' ' || area, new.category
    from venues where id = new.venue_id;
  end;

  create trigger events_deleted after delete on events begin
    delete from event_search where rowid = old.id;
  end;

  create trigger events_updated
  after update of title, summary, story, category, venue_id on events begin
    delete from event_search where rowid = old.id;
    insert into event_search (rowid, title, summary, story, place, category)
    select new.id, new.title, new.summary, new.story, name || ' ' || area, new.category
    from venues where id = new.venue_id;
  end;
  `,
  `
  alter table events add column photo_file text;
  alter table events add column photo_type text;
  alter table events add column photo_version text;

  create index events_by_venue on events (venue_id, starts_at);
  `,
  `
  create table attendees (
    event_id integer not null references events (id) on delete cascade,
    visitor text not null,
    primary key (event_id, visitor)
  ) strict, without rowid;
  `,
  `
  create table organisers (
    id integer primary key,
    email text not null unique collate nocase,
    password text not null,
    role text not null check (role in ('organiser', 'admin'))
  ) strict;
  `,
  `
  -- The ids of a list are found by this index alone, without reading an event.
  drop index events_by_start;
  create index events_by_start on events (starts_at, id, ends_at, category, price_cents);
  create index events_by_end on events (ends_at);
  `,
  `
  -- The title, summary and story in other languages: {"pt-PT": {"title": …}}. A search finds them too.
  alter table events add column texts text;

  drop trigger events_inserted;
  drop trigger events_updated;

  create trigger events_inserted after insert on events begin
    insert into event_search (rowid, title, summary, story, place, category)
    select new.id,
      concat(new.title, (select group_concat(' ' || (value ->> 'title'), '') from json_each(new.texts))),
      concat(new.summary, (select group_concat(' ' || (value ->> 'summary'), '') from json_each(new.texts))),
      concat(new.story, (select group_concat(' ' || (value ->> 'story'), '') from json_each(new.texts))),
      name || ' ' || area, new.category
    from venues where id = new.venue_id;
  end;

  create trigger events_updated
  after update of title, summary, story, texts, category, venue_id on events begin
    delete from event_search where rowid = old.id;
    insert into event_search (rowid, title, summary, story, place, category)
    select new.id,
      concat(new.title, (select group_concat(' ' || (value ->> 'title'), '') from json_each(new.texts))),
      concat(new.summary, (select group_concat(' ' || (value ->> 'summary'), '') from json_each(new.texts))),
      concat(new.story, (select group_concat(' ' || (value ->> 'story'), '') from json_each(new.texts))),
      name || ' ' || area, new.category
    from venues where id = new.venue_id;
  end;
  `,
  `
  -- The note in other languages: {"pt-PT": "…"}.
  alter table venues add column notes text;
  `,
];

/**
 * Opens the database, makes its folder when it is missing, and brings the schema up to date.
 *
 * @param path A file, or `:memory:`.
 * @param options `isDurable`: whether what was committed survives a crash; without it nothing waits for the
 * disk and the journal is in memory, as tests want it.
 * @default true
 */
export function openDatabase(
  path: string,
  { isDurable = true }: { readonly isDurable?: boolean } = {},
): DatabaseSync {
  if (path !== ":memory:") Deno.mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  // The wait first: of two processes that start at once the second waits for the first.
  const journal = isDurable
    ? "journal_mode = wal"
    : "synchronous = off; pragma journal_mode = memory";
  db.exec(`pragma busy_timeout = 5000; pragma ${journal}; pragma foreign_keys = on`);
  inTransaction(db, () => migrate(db));
  return db;
}

function migrate(db: DatabaseSync): void {
  const seen = Number(db.prepare("pragma user_version").get()?.["user_version"] ?? 0);
  for (const [index, migration] of migrations.entries()) {
    if (index >= seen) db.exec(`${migration}; pragma user_version = ${index + 1}`);
  }
}

/** Runs a change as a whole: when it throws, nothing of it stays. */
export function inTransaction(db: DatabaseSync, change: () => void): void {
  db.exec("begin immediate");
  try {
    change();
    db.exec("commit");
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}
