alter table merchants add column auto_confirm_pay_on_delivery boolean not null default false;

comment on column merchants.auto_confirm_pay_on_delivery is 'Whether an order to be paid on delivery begins as processing, without a look at it.';

-- A discount for first orders asks whether a person has ordered before, and a +tag does not make them another one. The same
-- words as in discount_redemptions.customer_email.
create index customers_by_mailbox on customers (merchant_id, regexp_replace(lower(email), '\+[^@]*@', '@'));
