create table webhook_endpoints (
  merchant_id record_id not null,
  id record_id not null,
  url text not null,
  description text not null default '',
  status text not null default 'enabled',
  disabled_reason text,
  disabled_at timestamptz(3),
  consecutive_failures integer not null default 0,
  epoch integer not null default 1,
  paced_until timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint endpoint_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint endpoint_url_is_at_most_2000_characters check (char_length(url) between 1 and 2000),
  constraint endpoint_status_is_known check (status in ('enabled', 'disabled')),
  constraint endpoint_disabling_has_a_reason check ((status = 'disabled') = (disabled_reason is not null)),
  constraint endpoint_disabling_has_a_time check ((status = 'disabled') = (disabled_at is not null)),
  constraint endpoint_is_disabled_once_deleted check (deleted_at is null or status = 'disabled'),
  constraint endpoint_failures_are_not_negative check (consecutive_failures >= 0),
  constraint endpoint_epoch_starts_at_1 check (epoch >= 1)
);

comment on table webhook_endpoints is 'A URL a merchant wants events sent to, and how its receiver has been doing.';
comment on column webhook_endpoints.epoch is 'Raised by enabling, a new URL and a new secret: an attempt begun before then does not move consecutive_failures.';
comment on column webhook_endpoints.paced_until is 'No automatic attempt begins before this; null when nothing holds them back.';
comment on column webhook_endpoints.deleted_at is 'The row stays, because its deliveries and attempts are history.';

create table webhook_secrets (
  merchant_id record_id not null,
  endpoint_id record_id not null,
  id record_id not null,
  secret text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  primary key (merchant_id, endpoint_id, id),
  constraint secret_belongs_to_endpoint foreign key (merchant_id, endpoint_id) references webhook_endpoints (merchant_id, id) on delete cascade,
  constraint secret_says_what_it_is check (secret like 'whsec\_%')
);

create unique index endpoint_has_one_current_secret on webhook_secrets (merchant_id, endpoint_id)
where expires_at is null;

comment on table webhook_secrets is 'A signing secret of an endpoint: the current one, or the one before it until it expires.';

create table webhook_subscriptions (
  merchant_id record_id not null,
  kind text collate "C" not null,
  endpoint_id record_id not null,
  -- In this order because each mutation asks: who of this merchant wants this kind?
  primary key (merchant_id, kind, endpoint_id),
  constraint subscription_belongs_to_endpoint foreign key (merchant_id, endpoint_id) references webhook_endpoints (merchant_id, id) on delete cascade
);

comment on table webhook_subscriptions is 'One kind of event one endpoint wants.';

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
);

comment on table webhook_events is 'A committed fact worth telling, in the bytes every delivery of it carries.';
comment on column webhook_events.is_test is 'A sample sent from the dashboard: not a fact, and not in the feed of events.';

create table webhook_deliveries (
  merchant_id record_id not null,
  id record_id not null,
  event_id record_id not null,
  -- No foreign key: it would lock the endpoint's row in every mutation. Endpoints are never deleted.
  endpoint_id record_id not null,
  status text not null,
  trigger text not null default 'automatic',
  replay_of record_id,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  lease_until timestamptz(3),
  leased_by text,
  lease_number integer not null default 0,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (merchant_id, id),
  constraint delivery_is_of_an_event foreign key (merchant_id, event_id) references webhook_events (merchant_id, id),
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
  constraint delivery_is_scheduled_only_while_pending_or_failed check (
    next_attempt_at is null or status in ('pending', 'failed')
  ),
  constraint delivery_is_leased_only_while_pending_or_failed check (
    lease_until is null or status in ('pending', 'failed')
  ),
  constraint delivery_lease_has_an_owner check ((lease_until is null) = (leased_by is null)),
  constraint delivery_lease_number_is_not_negative check (lease_number >= 0),
  constraint delivery_is_completed_iff_nothing_is_left check (
    (completed_at is not null) = (
      status in ('succeeded', 'skipped')
      or (status = 'failed' and next_attempt_at is null and lease_until is null)
    )
  )
);

create unique index event_is_delivered_once_per_endpoint on webhook_deliveries (merchant_id, event_id, endpoint_id)
where trigger = 'automatic';

-- The claim: what one endpoint is due.
create index webhook_deliveries_by_endpoint on webhook_deliveries (merchant_id, endpoint_id, next_attempt_at)
where next_attempt_at is not null;

-- The sweeps, over all merchants: what is due, and what a dead worker still holds.
create index webhook_deliveries_that_are_due on webhook_deliveries (next_attempt_at)
where next_attempt_at is not null;

create index webhook_deliveries_that_are_leased on webhook_deliveries (lease_until)
where lease_until is not null;

-- What enabling an endpoint resumes, and what it offers to replay.
create index webhook_deliveries_waiting_for_their_endpoint on webhook_deliveries (merchant_id, endpoint_id, id)
where status in ('held', 'skipped');

create index webhook_deliveries_that_replay on webhook_deliveries (merchant_id, replay_of)
where replay_of is not null;

comment on table webhook_deliveries is 'One event on its way to one endpoint. The row is the truth; a job is only a nudge to look at it.';
comment on column webhook_deliveries.status is 'pending: not yet tried. failed: its last attempt failed; a retry is due at next_attempt_at, or none is left. held: its endpoint was disabled while attempts were left. skipped: made while the endpoint was disabled.';
comment on column webhook_deliveries.lease_number is 'Raised by each claim: a result is written only under the number it was claimed with.';

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
  duration_ms integer not null,
  url text not null,
  endpoint_epoch integer not null,
  primary key (merchant_id, delivery_id, number),
  constraint attempt_is_of_a_delivery foreign key (merchant_id, delivery_id) references webhook_deliveries (merchant_id, id),
  constraint attempt_numbers_start_at_1 check (number >= 1),
  constraint attempt_finishes_after_it_starts check (finished_at >= started_at),
  constraint attempt_outcome_is_known check (outcome in ('succeeded', 'failed', 'aborted')),
  constraint attempt_http_status_has_three_digits check (http_status between 100 and 999),
  constraint attempt_succeeds_by_a_2xx_only check (outcome <> 'succeeded' or (http_status is not null and http_status between 200 and 299)),
  constraint attempt_says_why_unless_it_succeeded check (outcome = 'succeeded' or http_status is not null or error_code is not null),
  constraint attempt_response_body_is_at_most_4096_characters check (char_length(response_body) <= 4096),
  constraint attempt_duration_is_not_negative check (duration_ms >= 0)
);

create trigger webhook_attempts_rows_never_change
before update or delete on webhook_attempts
for each row execute function refuse_change();

create trigger webhook_attempts_is_never_emptied
before truncate on webhook_attempts
for each statement execute function refuse_change();

alter table webhook_attempts enable always trigger webhook_attempts_rows_never_change;
alter table webhook_attempts enable always trigger webhook_attempts_is_never_emptied;

comment on table webhook_attempts is 'One try to send one delivery and how it ended. An aborted one was our own fault and uses up no retry.';

create table notifications (
  merchant_id record_id not null,
  id record_id not null,
  kind text not null,
  endpoint_id record_id,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (merchant_id, id),
  constraint notification_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint notification_is_about_a_known_endpoint foreign key (merchant_id, endpoint_id) references webhook_endpoints (merchant_id, id)
);

create index notifications_newest_first on notifications (merchant_id, created_at desc, id desc);

comment on table notifications is 'Something a merchant''s dashboard should say, such as an endpoint that was disabled.';
