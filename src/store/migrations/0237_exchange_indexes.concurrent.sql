-- A return is exchanged once, and a refund is credited once. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create unique index concurrently return_is_exchanged_once on orders (merchant_id, exchange_of_return_id)
where exchange_of_return_id is not null;
create unique index concurrently refund_is_credited_once on payments (merchant_id, refund_id)
where refund_id is not null;
