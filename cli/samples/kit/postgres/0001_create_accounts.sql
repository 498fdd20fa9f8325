create table users (
  id bigint generated always as identity primary key,
  email text not null unique,
  password text not null,
  name text not null default '',
  role text not null default '',
  version bigint not null default 1
);

create table password_links (
  token text primary key,
  email text not null,
  place integer not null,
  expires_at bigint not null,
  user_id bigint references users (id) on delete cascade
);
create unique index password_links_by_email on password_links (email, place);
create index password_links_by_user on password_links (user_id);

create table user_pictures (
  user_id bigint primary key references users (id) on delete cascade,
  type text not null,
  hash text not null,
  bytes bytea not null
);

create table known_browsers (
  token text primary key,
  user_id bigint not null references users (id) on delete cascade,
  expires_at bigint not null
);
create index known_browsers_by_user on known_browsers (user_id);
