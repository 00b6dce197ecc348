-- A shipment carries units of its order's items, and an order is fulfilled by the sum of its shipments.
alter table shipments
add column items jsonb not null default '[]',
add column items_booked text not null default 'none',
add constraint shipment_items_are_a_list check (jsonb_typeof(items) = 'array'),
add constraint shipment_items_booked_is_known check (items_booked in ('none', 'sent', 'returned'));

alter table quotes
add column items jsonb not null default '[]',
add constraint quote_items_are_a_list check (jsonb_typeof(items) = 'array');

-- Until now the first shipment that was picked up fulfilled the whole order: it carried every unit.
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
  and shipments.id = (
    select first.id
    from shipments first
    where first.merchant_id = orders.merchant_id
      and first.order_id = orders.id
      and first.status not in ('cancelled', 'failed')
    order by first.id
    limit 1
  );

comment on column shipments.items is 'Units of the order''s items that this shipment carries: [{itemId, quantity}].';
comment on column shipments.items_booked is 'Whether the order counts the items as sent or as returned already.';
comment on column quotes.items is 'Units of the order''s items that were quoted: [{itemId, quantity}].';
