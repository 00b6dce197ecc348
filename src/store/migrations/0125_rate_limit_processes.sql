-- The processes that share the rate limits. Each divides what it accepts between two reports by their number. As the limits
-- themselves, the table is worth nothing after a crash and is not logged.
create unlogged table rate_limit_processes (
  id text primary key,
  counted_at timestamptz not null,
  constraint rate_limit_process_id_is_short check (char_length(id) <= 100)
)
-- Updates then fit into the page of the row, and no index changes.
with (fillfactor = 50);

comment on table rate_limit_processes is 'One row per API process. One that has not counted for ten seconds is not counted.';
comment on column rate_limit_processes.counted_at is 'When the process last counted the processes.';
