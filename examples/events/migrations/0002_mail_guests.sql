-- Where a guest wants mails, in which language, and whether the reminder is on its way.
alter table attendees add column email text;
alter table attendees add column language text;
alter table attendees add column is_reminded integer not null default 0;
create index attendees_by_email on attendees (email, language) where email is not null;
