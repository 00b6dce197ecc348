-- What operators change of data that no merchant owns, such as the surge of a zone. audit_log has a merchant in every row.
create table shared_audit_log (
  id record_id primary key,
  occurred_at timestamptz(3) not null,
  actor_type text not null,
  actor_label text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  changes jsonb not null default '{}',
  constraint shared_audit_actor_type_is_known check (actor_type in ('member', 'operator', 'system')),
  constraint shared_audit_changes_are_an_object check (jsonb_typeof(changes) = 'object')
);

create trigger shared_audit_log_rows_never_change
before update or delete on shared_audit_log
for each row execute function refuse_change();

create trigger shared_audit_log_is_never_emptied
before truncate on shared_audit_log
for each statement execute function refuse_change();

-- Always: session_replication_role = replica does not skip them.
alter table shared_audit_log enable always trigger shared_audit_log_rows_never_change;
alter table shared_audit_log enable always trigger shared_audit_log_is_never_emptied;

revoke update, delete, truncate on shared_audit_log from public;
revoke update, delete, truncate on shared_audit_log from current_user;

comment on table shared_audit_log is 'One committed change of data that no merchant owns: who did what to which record, and when. Rows are only ever added.';
