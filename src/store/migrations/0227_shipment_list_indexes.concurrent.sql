-- The filters of GET /logistics/shipments and the barcode filter of GET /products.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently shipments_by_status on shipments (merchant_id, status, created_at desc, id desc);
create index concurrently shipments_by_carrier on shipments (merchant_id, carrier, created_at desc, id desc)
where carrier is not null;
create index concurrently product_variants_by_barcode on product_variants (merchant_id, barcode)
where barcode is not null and removed_at is null;
