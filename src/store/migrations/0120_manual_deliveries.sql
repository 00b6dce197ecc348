-- A disabled endpoint only receives replays and tests. Its automatic deliveries stay queued until a sweep holds them, and the
-- index of scheduled deliveries does not contain the trigger: a search for the due replays and tests of the endpoint read the
-- index entry of every queued delivery, 26 ms per 100,000. This index only contains replays and tests, of which few are
-- queued. PostgreSQL cannot build an index of a partitioned table concurrently: deliveries wait while it is built, which is
-- one scan of the table.
-- squawk-ignore-file require-concurrent-index-creation
create index webhook_deliveries_that_are_manual on webhook_deliveries (
  merchant_id, endpoint_id, is_paced, next_attempt_at, id
)
where next_attempt_at is not null and trigger <> 'automatic';
