create table "loans" (
  "id" integer primary key autoincrement,
  "added_at" integer not null default (unixepoch()),
  "name" text not null,
  "status" text check ("status" in ('draft', 'active', 'archived')),
  "price" integer not null,
  "stock" integer not null,
  "released" text,
  "event_id" integer not null references "events" ("id") on delete restrict,
  "notes" text,
  "photo_name" text,
  "photo_type" text,
  "photo_hash" text
) strict;

create index "loans_by_added_at" on "loans" ("added_at");
-- Each order of a list, alone and behind each filter.
create index "loans_by_name" on "loans" ("name", "id");
create index "loans_by_price" on "loans" ("price", "id");
create index "loans_by_event_id" on "loans" ("event_id", "id");
create index "loans_by_event_id_and_name" on "loans" ("event_id", "name", "id");
create index "loans_by_event_id_and_price" on "loans" ("event_id", "price", "id");
create index "loans_by_status" on "loans" ("status", "id");
create index "loans_by_status_and_name" on "loans" ("status", "name", "id");
create index "loans_by_status_and_price" on "loans" ("status", "price", "id");

-- Finds parts of words, whatever their case and accents.
create virtual table "loans_search" using fts5 (
  "name", "notes",
  content = 'loans', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
);
create trigger "loans_added" after insert on "loans" begin
  insert into "loans_search" (rowid, "name", "notes")
  values (new."id", new."name", new."notes");
end;
create trigger "loans_removed" after delete on "loans" begin
  insert into "loans_search" ("loans_search", rowid, "name", "notes")
  values ('delete', old."id", old."name", old."notes");
end;
create trigger "loans_changed" after update of "name", "notes" on "loans" begin
  insert into "loans_search" ("loans_search", rowid, "name", "notes")
  values ('delete', old."id", old."name", old."notes");
  insert into "loans_search" (rowid, "name", "notes")
  values (new."id", new."name", new."notes");
end;

-- Apart from their rows, so that what reads a row does not pass over the bytes.
create table "loans_bytes" (
  "id" integer not null references "loans" ("id") on delete cascade,
  "field" text not null,
  "bytes" blob not null,
  primary key ("id", "field")
) strict;
