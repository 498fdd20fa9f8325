create table "book_loans" (
  "id" integer primary key autoincrement,
  -- each field
  "headline" text not null,
  "remark" text,
  "story" text not null,
  "memo" text,
  "contact" text not null,
  "backup" text,
  "website" text not null,
  "mirror" text,
  "genre" text not null,
  "mood" text,
  "seats" integer not null,
  "spare" integer,
  "views" integer not null,
  "peak" integer,
  "price" real not null,
  "ratio" real,
  "lent" integer not null,
  "opens" text not null,
  "closes" text,
  "begins" text not null,
  "ends" text,
  "cover_name" text,
  "cover_type" text,
  "cover_hash" text,
  "scan_name" text,
  "scan_type" text,
  "scan_hash" text
  -- end
) strict;
-- if uploads

-- Apart from their rows, so that what reads a row does not pass over the bytes.
create table "book_loans_bytes" (
  "id" integer not null references "book_loans" ("id") on delete cascade,
  "field" text not null,
  "bytes" blob not null,
  primary key ("id", "field")
) strict;
-- end
