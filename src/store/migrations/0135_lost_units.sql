-- Units that a carrier lost cannot come back. Processes of the release before run beside this schema and write no losses: the
-- next migration adds the earlier ones.
alter table order_items
add column lost_quantity unsigned_integer not null default 0,
add constraint item_returns_no_lost_unit check (returned_quantity + lost_quantity <= fulfilled_quantity) not valid;

-- Implied by the new constraint.
alter table order_items drop constraint item_returns_no_more_than_was_fulfilled;

comment on column order_items.lost_quantity is 'Fulfilled units that a carrier lost. They are not restocked.';

-- An order is returned when its last unit is back, whatever brought it back. Checked at the commit, because a transaction first
-- counts the units and then moves the order.
create function order_is_returned_with_its_units() returns trigger
language plpgsql
as $$
begin
  if exists (
    select
    from orders
    where orders.merchant_id = new.merchant_id
      and orders.id = new.id
      and orders.status in ('processing', 'shipped', 'delivered')
      and orders.returned_quantity = orders.item_quantity
      and orders.item_quantity > 0
      -- Units that came back may be in another shipment.
      and not exists (
        select
        from shipments
        where shipments.merchant_id = orders.merchant_id
          and shipments.order_id = orders.id
          and shipments.ended_at is null
          and shipments.items <> '[]'
      )
  ) then
    raise exception 'Every unit of order % is back, so the order must be returned.', new.id
      using errcode = 'check_violation', constraint = 'order_is_returned_with_its_units', table = 'orders';
  end if;
  return null;
end
$$;

create constraint trigger order_is_returned_with_its_units
after update of status, returned_quantity, item_quantity on orders
deferrable initially deferred
for each row
when (
  new.returned_quantity = new.item_quantity and new.item_quantity > 0 and new.status in ('processing', 'shipped', 'delivered')
)
execute function order_is_returned_with_its_units();
