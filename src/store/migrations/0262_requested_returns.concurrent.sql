-- The returns that wait for an approval. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently returns_requested on returns (merchant_id, id)
where status = 'requested';
