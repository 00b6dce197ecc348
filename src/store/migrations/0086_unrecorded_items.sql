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

comment on column quotes.items is
  'Units of the order''s items that were quoted: [{itemId, quantity}]. Null where none were recorded: all that are open.';
