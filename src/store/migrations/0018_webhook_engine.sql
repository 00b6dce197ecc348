-- How a receiver that failed is led back to full speed, and what the sweeps know of a delivery.
alter table webhook_endpoints
  add column ramp integer,
  add constraint endpoint_ramp_starts_at_1 check (ramp >= 1);

comment on column webhook_endpoints.ramp is 'How many sends at once it may get while it recovers; doubled by each success, null when only the usual cap holds.';
comment on column webhook_endpoints.paced_until is 'No paced delivery begins before this; null when nothing holds them back.';

-- Events, deliveries and attempts grow for ever, so they are kept in partitions by month that are dropped when they are
-- old: deleting that many rows would take longer than making them. Ids sort by time, so a range of ids is a range of
-- time, and the primary keys stay as they were. store/partitions.ts makes the months ahead; the default partition takes
-- what no month was made for, because a mutation must not fail for want of one.
create temporary table kept_events on commit drop as select * from webhook_events;
create temporary table kept_deliveries on commit drop as select * from webhook_deliveries;
create temporary table kept_attempts on commit drop as select * from webhook_attempts;

drop table webhook_attempts;
drop table webhook_deliveries;
drop table webhook_events;

create table webhook_events (
  merchant_id record_id not null,
  id record_id not null,
  kind text not null,
  resource_id text not null,
  -- The exact text that is signed and sent: jsonb would change its bytes.
  body text not null,
  is_test boolean not null default false,
  created_at timestamptz(3) not null,
  -- The feed of events is read by this key: ids sort by time.
  primary key (merchant_id, id)
) partition by range (id);

create table webhook_events_default partition of webhook_events default;

create index webhook_events_by_resource on webhook_events (merchant_id, resource_id);

comment on table webhook_events is 'A committed fact worth telling, in the bytes every delivery of it carries.';
comment on column webhook_events.is_test is 'A sample sent from the dashboard: not a fact, and not in the feed of events.';

create table webhook_deliveries (
  merchant_id record_id not null,
  -- An automatic one is named after its event and its endpoint, so that the key lets an event go to an endpoint once.
  id record_id not null,
  -- No foreign keys: the event may lie in a partition that is dropped before this row's, and one to the endpoint would
  -- lock its row in every mutation. Endpoints are never deleted.
  event_id record_id not null,
  endpoint_id record_id not null,
  status text not null,
  trigger text not null default 'automatic',
  replay_of record_id,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  is_paced boolean not null default true,
  lost_count integer not null default 0,
  lease_until timestamptz(3),
  leased_by text,
  lease_number integer not null default 0,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (merchant_id, id),
  constraint delivery_status_is_known check (status in ('pending', 'failed', 'succeeded', 'held', 'skipped')),
  constraint delivery_trigger_is_known check (trigger in ('automatic', 'replay', 'test')),
  constraint delivery_names_its_original_iff_replay check ((trigger = 'replay') = (replay_of is not null)),
  -- Spec 3: one attempt and six retries.
  constraint delivery_has_at_most_7_attempts check (attempt_count between 0 and 7),
  constraint delivery_is_untried_while_pending check (status <> 'pending' or attempt_count = 0),
  constraint delivery_was_tried_if_failed check (status <> 'failed' or attempt_count >= 1),
  constraint delivery_is_due_or_leased_while_pending check (
    status <> 'pending' or next_attempt_at is not null or lease_until is not null
  ),
  constraint delivery_is_scheduled_or_leased_only_while_pending_or_failed check (
    status in ('pending', 'failed') or (next_attempt_at is null and lease_until is null)
  ),
  constraint delivery_lease_has_an_owner check ((lease_until is null) = (leased_by is null)),
  constraint delivery_counts_are_not_negative check (lease_number >= 0 and lost_count >= 0),
  constraint delivery_is_completed_iff_nothing_is_left check (
    (completed_at is not null) = (
      status in ('succeeded', 'skipped')
      or (status = 'failed' and next_attempt_at is null and lease_until is null)
    )
  )
) partition by range (id);

create table webhook_deliveries_default partition of webhook_deliveries default;

