-- if search
create extension if not exists unaccent schema public;
create extension if not exists pg_trgm schema public;
create or replace function fw_plain(text) returns text language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent', $1)) $$;
-- end
create table "book_loans" (
  "id" bigint generated always as identity primary key,
  "added_at" bigint not null default (extract(epoch from now())::bigint),
  -- each field
  "headline" text not null,
  "remark" text,
  "story" text not null,
  "memo" text,
  "contact" text not null,
  "backup" text,
  "website" text not null,
  "mirror" text,
  "genre" text not null check ("genre" in ('novel', 'essay')),
  "mood" text check ("mood" in ('novel', 'essay')),
  "seats" bigint not null,
  "spare" bigint,
  "views" bigint not null,
  "peak" bigint,
  "price" double precision not null,
  "ratio" double precision,
  "fee" bigint not null,
  "fine" bigint,
  "lent" boolean not null,
  "opens" date not null,
  "closes" date,
  "begins" timestamptz not null,
  "ends" timestamptz,
  "reader_id" bigint not null references "users" ("id") on delete restrict,
  "cover_name" text,
  "cover_type" text,
  "cover_hash" text,
  "scan_name" text,
  "scan_type" text,
  "scan_hash" text
  -- end
);

create index "book_loans_by_added_at" on "book_loans" ("added_at");
-- if audit
alter table "book_loans" add column "deleted_at" timestamptz;
create index "book_loans_by_deleted_at" on "book_loans" ("deleted_at") where "deleted_at" is not null;
-- end
-- if narrowed
-- Each order of a list, alone and behind each filter.
-- end
create index "book_loans_by_headline" on "book_loans" ("headline", "id");
create index "book_loans_by_fee" on "book_loans" ("fee", "id");
create index "book_loans_by_opens" on "book_loans" ("opens", "id");
create index "book_loans_by_begins" on "book_loans" ("begins", "id");
create index "book_loans_by_reader_id" on "book_loans" ("reader_id", "id");
create index "book_loans_by_reader_id_and_headline" on "book_loans" ("reader_id", "headline", "id");
create index "book_loans_by_reader_id_and_fee" on "book_loans" ("reader_id", "fee", "id");
create index "book_loans_by_reader_id_and_opens" on "book_loans" ("reader_id", "opens", "id");
create index "book_loans_by_reader_id_and_begins" on "book_loans" ("reader_id", "begins", "id");
create index "book_loans_by_genre" on "book_loans" ("genre", "id");
create index "book_loans_by_genre_and_headline" on "book_loans" ("genre", "headline", "id");
create index "book_loans_by_genre_and_fee" on "book_loans" ("genre", "fee", "id");
create index "book_loans_by_genre_and_opens" on "book_loans" ("genre", "opens", "id");
create index "book_loans_by_genre_and_begins" on "book_loans" ("genre", "begins", "id");
create index "book_loans_by_mood" on "book_loans" ("mood", "id");
create index "book_loans_by_mood_and_headline" on "book_loans" ("mood", "headline", "id");
create index "book_loans_by_mood_and_fee" on "book_loans" ("mood", "fee", "id");
create index "book_loans_by_mood_and_opens" on "book_loans" ("mood", "opens", "id");
create index "book_loans_by_mood_and_begins" on "book_loans" ("mood", "begins", "id");
create index "book_loans_by_lent" on "book_loans" ("lent", "id");
create index "book_loans_by_lent_and_headline" on "book_loans" ("lent", "headline", "id");
create index "book_loans_by_lent_and_fee" on "book_loans" ("lent", "fee", "id");
create index "book_loans_by_lent_and_opens" on "book_loans" ("lent", "opens", "id");
create index "book_loans_by_lent_and_begins" on "book_loans" ("lent", "begins", "id");
-- if search

-- Finds parts of words, whatever their case and accents.
alter table "book_loans" add column "search" text generated always as (fw_plain(coalesce("headline", '') || e'\n' || coalesce("remark", '') || e'\n' || coalesce("story", '') || e'\n' || coalesce("memo", '') || e'\n' || coalesce("contact", '') || e'\n' || coalesce("backup", '') || e'\n' || coalesce("website", '') || e'\n' || coalesce("mirror", ''))) stored;
create index "book_loans_search" on "book_loans" using gin ("search" public.gin_trgm_ops);
-- end
-- if uploads

-- Apart from their rows, so that what reads a row does not pass over the bytes.
create table "book_loans_bytes" (
  "id" bigint not null references "book_loans" ("id") on delete cascade,
  "field" text not null,
  "bytes" bytea not null,
  primary key ("id", "field")
);
-- end
-- if audit

-- What was changed, by whom and when.
create table "book_loans_changes" (
  "id" bigint generated always as identity primary key,
  "row_id" bigint not null,
  "at" timestamptz not null,
  "by" text,
  "act" text not null,
  "fields" jsonb not null
);
create index "book_loans_changes_by_row_id" on "book_loans_changes" ("row_id", "id");
-- end
