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

-- The orders that are already paid, in the order of payment. Reads the orders without blocking payments: the next migration adds
-- the orders that are paid in the meantime.
insert into receipts (merchant_id, number, order_id, issued_at)
select merchant_id, row_number() over (partition by merchant_id order by paid_at, id), id, paid_at
from orders
where paid_at is not null;
