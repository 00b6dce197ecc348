-- Fills the items that 0086 lets be null or recorded. A migration of its own: it scans both tables and locks only the rows that
-- it updates, while 0086 locks both tables until its commit.

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
