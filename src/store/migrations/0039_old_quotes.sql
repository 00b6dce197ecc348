-- A quote of which nothing came is kept for its zones, its distance and its prices; who was to get what where is not needed for that.
alter table quotes add column emptied_at timestamptz(3);

create index quotes_to_empty on quotes (expires_at) where used_at is null and emptied_at is null;

comment on column quotes.emptied_at is 'When people and streets were taken out of it. It can no longer be asked for anew.';
