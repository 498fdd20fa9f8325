-- An account signs in with a password, or as one subject of an identity provider. The label shows it
-- where other rows refer to it, to users who may not see its address.
create table users (
  id integer primary key autoincrement,
  provider text not null default '',
  subject text not null default '',
  email text not null collate nocase,
  password text not null,
  name text not null default '',
  role text not null default '',
  version integer not null default 1,
  label text generated always as (coalesce(
    nullif(name, ''),
    nullif(substr(email, 1, 1), '') || '…' || substr(email, instr(email, '@')),
    subject
  )) stored
) strict;
create unique index users_by_subject on users (provider, subject) where provider <> '';
-- Only these addresses sign in; a provider's users may have the same ones.
create unique index users_by_email on users (email) where provider = '';

-- The identity of a provider to which an account with a password is connected.
create table user_identities (
  user_id integer primary key references users (id) on delete cascade,
  provider text not null,
  subject text not null
) strict;
create unique index user_identities_by_subject on user_identities (provider, subject);

create table password_links (
  token text primary key,
  email text not null collate nocase,
  place integer not null,
  expires_at integer not null,
  user_id integer references users (id) on delete cascade
) strict;
create unique index password_links_by_email on password_links (email, place);
create index password_links_by_user on password_links (user_id);

create table user_pictures (
  user_id integer primary key references users (id) on delete cascade,
  type text not null,
  hash text not null,
  bytes blob not null
) strict;

create table known_browsers (
  token text primary key,
  user_id integer not null references users (id) on delete cascade,
  expires_at integer not null
) strict;
create index known_browsers_by_user on known_browsers (user_id);
