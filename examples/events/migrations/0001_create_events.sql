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
  note text not null,
  -- The note in other languages: {"pt-PT": "…"}.
  notes text
) strict;

-- Times are texts such as 2026-05-14T19:30, on the clocks of the city.
create table events (
  id integer primary key,
  slug text not null unique,
  title text not null,
  summary text not null,
  story text not null,
  -- The title, summary and story in other languages: {"pt-PT": {"title": …}}. A search finds them too.
  texts text,
  category text not null,
  venue_id integer not null references venues (id),
  starts_at text not null,
  ends_at text not null check (ends_at > starts_at),
  price_cents integer not null default 0 check (price_cents >= 0),
  seats integer not null check (seats > 0),
  taken integer not null default 0 check (taken between 0 and seats),
  photo_file text,
  photo_type text,
  photo_version text,
  is_featured integer not null default 0,
  is_sample integer not null default 0
) strict;

create index events_by_start on events (starts_at, id, ends_at, category, price_cents);
create index events_by_end on events (ends_at);
create index events_by_category on events (category, starts_at, id);
create index events_by_venue on events (venue_id, starts_at);

create virtual table event_search using fts5 (
  title, summary, story, place, category,
  content = '', contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

create trigger events_inserted after insert on events begin
  insert into event_search (rowid, title, summary, story, place, category)
  select new.id,
    concat(new.title, (select group_concat(' ' || (value ->> 'title'), '') from json_each(new.texts))),
    concat(new.summary, (select group_concat(' ' || (value ->> 'summary'), '') from json_each(new.texts))),
    concat(new.story, (select group_concat(' ' || (value ->> 'story'), '') from json_each(new.texts))),
    name || ' ' || area, new.category
  from venues where id = new.venue_id;
end;

create trigger events_deleted after delete on events begin
  delete from event_search where rowid = old.id;
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

create table attendees (
  event_id integer not null references events (id) on delete cascade,
  visitor text not null,
  primary key (event_id, visitor)
) strict, without rowid;

create table organisers (
  id integer primary key,
  email text not null unique collate nocase,
  password text not null,
  role text not null check (role in ('organiser', 'admin'))
) strict;
