-- The figures of the sales report by day, so that the report of a year reads thousands of rows instead of all orders. The figures
-- are derived from orders, order_items and refunds, and a job updates them. Until the job has counted a changed day, the day is in
-- sales_changes, and the report calculates the day from the orders.
create table sales_summaries (
  merchant_id record_id not null,
  dimension text not null,
  day date not null,
  key text collate "C" not null,
  order_count bigint not null,
  unit_count bigint not null,
  gross_kobo bigint not null,
  discounts_kobo bigint not null,
  shipping_kobo bigint not null,
  tax_kobo bigint not null,
  refunds_kobo bigint not null,
  net_kobo bigint not null,
  primary key (merchant_id, dimension, day, key),
  constraint sales_dimension_is_known check (dimension in ('source', 'state', 'product', 'product_month'))
);

-- The groups of a day or a month with the highest sales.
create index sales_by_gross on sales_summaries (merchant_id, dimension, day, gross_kobo desc, key);

comment on table sales_summaries is 'Figures of the sales report for a day and a group, as the job last counted them.';
comment on column sales_summaries.dimension is
'How the sales are grouped. The days of product_month are first days of months: its rows are sums of the rows of product.';
comment on column sales_summaries.day is 'Day in Lagos.';
comment on column sales_summaries.key is 'Source, state or product of the sales. Empty without one.';

-- Each change adds rows of its own, so that concurrent changes of a day do not wait for each other, and the job removes no row of a
-- change that it has not seen.
create table sales_changes (
  merchant_id record_id not null,
  day date not null,
  id uuid not null default gen_random_uuid(),
  primary key (merchant_id, day, id)
);

comment on table sales_changes is 'Days in Lagos whose sales have changed since the job counted them.';

-- The functions run as the owner of the tables: the role of a running process gets its privileges on the new tables only after
-- the migrations.
create function queue_new_sale() returns trigger
language plpgsql
security definer
as $$
begin
  insert into public.sales_changes (merchant_id, day)
  values (new.merchant_id, (new.created_at at time zone 'Africa/Lagos')::date);
  return null;
end
$$;

-- The refunds of an order count with its source, state and products, and not at all once it is cancelled.
create function queue_changed_sale() returns trigger
language plpgsql
security definer
as $$
begin
  insert into public.sales_changes (merchant_id, day)
  select new.merchant_id, (new.created_at at time zone 'Africa/Lagos')::date
  union
  select new.merchant_id, (refunds.created_at at time zone 'Africa/Lagos')::date
  from public.refunds
  where refunds.merchant_id = new.merchant_id and refunds.order_id = new.id;
  return null;
end
$$;

-- Which part of a refund returns an overpayment depends on the other refunds of the order.
create function queue_refunds() returns trigger
language plpgsql
security definer
as $$
begin
  insert into public.sales_changes (merchant_id, day)
  select distinct new.merchant_id, (refunds.created_at at time zone 'Africa/Lagos')::date
  from public.refunds
  where refunds.merchant_id = new.merchant_id and refunds.order_id = new.order_id;
  return null;
end
$$;

create trigger new_orders_change_sales
after insert on orders
for each row execute function queue_new_sale();

-- An edit of the items of an order always sets its subtotal, also to the same amount.
create trigger edited_orders_change_sales
after update of subtotal_kobo on orders
for each row execute function queue_changed_sale();

create trigger changed_orders_change_sales
after update of
status, source, shipping_address, item_quantity, discount_kobo, shipping_kobo, tax_kobo, total_kobo, paid_kobo on orders
for each row
when (
  (old.status = 'cancelled') <> (new.status = 'cancelled')
  or old.source <> new.source
  or old.shipping_address ->> 'state' is distinct from new.shipping_address ->> 'state'
  or old.item_quantity <> new.item_quantity
  or old.discount_kobo <> new.discount_kobo
  or old.shipping_kobo <> new.shipping_kobo
  or old.tax_kobo <> new.tax_kobo
  or old.total_kobo <> new.total_kobo
  or greatest(old.paid_kobo - old.total_kobo, 0) <> greatest(new.paid_kobo - new.total_kobo, 0)
)
execute function queue_changed_sale();

create trigger new_refunds_change_sales
after insert on refunds
for each row execute function queue_refunds();

create trigger changed_refunds_change_sales
after update of status, amount_kobo on refunds
for each row
when (
  (old.status in ('failed', 'cancelled')) <> (new.status in ('failed', 'cancelled'))
  or old.amount_kobo <> new.amount_kobo
)
execute function queue_refunds();
