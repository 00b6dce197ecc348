-- Payments wait until the migration has committed. It reads the orders once, to find those that were paid during the migration before.
lock table orders in share row exclusive mode;

insert into receipts (merchant_id, number, order_id, issued_at)
select
  orders.merchant_id,
  coalesce(numbered.last_number, 0) + row_number() over (partition by orders.merchant_id order by orders.paid_at, orders.id),
  orders.id,
  orders.paid_at
from orders
left join receipts on receipts.merchant_id = orders.merchant_id and receipts.order_id = orders.id
left join (
  select merchant_id, max(number) as last_number
  from receipts
  group by merchant_id
) numbered on numbered.merchant_id = orders.merchant_id
where orders.paid_at is not null and receipts.order_id is null;

insert into receipt_counters (merchant_id, last_number)
select merchant_id, max(number)
from receipts
group by merchant_id;

-- Returns the number of the receipt of an order, which it issues if the order is paid and has none. Returns null for an order that
-- is not paid. The counter of the merchant stays locked until the commit, so no later statement may lock a record.
--
-- Runs as the owner of the tables: the role of a running process gets its privileges on the new tables only after the migrations.
create function issue_receipt(of_merchant text, of_order text) returns integer
language plpgsql
security definer
as $$
declare
  paid timestamptz;
  issued integer;
begin
  select number into issued
  from public.receipts
  where merchant_id = of_merchant and order_id = of_order;
  if issued is not null then
    return issued;
  end if;
  select paid_at into paid
  from public.orders
  where merchant_id = of_merchant and id = of_order;
  if paid is null then
    return null;
  end if;
  insert into public.receipt_counters as counter (merchant_id, last_number)
  values (of_merchant, 1)
  on conflict (merchant_id) do update set last_number = counter.last_number + 1
  returning last_number into issued;
  insert into public.receipts (merchant_id, number, order_id, issued_at)
  values (of_merchant, issued, of_order, paid);
  return issued;
end
$$;

create function issue_receipt_of_row() returns trigger
language plpgsql
security definer
as $$
begin
  perform public.issue_receipt(new.merchant_id, new.id);
  return null;
end
$$;

-- An order becomes paid by a payment, a credit or an edit, or is created without an amount due. Each sets paid_at. The triggers fire
-- at the commit, so that the counter is the last lock of the transaction and is held for as short as possible.
create constraint trigger paid_orders_have_receipts
after insert on orders
deferrable initially deferred
for each row
when (new.paid_at is not null)
execute function issue_receipt_of_row();

create constraint trigger orders_get_receipts_with_their_payment
after update of paid_at on orders
deferrable initially deferred
for each row
when (old.paid_at is null and new.paid_at is not null)
execute function issue_receipt_of_row();
