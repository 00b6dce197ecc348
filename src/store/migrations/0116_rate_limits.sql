-- The shared state of the rate limits. It changes several times a second and is worth nothing after a crash, so it is not
-- logged: a commit does not wait for the disk, and a server that crashed starts with full quotas.
create unlogged table rate_limits (
  key text primary key,
  arrival_at timestamptz not null,
  constraint rate_limit_key_is_short check (char_length(key) <= 100)
)
-- Updates then fit into the page of the row, and no index changes.
with (fillfactor = 50);

comment on table rate_limits is 'One row per limited key: class and token, or class and merchant. A key without a row has its whole quota.';
comment on column rate_limits.arrival_at is 'When the whole quota is available again, by the clock of the database (GCRA).';
