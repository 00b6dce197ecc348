-- Finds the audit rows of recent transactions. BRIN, because rows are stored in the order of their transactions: the index costs
-- a write almost nothing.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently audit_log_by_xid on audit_log using brin (recorded_xid) with (autosummarize = on);
create index concurrently shared_audit_log_by_xid on shared_audit_log using brin (recorded_xid) with (autosummarize = on);
