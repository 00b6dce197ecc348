-- Carriers skip states, and what says that a parcel was fetched may be lost or come late: a parcel that is at its door must not
-- wait for ever at its pickup.
create or replace function shipment_moves_as_published() returns trigger
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
    ('awaiting_courier', 'in_transit'),
    ('awaiting_courier', 'at_dropoff'),
    ('awaiting_courier', 'delivered'),
    ('awaiting_courier', 'delivery_failed'),
    ('awaiting_courier', 'returning'),
    ('awaiting_courier', 'returned'),
    ('awaiting_courier', 'lost'),
    ('awaiting_courier', 'dispatching'),
    ('awaiting_courier', 'cancelling'),
    ('awaiting_courier', 'cancelled'),
    ('awaiting_courier', 'failed'),
    ('courier_assigned', 'at_pickup'),
    ('courier_assigned', 'picked_up'),
    ('courier_assigned', 'in_transit'),
    ('courier_assigned', 'at_dropoff'),
    ('courier_assigned', 'delivered'),
    ('courier_assigned', 'delivery_failed'),
    ('courier_assigned', 'returning'),
    ('courier_assigned', 'returned'),
    ('courier_assigned', 'lost'),
    ('courier_assigned', 'awaiting_courier'),
    ('courier_assigned', 'dispatching'),
    ('courier_assigned', 'cancelling'),
    ('courier_assigned', 'cancelled'),
    ('courier_assigned', 'failed'),
    ('at_pickup', 'picked_up'),
    ('at_pickup', 'in_transit'),
    ('at_pickup', 'at_dropoff'),
    ('at_pickup', 'delivered'),
    ('at_pickup', 'delivery_failed'),
    ('at_pickup', 'returning'),
    ('at_pickup', 'returned'),
    ('at_pickup', 'lost'),
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
    ('picked_up', 'returned'),
    ('picked_up', 'lost'),
    ('in_transit', 'at_dropoff'),
    ('in_transit', 'delivered'),
    ('in_transit', 'delivery_failed'),
    ('in_transit', 'returning'),
    ('in_transit', 'returned'),
    ('in_transit', 'lost'),
    ('at_dropoff', 'delivered'),
    ('at_dropoff', 'delivery_failed'),
    ('at_dropoff', 'in_transit'),
    ('at_dropoff', 'returning'),
    ('at_dropoff', 'returned'),
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
    ('cancelling', 'at_dropoff'),
    ('cancelling', 'delivered'),
    ('cancelling', 'delivery_failed'),
    ('cancelling', 'returning'),
    ('cancelling', 'returned'),
    ('cancelling', 'lost')
  ) then
    raise exception 'A shipment cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'shipment_moves_as_published', table = 'shipments';
  end if;
  return new;
end
$$;

-- No foreign key to the shipment: where a rider was is forgotten on a day of its own, and writing it locks nothing.
create table shipment_positions (
  merchant_id record_id not null,
  shipment_id record_id not null,
  number integer not null,
  attempt_number integer not null,
  -- No finer than eleven metres: enough for a map, and too coarse for a doorstep.
  lat double precision not null,
  lng double precision not null,
  heading_degrees integer,
  source text not null,
  recorded_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  primary key (merchant_id, shipment_id, number),
  constraint position_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint position_numbers_start_at_1 check (number >= 1),
  constraint position_heading_is_a_direction check (heading_degrees between 0 and 359),
  constraint position_source_is_known check (source in ('callback', 'poll'))
);

-- For the purge, over all merchants.
create index shipment_positions_by_age on shipment_positions (received_at);

comment on table shipment_positions is 'Where the rider of a shipment was, kept for a month.';

create table carrier_callbacks (
  merchant_id record_id not null,
  id record_id not null,
  carrier text not null,
  -- SHA-256 of the names the carrier gives to the pieces of news, or of the body where it gives none.
  dedupe_hash bytea not null,
  body bytea not null,
  news jsonb,
  is_trusted boolean not null,
  source_ip inet not null,
  request_id text not null,
  user_agent text,
  received_at timestamptz(3) not null,
  next_try_at timestamptz(3),
  settled_at timestamptz(3),
  outcome text,
  reason text,
  primary key (merchant_id, id),
  constraint carrier_callback_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint carrier_callback_is_kept_once unique (merchant_id, carrier, dedupe_hash),
  constraint carrier_callback_hash_is_32_bytes check (octet_length(dedupe_hash) = 32),
  constraint carrier_callback_outcome_is_known check (outcome in ('applied', 'ignored', 'hint')),
  constraint carrier_callback_is_settled_with_an_outcome check ((outcome is null) = (settled_at is null)),
  constraint carrier_callback_is_tried_until_settled check ((next_try_at is null) = (settled_at is not null)),
  constraint carrier_callback_has_news_until_settled check (news is not null or settled_at is not null)
);

-- Only what waits, and that by merchant: a claim must not walk what waits for the others.
create index carrier_callbacks_to_apply on carrier_callbacks (merchant_id, next_try_at, id)
where next_try_at is not null;

-- What is old enough to be emptied, and only that: an emptied callback leaves the index.
create index carrier_callbacks_to_empty on carrier_callbacks (settled_at)
where settled_at is not null and octet_length(body) > 0;

comment on table carrier_callbacks is 'What a carrier told, as it came, kept before anything is made of it. The same news twice is one.';
comment on column carrier_callbacks.news is 'What the body says, read when its signature was checked: the carrier''s secret may be another one by the time it is applied.';
comment on column carrier_callbacks.body is 'Emptied a while after it was settled; its hash stays, so that it is not taken for a new one.';
