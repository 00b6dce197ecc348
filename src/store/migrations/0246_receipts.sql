-- Receipts of paid orders. The numbers of a merchant have no gaps: a row of receipt_counters is locked until the commit, so a
-- transaction that is rolled back takes no number. A sequence would lose the number.
create table receipts (
  merchant_id record_id not null,
  number integer not null,
  order_id record_id not null,
  issued_at timestamptz(3) not null,
  primary key (merchant_id, number),
  constraint order_has_one_receipt unique (merchant_id, order_id),
  constraint receipt_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint receipt_number_is_positive check (number >= 1)
);

comment on table receipts is 'Receipts of orders, which are issued when the payments of an order first cover its total. Append-only.';
comment on column receipts.number is 'Number of the receipt, from 1 without gaps for each merchant.';

create table receipt_counters (
  merchant_id record_id not null,
  last_number integer not null,
  primary key (merchant_id)
);

comment on table receipt_counters is 'The last number of the receipts of a merchant.';

create trigger receipts_rows_never_change
before update or delete on receipts
for each row execute function refuse_change();

create trigger receipts_is_never_emptied
before truncate on receipts
for each statement execute function refuse_change();

alter table receipts enable always trigger receipts_rows_never_change;
alter table receipts enable always trigger receipts_is_never_emptied;

-- Returns the number of the receipt of an order, which it issues if the order is paid and has none. Returns null for an order that
-- is not paid. The counter of the merchant stays locked until the commit, so no later statement may lock a record.
--
-- Runs as the owner of the tables: the role of a running process gets its privileges on the new tables only after the migrations.
create function issue_receipt(of_merchant text, of_order text) returns integer
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  paid timestamptz;
  issued integer;
begin
  select number into issued
  from receipts
  where merchant_id = of_merchant and order_id = of_order;
  if issued is not null then
    return issued;
  end if;
  select paid_at into paid
  from orders
  where merchant_id = of_merchant and id = of_order;
  if paid is null then
    return null;
  end if;
  insert into receipt_counters as counter (merchant_id, last_number)
  values (of_merchant, 1)
  on conflict (merchant_id) do update set last_number = counter.last_number + 1
  returning last_number into issued;
  insert into receipts (merchant_id, number, order_id, issued_at)
  values (of_merchant, issued, of_order, paid)
  on conflict (merchant_id, order_id) do nothing;
  if not found then
    -- Another transaction has issued the receipt while this one waited for the counter.
    update receipt_counters set last_number = last_number - 1 where merchant_id = of_merchant;
    select number into issued
    from receipts
    where merchant_id = of_merchant and order_id = of_order;
  end if;
  return issued;
end
$$;

create function issue_receipt_of_row() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform issue_receipt(new.merchant_id, new.id);
  return null;
end
$$;
