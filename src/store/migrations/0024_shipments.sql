-- A quote is what the carriers would do, asked once; a shipment uses it at most once.
create table quotes (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id,
  status text not null,
  pickup jsonb not null,
  dropoff jsonb not null,
  parcels jsonb not null,
  vehicle text not null,
  service_levels text[] not null,
  pickup_window jsonb,
  dropoff_window jsonb,
  declared_value_kobo kobo,
  pickup_zone_id text,
  dropoff_zone_id text,
  distance_meters integer not null,
  surge jsonb,
  carriers jsonb not null,
  warnings text[] not null default '{}',
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (merchant_id, id),
  constraint quote_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint quote_status_is_known check (status in ('complete', 'partial')),
  constraint quote_vehicle_is_known check (vehicle in ('bike', 'car', 'van', 'truck')),
  constraint quote_distance_is_not_negative check (distance_meters >= 0),
  constraint quote_expires_after_it_is_made check (expires_at > created_at)
);

-- Demand is told by the quotes of a zone, and how many of them became shipments.
create index quotes_by_zone on quotes (pickup_zone_id, created_at);

comment on table quotes is 'What carriers would charge to bring some parcels from one place to another.';
comment on column quotes.used_at is 'When a shipment was made of it. A quote is used once.';

create table quote_offers (
  merchant_id record_id not null,
  quote_id record_id not null,
  id record_id not null,
  rank integer not null,
  carrier text not null,
  service text not null,
  service_level text not null,
  vehicle text not null,
  price_kobo kobo not null,
  carrier_price_kobo kobo not null,
  breakdown jsonb not null,
  pickup_minutes jsonb,
  dropoff_minutes jsonb,
  reliability double precision not null,
  price_lock text not null,
  token text not null,
  tags text[] not null default '{}',
  expires_at timestamptz(3) not null,
  primary key (merchant_id, quote_id, id),
  constraint offer_is_of_a_quote foreign key (merchant_id, quote_id) references quotes (merchant_id, id) on delete cascade,
  constraint offer_rank_is_used_once unique (merchant_id, quote_id, rank),
  constraint offer_rank_starts_at_1 check (rank >= 1),
  constraint offer_reliability_is_a_share check (reliability between 0 and 1),
  constraint offer_price_lock_is_known check (price_lock in ('carrier', 'platform', 'none'))
);

comment on column quote_offers.token is 'What the carrier wants to see again when it is asked for the rider; never shown.';
comment on column quote_offers.carrier_price_kobo is 'What the carrier charges; the price may have the surge of a rate card on top.';

create table shipments (
  merchant_id record_id not null,
  id record_id not null,
  reference text collate "C" not null,
  request_hash text not null,
  order_id record_id,
  quote_id record_id,
  offer_id record_id,
  status text not null,
  status_code text,
  status_message text,
  pickup jsonb not null,
  dropoff jsonb not null,
  parcels jsonb not null,
  pickup_zone_id text,
  dropoff_zone_id text,
  distance_meters integer not null,
  vehicle text not null,
  service_level text,
  service text,
  proof jsonb not null,
  undeliverable_action text not null,
  failover jsonb not null,
  -- What the dispatch goes by: the offers in the order in which they are to be tried.
  plan jsonb not null,
  price_ceiling_kobo kobo not null,
  carrier text,
  carrier_reference text,
  tracking_url text,
  label_url text,
  quoted_price_kobo kobo not null,
  price_kobo kobo,
  surge_kobo kobo not null default 0,
  surge_snapshot_id text,
  courier jsonb,
  delivery_estimate jsonb,
  captured_proof jsonb not null default '[]',
  exceptions jsonb not null default '[]',
  cancel_requested_at timestamptz(3),
  cancel_reason text,
  cancel_note text,
  cancel_max_fee_kobo kobo,
  cancel_fee_kobo kobo,
  cancel_refund_kobo kobo,
  dispatch_at timestamptz(3),
  scheduled_pickup_at timestamptz(3),
  dispatched_at timestamptz(3),
  accepted_at timestamptz(3),
  assigned_at timestamptz(3),
  picked_up_at timestamptz(3),
  delivered_at timestamptz(3),
  ended_at timestamptz(3),
  event_count integer not null default 0,
  attempt_count integer not null default 0,
  next_look_at timestamptz(3),
  looks integer not null default 0,
  metadata jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint shipment_reference_is_used_once unique (merchant_id, reference),
  constraint shipment_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint shipment_uses_an_offer foreign key (merchant_id, quote_id, offer_id)
    references quote_offers (merchant_id, quote_id, id),
  constraint shipment_quote_is_used_once unique (merchant_id, quote_id),
  constraint shipment_reference_is_plain check (reference ~ '^[A-Za-z0-9._-]{1,64}$'),
  constraint shipment_request_hash_is_a_sha256 check (request_hash ~ '^[0-9a-f]{64}$'),
  constraint shipment_status_is_known check (
    status in (
      'scheduled', 'dispatching', 'awaiting_courier', 'courier_assigned', 'at_pickup', 'picked_up', 'in_transit',
      'at_dropoff', 'delivered', 'delivery_failed', 'returning', 'returned', 'cancelling', 'cancelled', 'failed', 'lost'
    )
  ),
  constraint shipment_end_has_a_time check (
    (status in ('delivered', 'returned', 'cancelled', 'failed', 'lost')) = (ended_at is not null)
  ),
  constraint shipment_delivery_has_a_time check ((status = 'delivered') = (delivered_at is not null)),
  constraint shipment_schedule_has_a_time check (status <> 'scheduled' or dispatch_at is not null),
  constraint shipment_undeliverable_action_is_known check (undeliverable_action in ('return', 'leave_at_door', 'hold')),
  constraint shipment_version_starts_at_1 check (version >= 1)
);

