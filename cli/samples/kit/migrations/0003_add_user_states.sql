alter table users add column disabled integer not null default false;
-- Set only while an account is deleted, so that its history shows that.
alter table users add column deleted_at integer;
create index users_with_role on users (id) where role <> '';
create index users_disabled on users (id) where disabled;

-- Finds parts of words, whatever their case and accents.
create virtual table "users_search" using fts5 (
  "email", "name", "subject",
  content = 'users', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1'
);
insert into "users_search" ("users_search") values ('rebuild');
create trigger "users_added" after insert on "users" begin
  insert into "users_search" (rowid, "email", "name", "subject")
  values (new."id", new."email", new."name", new."subject");
end;
create trigger "users_removed" after delete on "users" begin
  insert into "users_search" ("users_search", rowid, "email", "name", "subject")
  values ('delete', old."id", old."email", old."name", old."subject");
end;
create trigger "users_changed" after update of "email", "name", "subject" on "users" begin
  insert into "users_search" ("users_search", rowid, "email", "name", "subject")
  values ('delete', old."id", old."email", old."name", old."subject");
  insert into "users_search" (rowid, "email", "name", "subject")
  values (new."id", new."email", new."name", new."subject");
end;

-- What administrators changed, who and when.
create table "users_changes" (
  "id" integer primary key autoincrement,
  "row_id" integer not null,
  "at" integer not null,
  "by" text,
  "act" text not null,
  "fields" text not null
) strict;
create index "users_changes_by_row_id" on "users_changes" ("row_id", "id");
