-- Everything of a server that changes when a committed write may be missing from its database: its cluster, its timeline
-- (promotion, point-in-time recovery), its start (a restored snapshot, a crash) and the files of the database and of the
-- table (a restored dump). Null where it cannot be told, as on servers that refuse one of these functions.
create function server_identity() returns text
language plpgsql
as $$
begin
  return (pg_control_system()).system_identifier
    || '/' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
    || '/' || extract(epoch from pg_postmaster_start_time())
    || '/' || (select oid from pg_database where datname = current_database())
    || '/' || pg_relation_filenode('refunds');
exception
  when others then
    return null;
end;
$$;

alter table refunds add column created_server text;

comment on column refunds.created_server is
  'server_identity() when it was created, while it still counts: on that server no claim was lost. Null where a search must tell whether it was submitted.';

comment on column refunds.created_process is 'No longer written: created_server took its place.';