create index shipments_newest_first on shipments (merchant_id, created_at desc, id desc);
create index shipments_by_order on shipments (merchant_id, order_id) where order_id is not null;

-- For the worker, over all merchants: what is to be sent, resolved, asked after or called off.
create index shipments_to_look_at on shipments (next_look_at) where next_look_at is not null;

-- Supply is told by how long the riders of a zone take to be found.
create index shipments_by_zone on shipments (pickup_zone_id, dispatched_at) where dispatched_at is not null;

comment on table shipments is 'Parcels on the way from one place to another, with one carrier at a time.';
comment on column shipments.request_hash is 'Of the request that made it: the same reference with the same request is the same shipment.';
comment on column shipments.next_look_at is 'When a worker has to do something about it; null when nothing is left to do.';

create function shipment_moves_as_published() returns trigger
language plpgsql
as $$
begin
  if (old.status, new.status) not in (
    ('scheduled', 'dispatching'),
    ('scheduled', 'cancelled'),
    ('dispatching', 'awaiting_courier'),
    ('dispatching', 'courier_assigned'),
    ('dispatching', 'failed'),
    ('dispatching', 'cancelling'),
    ('dispatching', 'cancelled'),
    ('awaiting_courier', 'courier_assigned'),
    ('awaiting_courier', 'at_pickup'),
    ('awaiting_courier', 'picked_up'),
    ('awaiting_courier', 'dispatching'),
    ('awaiting_courier', 'cancelling'),
    ('awaiting_courier', 'cancelled'),
    ('awaiting_courier', 'failed'),
    ('courier_assigned', 'at_pickup'),
    ('courier_assigned', 'picked_up'),
    ('courier_assigned', 'awaiting_courier'),
    ('courier_assigned', 'dispatching'),
    ('courier_assigned', 'cancelling'),
    ('courier_assigned', 'cancelled'),
    ('courier_assigned', 'failed'),
    ('at_pickup', 'picked_up'),
    ('at_pickup', 'awaiting_courier'),
    ('at_pickup', 'dispatching'),
    ('at_pickup', 'cancelling'),
    ('at_pickup', 'cancelled'),
    ('at_pickup', 'failed'),
    ('picked_up', 'in_transit'),
    ('picked_up', 'at_dropoff'),
    ('picked_up', 'delivered'),
    ('picked_up', 'delivery_failed'),
    ('picked_up', 'returning'),
    ('picked_up', 'lost'),
    ('in_transit', 'at_dropoff'),
    ('in_transit', 'delivered'),
    ('in_transit', 'delivery_failed'),
    ('in_transit', 'returning'),
    ('in_transit', 'lost'),
    ('at_dropoff', 'delivered'),
    ('at_dropoff', 'delivery_failed'),
    ('at_dropoff', 'in_transit'),
    ('at_dropoff', 'returning'),
    ('at_dropoff', 'lost'),
    ('delivery_failed', 'in_transit'),
    ('delivery_failed', 'at_dropoff'),
    ('delivery_failed', 'delivered'),
    ('delivery_failed', 'returning'),
    ('delivery_failed', 'returned'),
    ('delivery_failed', 'lost'),
    ('returning', 'returned'),
    ('returning', 'lost'),
    ('returning', 'delivered'),
    ('cancelling', 'cancelled'),
    ('cancelling', 'courier_assigned'),
    ('cancelling', 'at_pickup'),
    ('cancelling', 'picked_up'),
    ('cancelling', 'in_transit'),
    ('cancelling', 'delivered')
  ) then
    raise exception 'A shipment cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'shipment_moves_as_published', table = 'shipments';
  end if;
  return new;
