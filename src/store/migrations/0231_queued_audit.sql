-- The audit rows from before the trigger that are not linked yet. Reads the tables without blocking writes.
insert into audit_queue (merchant_id, audit_id, recorded_at)
select merchant_id, id, coalesce(recorded_at, occurred_at)
from audit_log as row_
where not exists (
  select from audit_chain
  where audit_chain.merchant_id = row_.merchant_id and audit_chain.audit_id = row_.id
)
on conflict do nothing;
