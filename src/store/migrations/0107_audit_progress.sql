-- The job that links audit rows first walks through the whole log of a new or restored database, in pages. It continues at its
-- position after a restart. The table has one row.
-- squawk-ignore-file constraint-missing-not-valid
alter table audit_progress
  add column walk_pass text,
  add column walk_merchant_id record_id,
  add column walk_id record_id,
  add constraint audit_walk_pass_is_known check (walk_pass in ('unrecorded', 'recorded')),
  add constraint audit_walk_has_a_whole_position check (num_nulls(walk_pass, walk_merchant_id, walk_id) in (0, 3));

-- Each entry of the chain would check and lock the row of its merchant. audit_log has no such key either: merchants are never
-- deleted.
alter table audit_chain drop constraint audit_chain_merchant_id_fkey;
alter table audit_heads drop constraint audit_heads_merchant_id_fkey;

comment on column audit_progress.walk_pass is 'The current pass of a walk through the whole log. Null once the walk has ended.';
comment on column audit_progress.walk_id is 'The last row that the pass has read.';