end
$$;

create trigger shipment_moves_as_published
before update of status on shipments
for each row
when (old.status is distinct from new.status)
execute function shipment_moves_as_published();

alter table shipments enable always trigger shipment_moves_as_published;

create table dispatch_attempts (
  merchant_id record_id not null,
  shipment_id record_id not null,
  number integer not null,
  carrier text not null,
  -- Ours, sent to the carrier: never used for another asking.
  reference text not null,
  state text not null,
  offer jsonb not null,
  price_kobo kobo not null,
  carrier_reference text,
  outcome_code text,
  outcome_message text,
  cancel_fee_kobo kobo,
  duplicate_cost_kobo kobo,
  started_at timestamptz(3) not null,
  answered_at timestamptz(3),
  resolved_at timestamptz(3),
  -- While the outcome is not known: how often the carrier said that there is no such order, and since when.
  absences integer not null default 0,
  absent_since timestamptz(3),
  looks integer not null default 0,
  next_look_at timestamptz(3),
  assign_deadline timestamptz(3),
  -- A late acceptance may still come until then.
  watch_until timestamptz(3),
  primary key (merchant_id, shipment_id, number),
  constraint attempt_is_of_a_shipment foreign key (merchant_id, shipment_id) references shipments (merchant_id, id),
  constraint attempt_reference_is_used_once unique (merchant_id, reference),
  constraint attempt_numbers_start_at_1 check (number >= 1),
  constraint attempt_state_is_known check (
    state in (
      'sending', 'unknown', 'accepted', 'cancelling', 'refused', 'unavailable', 'invalid', 'skipped', 'resolved_absent',
      'abandoned', 'late_cancelled', 'superseded', 'cancelled', 'completed'
    )
  ),
  constraint attempt_has_an_order_once_accepted check (state <> 'accepted' or carrier_reference is not null)
);

-- The database forbids what must never be: two askings of one shipment that may both bring a rider.
create unique index shipment_has_one_live_attempt on dispatch_attempts (merchant_id, shipment_id)
where state in ('sending', 'unknown', 'accepted', 'cancelling');

-- Two merchants have accounts of their own, so an order's name is unique with the merchant only.
create unique index carrier_order_is_of_one_attempt on dispatch_attempts (merchant_id, carrier, carrier_reference)
where carrier_reference is not null;

create index attempts_by_carrier on dispatch_attempts (carrier, started_at);

create index attempts_to_look_at on dispatch_attempts (next_look_at) where next_look_at is not null;

comment on table dispatch_attempts is 'One asking of one carrier for a rider, written before it is sent.';

create table shipment_events (
  merchant_id record_id not null,
  shipment_id record_id not null,
  number integer not null,
  attempt_number integer,
  status text,
  carrier_status text,
  source text not null,
  description text not null,
  is_applied boolean not null,
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  primary key (merchant_id, shipment_id, number),
  constraint shipment_event_is_of_a_shipment foreign key (merchant_id, shipment_id) references shipments (merchant_id, id),
  constraint shipment_event_numbers_start_at_1 check (number >= 1),
  constraint shipment_event_source_is_known check (source in ('request', 'callback', 'poll', 'service'))
);

create trigger shipment_events_rows_never_change
before update or delete on shipment_events
for each row execute function refuse_change();

create trigger shipment_events_is_never_emptied
before truncate on shipment_events
for each statement execute function refuse_change();

alter table shipment_events enable always trigger shipment_events_rows_never_change;
alter table shipment_events enable always trigger shipment_events_is_never_emptied;

revoke update, delete, truncate on shipment_events from public;
revoke update, delete, truncate on shipment_events from current_user;

comment on table shipment_events is 'The life of a shipment as it was told, also what came too late to move it.';
