-- Before 0052 no items were recorded: a quote and a shipment of an order meant all its units. Processes of that release name
-- none either while they run beside this schema, so that null is what nobody recorded, and an empty list carries no item.
-- Processes that run beside this schema never read the column.
alter table quotes
-- squawk-ignore ban-drop-not-null
alter column items drop not null,
alter column items set default null;

alter table shipments
alter column items set default null;

create function record_all_items() returns trigger
language plpgsql
as $$
begin
  new.items := coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('itemId', item.id, 'quantity', item.quantity - item.cancelled_quantity)
        order by item.position
      )
      from order_items item
      where item.merchant_id = new.merchant_id
        and item.order_id = new.order_id
        and item.quantity > item.cancelled_quantity
    ),
    '[]'
  );
  return new;
end;
$$;

create trigger shipments_record_all_items
before insert on shipments
for each row
when (new.items is null)
execute function record_all_items();

-- 0052 gave the items to the first shipment of each order alone; one that was sent in its place carries them too.
update shipments
set
  items = carried.items,
  items_booked = case
    when orders.fulfilled_quantity = 0 then 'none'
    when shipments.status = 'returned' and orders.returned_quantity > 0 then 'returned'
    when shipments.status in ('picked_up', 'in_transit', 'at_dropoff', 'delivered', 'delivery_failed', 'returning', 'returned', 'lost')
      then 'sent'
    else 'none'
  end,
  version = shipments.version + 1
from orders
cross join lateral (
  select jsonb_agg(
    jsonb_build_object('itemId', item.id, 'quantity', item.quantity - item.cancelled_quantity)
    order by item.position
  ) as items
  from order_items item
  where item.merchant_id = orders.merchant_id
    and item.order_id = orders.id
    and item.quantity > item.cancelled_quantity
) carried
where orders.merchant_id = shipments.merchant_id
  and orders.id = shipments.order_id
  and carried.items is not null
  and shipments.items = '[]'
  and shipments.status not in ('cancelled', 'failed')
  and shipments.created_at < (
    select executed.timestamp::timestamptz from kysely_migration executed where executed.name = '0052_shipment_items'
  );

-- A quote can be dispatched while it is open, and quoted anew for a week after that.
update quotes
set items = null
where order_id is not null
  and items = '[]'
  and used_at is null
  and emptied_at is null
  and created_at < (
    select executed.timestamp::timestamptz from kysely_migration executed where executed.name = '0052_shipment_items'
  );

comment on column quotes.items is
  'Units of the order''s items that were quoted: [{itemId, quantity}]. Null where none were recorded: all that are open.';
