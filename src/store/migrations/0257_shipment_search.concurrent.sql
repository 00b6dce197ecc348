-- The search of the shipment list by 0256, and the deliveries since a time. The customer of a return is at its pickup.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently shipments_by_search_key on shipments using gin (
  merchant_id,
  search_key(shipment_search_text(reference, case when return_id is null then dropoff else pickup end)) gin_trgm_ops
)
with (fastupdate = on, gin_pending_list_limit = 1024);
create index concurrently shipments_by_delivery on shipments (merchant_id, delivered_at) where delivered_at is not null;

-- How many rows hold a text decides between an index and the list's own order; a sample of a hundred cannot tell.
alter index shipments_by_search_key alter column 2 set statistics 500;
-- Without statistics of the new expression the planner would not choose the index.
analyze shipments;
