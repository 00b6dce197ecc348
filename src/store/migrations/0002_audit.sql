-- Shared by every append-only table. It refuses the table's owner and a superuser too, whom no privilege stops.
create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Write a new row that says what changed.';
end
$$;

create table audit_log (
  merchant_id record_id not null,
  id record_id not null,
  occurred_at timestamptz(3) not null,
  -- Lets a reader take only rows no open transaction can still precede: below pg_snapshot_xmin.
  transaction_id xid8 not null default pg_current_xact_id(),
  actor_type text not null,
  actor_id text,
  actor_label text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  request_id text,
  source_ip inet,
  user_agent text,
  changes jsonb not null default '{}',
  -- No foreign key to merchants: each would lock the merchant's one row in every mutation.
  primary key (merchant_id, id),
  constraint audit_actor_type_is_known check (actor_type in ('token', 'member', 'operator', 'provider', 'system')),
  constraint audit_names_its_token_or_member check (actor_id is not null or actor_type not in ('token', 'member')),
  constraint audit_source_ip_is_known_unless_no_request check (source_ip is not null or actor_type in ('operator', 'system')),
  constraint audit_changes_are_an_object check (jsonb_typeof(changes) = 'object')
);

-- Newest first needs no index of its own: ids sort by time.
create index audit_log_by_resource on audit_log (merchant_id, resource_id);

create trigger audit_log_rows_never_change
before update or delete on audit_log
for each row execute function refuse_change();

create trigger audit_log_is_never_emptied
before truncate on audit_log
for each statement execute function refuse_change();

-- Always: session_replication_role = replica does not skip them.
alter table audit_log enable always trigger audit_log_rows_never_change;
alter table audit_log enable always trigger audit_log_is_never_emptied;

revoke update, delete, truncate on audit_log from public;
revoke update, delete, truncate on audit_log from current_user;

comment on table audit_log is 'One committed mutation: who did what to which record, when and from where. Rows are only ever added.';
comment on column audit_log.changes is 'Field name to [before, after]. Personal data appears as "[redacted]", so that erasing a customer never touches this table.';
