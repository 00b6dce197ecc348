-- Deliveries are listed newest first, by endpoint and status. A list by status alone reads a page of each endpoint; a merchant has
-- few. PostgreSQL cannot build an index of a partitioned table concurrently: deliveries wait while it is built, about two seconds
-- per million rows.
-- squawk-ignore-file require-concurrent-index-creation
create index webhook_deliveries_by_status on webhook_deliveries (merchant_id, endpoint_id, status, id);