-- The claim: what one endpoint is due, what its pace holds back apart from the rest. By id too, because all that an
-- endpoint was owed falls due in one moment when it is enabled, and the oldest goes first.
create index webhook_deliveries_that_are_scheduled on webhook_deliveries (
  merchant_id, endpoint_id, is_paced, next_attempt_at, id
)
where next_attempt_at is not null;

-- What is under way: it is counted against the caps, and swept when its worker died. There are never many.
create index webhook_deliveries_that_are_leased on webhook_deliveries (merchant_id, endpoint_id)
where lease_until is not null;

-- What enabling an endpoint resumes, and what it offers to replay.
create index webhook_deliveries_waiting_for_their_endpoint on webhook_deliveries (merchant_id, endpoint_id, id)
where status in ('held', 'skipped');

create index webhook_deliveries_that_replay on webhook_deliveries (merchant_id, replay_of)
where replay_of is not null;

comment on table webhook_deliveries is 'One event on its way to one endpoint. The row is the truth; a job is only a nudge to look at it.';
comment on column webhook_deliveries.status is 'pending: not yet tried. failed: its last attempt failed; a retry is due at next_attempt_at, or none is left. held: its endpoint was disabled while attempts were left. skipped: made while the endpoint was disabled.';
comment on column webhook_deliveries.is_paced is 'Whether it waits for its endpoint''s pace: a first attempt and what was held do, a retry keeps its own time.';
comment on column webhook_deliveries.lost_count is 'How many workers in a row died while they had it. At three it is put off, because it may be what kills them.';
comment on column webhook_deliveries.lease_number is 'Raised by each claim: a result is written only under the number it was claimed with, and is the attempt of that number.';

create table webhook_attempts (
  merchant_id record_id not null,
  delivery_id record_id not null,
  number integer not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  outcome text not null,
  http_status integer,
  error_code text,
  response_body text,
  dns_ms integer,
  connect_ms integer,
  tls_ms integer,
  first_byte_ms integer,
  duration_ms integer not null,
  is_reused boolean,
  url text not null,
  endpoint_epoch integer not null,
  primary key (merchant_id, delivery_id, number),
  constraint attempt_numbers_start_at_1 check (number >= 1),
  constraint attempt_finishes_after_it_starts check (finished_at >= started_at),
  constraint attempt_outcome_is_known check (outcome in ('succeeded', 'failed', 'aborted')),
  constraint attempt_http_status_has_three_digits check (http_status between 100 and 999),
  constraint attempt_succeeds_by_a_2xx_only check (
    outcome <> 'succeeded' or (http_status is not null and http_status between 200 and 299)
  ),
  constraint attempt_says_why_unless_it_succeeded check (
    outcome = 'succeeded' or http_status is not null or error_code is not null
  ),
  constraint attempt_response_body_is_at_most_4096_characters check (char_length(response_body) <= 4096),
  constraint attempt_times_are_not_negative check (least(dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms) >= 0)
) partition by range (delivery_id);

create table webhook_attempts_default partition of webhook_attempts default;

create trigger webhook_attempts_rows_never_change
before update or delete on webhook_attempts
for each row execute function refuse_change_of_attempt();

create trigger webhook_attempts_is_never_emptied
before truncate on webhook_attempts
for each statement execute function refuse_change();

alter table webhook_attempts enable always trigger webhook_attempts_rows_never_change;
alter table webhook_attempts enable always trigger webhook_attempts_is_never_emptied;

comment on table webhook_attempts is 'One try to send one delivery and how it ended. An aborted one was our own fault and uses up no retry.';
comment on column webhook_attempts.is_reused is 'Whether it went over a connection that an earlier one had opened; null when it got none.';

insert into webhook_events select * from kept_events;

insert into webhook_deliveries (
  merchant_id, id, event_id, endpoint_id, status, trigger, replay_of, attempt_count, next_attempt_at, is_paced,
  lease_until, leased_by, lease_number, created_at, completed_at
)
select
  merchant_id, id, event_id, endpoint_id, status, trigger, replay_of, attempt_count, next_attempt_at,
  trigger = 'automatic' and attempt_count = 0, lease_until,
  leased_by, lease_number, created_at, completed_at
from kept_deliveries;

insert into webhook_attempts (
  merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, error_code, response_body,
  duration_ms, url, endpoint_epoch
)
select
  merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, error_code, response_body,
  duration_ms, url, endpoint_epoch
from kept_attempts;
