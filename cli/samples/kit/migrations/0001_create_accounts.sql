create table users (
  id integer primary key autoincrement,
  email text not null unique collate nocase,
  password text not null,
  name text not null default '',
  role text not null default '',
  version integer not null default 1
) strict;

create table password_links (
  token text primary key,
  email text not null collate nocase,
  place integer not null,
  expires_at integer not null
) strict;
create unique index password_links_by_email on password_links (email, place);

create table known_browsers (
  token text primary key,
  user_id integer not null references users (id) on delete cascade,
  expires_at integer not null
) strict;
create index known_browsers_by_user on known_browsers (user_id);
