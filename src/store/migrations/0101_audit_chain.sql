-- The rows of the audit log are linked into a hash chain, one per merchant and one for shared data. A job adds them after their
-- commit, so writers never wait for each other. A changed, deleted or inserted row then contradicts the chain.

-- The transaction of a row, which the database sets and the service cannot choose: the job links all rows of finished
-- transactions. Null in rows from before this migration. xid8 has no BRIN index.
alter table audit_log add column recorded_xid bigint;
alter table audit_log alter column recorded_xid set default pg_current_xact_id()::text::bigint;
alter table shared_audit_log add column recorded_xid bigint;
alter table shared_audit_log alter column recorded_xid set default pg_current_xact_id()::text::bigint;

-- When the database stored the row. occurred_at is the time of the process that wrote it.
alter table audit_log add column recorded_at timestamptz(3);
alter table audit_log alter column recorded_at set default clock_timestamp();
alter table shared_audit_log add column recorded_at timestamptz(3);
alter table shared_audit_log alter column recorded_at set default clock_timestamp();

create table audit_chain (
  merchant_id record_id not null references merchants (id),
  number bigint not null,
  audit_id record_id not null,
  hash bytea not null,
  constraint audit_chain_pkey primary key (merchant_id, number),
  constraint audit_row_is_linked_once unique (merchant_id, audit_id),
  constraint audit_chain_starts_at_1 check (number >= 1),
  constraint audit_hash_is_sha256 check (octet_length(hash) = 32)
);

create table audit_heads (
  merchant_id record_id not null references merchants (id),
  number bigint not null,
  hash bytea not null,
  sealed_at timestamptz(3) not null,
  key_id text,
  signature bytea,
  constraint audit_heads_pkey primary key (merchant_id, number),
  constraint audit_head_hash_is_sha256 check (octet_length(hash) = 32),
  constraint audit_head_names_the_key_of_its_signature check ((key_id is null) = (signature is null))
);

create table shared_audit_chain (
  number bigint constraint shared_audit_chain_pkey primary key,
  audit_id record_id not null constraint shared_audit_row_is_linked_once unique,
  hash bytea not null,
  constraint shared_audit_chain_starts_at_1 check (number >= 1),
  constraint shared_audit_hash_is_sha256 check (octet_length(hash) = 32)
);

create table shared_audit_heads (
  number bigint constraint shared_audit_heads_pkey primary key,
  hash bytea not null,
  sealed_at timestamptz(3) not null,
  key_id text,
  signature bytea,
  constraint shared_audit_head_hash_is_sha256 check (octet_length(hash) = 32),
  constraint shared_audit_head_names_the_key_of_its_signature check ((key_id is null) = (signature is null))
);

-- The job looks for rows only from this transaction on. It is a shortcut: with another value, the job finds the same rows later
-- or reads more of them. A restored database starts with a new cluster, where transactions are numbered anew.
create table audit_progress (
  is_only boolean constraint audit_progress_pkey primary key default true,
  cluster text not null,
  from_xid bigint not null,
  constraint audit_progress_has_one_row check (is_only)
);

create trigger audit_chain_rows_never_change
before update or delete on audit_chain
for each row execute function refuse_change();

create trigger audit_chain_is_never_emptied
before truncate on audit_chain
for each statement execute function refuse_change();

create trigger audit_heads_rows_never_change
before update or delete on audit_heads
for each row execute function refuse_change();

create trigger audit_heads_is_never_emptied
before truncate on audit_heads
for each statement execute function refuse_change();

create trigger shared_audit_chain_rows_never_change
before update or delete on shared_audit_chain
for each row execute function refuse_change();

create trigger shared_audit_chain_is_never_emptied
before truncate on shared_audit_chain
for each statement execute function refuse_change();

create trigger shared_audit_heads_rows_never_change
before update or delete on shared_audit_heads
for each row execute function refuse_change();

create trigger shared_audit_heads_is_never_emptied
before truncate on shared_audit_heads
for each statement execute function refuse_change();

-- Always: session_replication_role = replica does not skip them.
alter table audit_chain enable always trigger audit_chain_rows_never_change;
alter table audit_chain enable always trigger audit_chain_is_never_emptied;
alter table audit_heads enable always trigger audit_heads_rows_never_change;
alter table audit_heads enable always trigger audit_heads_is_never_emptied;
alter table shared_audit_chain enable always trigger shared_audit_chain_rows_never_change;
alter table shared_audit_chain enable always trigger shared_audit_chain_is_never_emptied;
alter table shared_audit_heads enable always trigger shared_audit_heads_rows_never_change;
alter table shared_audit_heads enable always trigger shared_audit_heads_is_never_emptied;

comment on column audit_log.recorded_xid is 'Transaction that inserted the row. Null in rows from before the hash chain.';
comment on column audit_log.recorded_at is 'When the database stored the row. Null in rows from before the hash chain.';
comment on column shared_audit_log.recorded_xid is 'Transaction that inserted the row. Null in rows from before the hash chain.';
comment on column shared_audit_log.recorded_at is 'When the database stored the row. Null in rows from before the hash chain.';
comment on table audit_chain is 'Hash chain over the audit log of each merchant. Append-only.';
comment on column audit_chain.hash is 'SHA-256 of the previous hash and the audit row.';
comment on table audit_heads is 'Signed last entries of the hash chains. Append-only.';
comment on column audit_heads.key_id is 'Key of the signature. Null while the service has no encryption key.';
comment on table shared_audit_chain is 'Hash chain over the shared audit log. Append-only.';
comment on table shared_audit_heads is 'Signed last entries of the hash chain over the shared audit log. Append-only.';
comment on table audit_progress is 'Where the search for unlinked audit rows starts. One row.';
