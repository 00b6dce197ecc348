-- Deliveries sent once more, many at a time: which were asked for, and how far it has come.
create table webhook_bulk_replays (
  merchant_id record_id not null,
  id record_id not null,
  endpoint_id record_id not null,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  statuses text[] not null,
  status text not null default 'running',
  last_delivery_id record_id,
  queued integer not null default 0,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (merchant_id, id),
  constraint bulk_replay_is_of_an_endpoint foreign key (merchant_id, endpoint_id) references webhook_endpoints (
    merchant_id, id
  ),
  constraint bulk_replay_status_is_known check (status in ('running', 'done', 'cancelled')),
  constraint bulk_replay_ends_after_it_begins check (until > since),
  constraint bulk_replay_repeats_what_is_over check (
    cardinality(statuses) > 0 and statuses <@ array['failed', 'skipped', 'succeeded']
  ),
  constraint bulk_replay_queues_no_fewer_than_none check (queued >= 0),
  constraint bulk_replay_is_completed_unless_running check ((status = 'running') = (completed_at is null))
);

-- Two at once would send the same event twice. It is also what the pulse looks into.
create unique index webhook_bulk_replays_that_run on webhook_bulk_replays (merchant_id, endpoint_id)
where status = 'running';

comment on table webhook_bulk_replays is 'A wish to send once more what an endpoint did not get in some time. Its deliveries are queued a few at a time.';
comment on column webhook_bulk_replays.last_delivery_id is 'How far it has come: every original up to this one was looked at, in the order of ids, which is that of time.';
comment on column webhook_bulk_replays.queued is 'How many deliveries it has made so far.';

alter table webhook_deliveries
  add column bulk_replay_id record_id,
  add constraint delivery_of_a_bulk_replay_is_a_replay check (bulk_replay_id is null or trigger = 'replay');

-- With the status, so that what still waits of one is counted without what is behind it, and its progress without its rows.
create index webhook_deliveries_of_bulk_replays on webhook_deliveries (merchant_id, bulk_replay_id, status)
where bulk_replay_id is not null;

-- Statistics are mostly gathered while nothing waits. They would say that the partial indexes by these columns hold nothing,
-- and PostgreSQL would rather read all deliveries of a merchant; store/partitions.ts does the same for each month.
alter table webhook_deliveries
alter column status set statistics 0,
alter column next_attempt_at set statistics 0,
alter column lease_until set statistics 0,
alter column replay_of set statistics 0,
alter column bulk_replay_id set statistics 0;
