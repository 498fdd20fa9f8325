create table "products" (
  "id" integer primary key autoincrement,
  "added_at" integer not null default (unixepoch()),
  "name" text not null,
  "status" text check ("status" in ('draft', 'active', 'archived')),
  "price" integer not null,
  "stock" integer not null,
  "released" text
) strict;

create index "products_by_added_at" on "products" ("added_at");
-- Each order of a list, alone and behind each filter.
create index "products_by_name" on "products" ("name", "id");
create index "products_by_price" on "products" ("price", "id");
create index "products_by_status" on "products" ("status", "id");
create index "products_by_status_and_name" on "products" ("status", "name", "id");
create index "products_by_status_and_price" on "products" ("status", "price", "id");

-- Finds parts of words, whatever their case and accents.
create virtual table "products_search" using fts5 (
  "name",
  content = 'products', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
);
create trigger "products_added" after insert on "products" begin
  insert into "products_search" (rowid, "name")
  values (new."id", new."name");
end;
create trigger "products_removed" after delete on "products" begin
  insert into "products_search" ("products_search", rowid, "name")
  values ('delete', old."id", old."name");
end;
create trigger "products_changed" after update of "name" on "products" begin
  insert into "products_search" ("products_search", rowid, "name")
  values ('delete', old."id", old."name");
  insert into "products_search" (rowid, "name")
  values (new."id", new."name");
end;
