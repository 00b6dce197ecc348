-- The returns whose units are expected. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently returns_under_way on returns (merchant_id, id)
where status in ('approved', 'in_transit');
