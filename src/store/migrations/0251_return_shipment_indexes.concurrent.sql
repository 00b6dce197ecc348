-- The units of a return are in one shipment at a time. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create unique index concurrently return_has_one_shipment on shipments (merchant_id, return_id)
where return_id is not null and status not in ('failed', 'cancelled', 'returned');
create index concurrently shipments_by_return on shipments (merchant_id, return_id) where return_id is not null;
create index concurrently quotes_by_return on quotes (merchant_id, return_id) where return_id is not null;
