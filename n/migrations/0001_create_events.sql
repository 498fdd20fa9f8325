create table "events" (
  "id" integer primary key autoincrement,
  "added_at" integer not null default (unixepoch()),
  "title" text not null,
  "seats" integer
) strict;

create index "events_by_added_at" on "events" ("added_at");
-- Each order of a list, alone and behind each filter.
create index "events_by_title" on "events" ("title", "id");

-- Finds parts of words, whatever their case and accents.
create virtual table "events_search" using fts5 (
  "title",
  content = 'events', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
);
create trigger "events_added" after insert on "events" begin
  insert into "events_search" (rowid, "title")
  values (new."id", new."title");
end;
create trigger "events_removed" after delete on "events" begin
  insert into "events_search" ("events_search", rowid, "title")
  values ('delete', old."id", old."title");
end;
create trigger "events_changed" after update of "title" on "events" begin
  insert into "events_search" ("events_search", rowid, "title")
  values ('delete', old."id", old."title");
  insert into "events_search" (rowid, "title")
  values (new."id", new."title");
end;
