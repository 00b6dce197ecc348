-- All records that a change concerns, so that the log of an order has its payments, refunds and shipments.
alter table audit_log add column resources text[];

comment on column audit_log.resources is 'Ids of all records that the change wrote or locked, sorted. Null in rows from before this column.';

-- The search for a record that is not the resource of the row. An index of the array could not return a page in the order of the
-- list: a product variant has a row for each of its orders.
create table audit_resources (
  merchant_id record_id not null,
  resource_id record_id not null,
  audit_id record_id not null,
  constraint audit_resources_pkey primary key (merchant_id, resource_id, audit_id)
);

comment on table audit_resources is 'The ids in audit_log.resources, except that of the resource itself.';

create trigger audit_resources_rows_never_change
before update or delete on audit_resources
for each row execute function refuse_change();

create trigger audit_resources_is_never_emptied
before truncate on audit_resources
for each statement execute function refuse_change();

-- Always: session_replication_role = replica does not skip them.
alter table audit_resources enable always trigger audit_resources_rows_never_change;
alter table audit_resources enable always trigger audit_resources_is_never_emptied;

revoke update, delete, truncate on audit_resources from public;
revoke update, delete, truncate on audit_resources from current_user;
