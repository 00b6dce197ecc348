-- The refunds of a return. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently refunds_by_return on refunds (merchant_id, return_id)
where return_id is not null;
