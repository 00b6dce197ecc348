-- Adds the losses from before 0135. Reads the shipments that ended as lost, and locks only the items of their orders.
update order_items
set lost_quantity = least(lost.quantity, order_items.fulfilled_quantity - order_items.returned_quantity)
from (
  select shipments.merchant_id, shipments.order_id, item ->> 'itemId' as item_id, sum((item ->> 'quantity')::integer) as quantity
  from shipments
  cross join lateral jsonb_array_elements(shipments.items) item
  where shipments.status = 'lost' and shipments.items_booked = 'sent' and shipments.order_id is not null
  group by shipments.merchant_id, shipments.order_id, item ->> 'itemId'
) lost
where order_items.merchant_id = lost.merchant_id
  and order_items.order_id = lost.order_id
  and order_items.id = lost.item_id;
