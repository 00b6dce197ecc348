-- These functions run as the owner of the tables, so the names in them must not be resolved by the search path of the caller.
alter function queue_audit() set search_path = public, pg_temp;
alter function queue_new_sale() set search_path = public, pg_temp;
alter function queue_changed_sale() set search_path = public, pg_temp;
alter function queue_refunds() set search_path = public, pg_temp;
