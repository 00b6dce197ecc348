-- The test clock finds the simulated orders of a merchant by the references of its shipments.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently simulated_orders_of_reference on simulated_orders (reference);
