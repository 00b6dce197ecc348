-- The audit rows that no hash chain contains yet. A trigger adds a row in the transaction of the audit row, and the job that links
-- the audit row deletes it. The job therefore finds a row whenever its transaction commits, also after later transactions, and on
-- any node of a distributed database. The numbers of transactions, which the job compared before, differ between servers.
create table audit_queue (
  merchant_id record_id not null,
  audit_id record_id not null,
  recorded_at timestamptz(3) not null,
  constraint audit_queue_pkey primary key (merchant_id, audit_id)
);

comment on table audit_queue is 'Audit rows that are not in the hash chain of their merchant yet.';
comment on column audit_queue.recorded_at is 'When the database stored the audit row.';
comment on table audit_progress is 'Unused. The release before still writes it, so a later release drops it.';

-- Runs as the owner of the tables: the role of a running process gets its privileges on the new table only after the migrations.
create function queue_audit() returns trigger
language plpgsql
security definer
as $$
begin
  insert into public.audit_queue (merchant_id, audit_id, recorded_at)
  values (new.merchant_id, new.id, coalesce(new.recorded_at, new.occurred_at))
  -- A restore of the data into an empty schema inserts the rows of the queue itself, too.
  on conflict do nothing;
  return null;
end
$$;

create trigger audit_log_rows_are_queued
after insert on audit_log
for each row execute function queue_audit();
