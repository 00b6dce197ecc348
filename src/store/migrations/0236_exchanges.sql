alter table orders add column exchange_of_return_id record_id;
alter table orders
add constraint order_exchanges_a_return foreign key (merchant_id, exchange_of_return_id)
references returns (merchant_id, id) not valid;

alter table payments add column refund_id record_id;
alter table payments
add constraint payment_credits_a_refund foreign key (merchant_id, refund_id)
references refunds (merchant_id, id) not valid;

comment on column orders.exchange_of_return_id is 'The return whose units the order replaces. Null for other orders.';
comment on column payments.refund_id is
'The refund of another order that the payment credits to its order. Null for money that was received.';
