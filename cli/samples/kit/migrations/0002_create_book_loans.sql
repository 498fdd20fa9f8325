create table "book_loans" (
  "id" integer primary key autoincrement,
  -- if page:
  "added_at" integer not null default (unixepoch()),
  -- if no page:
  "position" integer not null default 0,
  "headline" text not null,
  "remark" text,
  "story" text not null,
  "contact" text not null,
  "website" text not null,
  "genre" text not null check ("genre" in ('active', 'lost')),
  "mood" text check ("mood" in ('active', 'lost')),
  "seats" integer not null,
  "views" integer not null,
  "price" real not null,
  "fee" integer not null,
  "lent" integer not null,
  "opens" text not null,
  "closes" text,
  "begins" integer not null,
  "reader_id" integer not null references "users" ("id") on delete restrict,
  "cover_name" text,
  "cover_type" text,
  "cover_hash" text,
  "scan_name" text,
  "scan_type" text,
  "scan_hash" text
) strict;

-- if page:
create index "book_loans_by_added_at" on "book_loans" ("added_at");
-- if audit
alter table "book_loans" add column "deleted_at" integer;
create index "book_loans_by_deleted_at" on "book_loans" ("deleted_at") where "deleted_at" is not null;
-- end
-- if narrowed:
-- Each order of a list, alone and behind each filter.
create index "book_loans_by_headline" on "book_loans" ("headline", "id");
create index "book_loans_by_fee" on "book_loans" ("fee", "id");
create index "book_loans_by_reader_id" on "book_loans" ("reader_id", "id");
create index "book_loans_by_reader_id_and_headline" on "book_loans" ("reader_id", "headline", "id");
create index "book_loans_by_reader_id_and_fee" on "book_loans" ("reader_id", "fee", "id");
create index "book_loans_by_genre" on "book_loans" ("genre", "id");
create index "book_loans_by_genre_and_headline" on "book_loans" ("genre", "headline", "id");
create index "book_loans_by_genre_and_fee" on "book_loans" ("genre", "fee", "id");
create index "book_loans_by_mood" on "book_loans" ("mood", "id");
create index "book_loans_by_mood_and_headline" on "book_loans" ("mood", "headline", "id");
create index "book_loans_by_mood_and_fee" on "book_loans" ("mood", "fee", "id");
create index "book_loans_by_lent" on "book_loans" ("lent", "id");
create index "book_loans_by_lent_and_headline" on "book_loans" ("lent", "headline", "id");
create index "book_loans_by_lent_and_fee" on "book_loans" ("lent", "fee", "id");
create index "book_loans_by_no_closes" on "book_loans" ("closes", "id");
create index "book_loans_by_no_closes_and_headline" on "book_loans" ("closes", "headline", "id");
create index "book_loans_by_no_closes_and_fee" on "book_loans" ("closes", "fee", "id");
-- if search

-- Finds parts of words, whatever their case and accents.
create virtual table "book_loans_search" using fts5 (
  "headline", "remark", "story", "contact", "website",
  content = 'book_loans', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
);
create trigger "book_loans_added" after insert on "book_loans" begin
  insert into "book_loans_search" (rowid, "headline", "remark", "story", "contact", "website")
  values (new."id", new."headline", new."remark", new."story", new."contact", new."website");
end;
create trigger "book_loans_removed" after delete on "book_loans" begin
  insert into "book_loans_search" ("book_loans_search", rowid, "headline", "remark", "story", "contact", "website")
  values ('delete', old."id", old."headline", old."remark", old."story", old."contact", old."website");
end;
create trigger "book_loans_changed" after update of "headline", "remark", "story", "contact", "website" on "book_loans" begin
  insert into "book_loans_search" ("book_loans_search", rowid, "headline", "remark", "story", "contact", "website")
  values ('delete', old."id", old."headline", old."remark", old."story", old."contact", old."website");
  insert into "book_loans_search" (rowid, "headline", "remark", "story", "contact", "website")
  values (new."id", new."headline", new."remark", new."story", new."contact", new."website");
end;
-- end
-- if upload

-- Apart from their rows, so that what reads a row does not pass over the bytes.
create table "book_loans_bytes" (
  "id" integer not null references "book_loans" ("id") on delete cascade,
  "field" text not null,
  "bytes" blob not null,
  primary key ("id", "field")
) strict;
-- end
-- if audit

-- What was changed, by whom and when.
create table "book_loans_changes" (
  "id" integer primary key autoincrement,
  "row_id" integer not null,
  "at" integer not null,
  "by" text,
  "act" text not null,
  "fields" text not null
) strict;
create index "book_loans_changes_by_row_id" on "book_loans_changes" ("row_id", "id");
-- end
