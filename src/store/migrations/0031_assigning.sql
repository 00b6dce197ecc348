-- A carrier may refuse to be called off before it has named anybody: the shipment is then where it was.
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
    ('cancelling', 'awaiting_courier'),
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

-- What fails for a reason of our own is tried again a number of times, and then kept with its error: it must neither be lost
-- nor be tried for ever.
alter table carrier_callbacks
  add column failures integer not null default 0,
  add column error text,
  add constraint carrier_callback_failures_are_not_negative check (failures >= 0),
  drop constraint carrier_callback_outcome_is_known,
  add constraint carrier_callback_outcome_is_known check (outcome in ('applied', 'ignored', 'hint', 'failed')),
  add constraint carrier_callback_failed_with_an_error check (outcome is distinct from 'failed' or error is not null);

-- Few, and looked for by people.
create index carrier_callbacks_failed on carrier_callbacks (settled_at) where outcome = 'failed';

comment on column carrier_callbacks.error is 'Why the last try to apply it failed, in our own words; never shown to a merchant.';
