-- The reference of a voided remittance can be recorded again. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create unique index concurrently remittance_reference_counts_once
on remittances (merchant_id, reference, (case when voided_at is not null then id end)) nulls not distinct;
