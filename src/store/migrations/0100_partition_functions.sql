-- The role of the service owns no tables, so it cannot create, attach or drop partitions itself. These functions run with the
-- privileges of the owner, and only on the monthly partitions of the three tables that are rotated.
create function require_rotated(parent text, partition text) returns void
language plpgsql
as $$
begin
  if parent not in ('webhook_attempts', 'webhook_deliveries', 'webhook_events')
    or partition !~ ('^' || parent || '_[0-9]{6,7}$')
  then
    raise exception '% is not a monthly partition of %', partition, parent using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Locks a table against all others until the commit. `lock table` itself requires a privilege to change rows, which the service
-- lacks on append-only tables.
create function lock_for_rotation(parent text, includes_partitions boolean) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform require_rotated(parent, parent || '_000000');
  if includes_partitions then
    execute format('lock table %I in access exclusive mode', parent);
  else
    execute format('lock table only %I, %I in access exclusive mode', parent, parent || '_default');
  end if;
end
$$;

-- Creates the table to attach. `create table ... partition of` would block all inserts. With its check constraint, attaching the
-- table does not scan its rows. A process that was killed may have left a staging table behind.
create function stage_partition(parent text, partition text, from_id text, to_id text) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  staging text := partition || '_staging';
  partition_key text := case parent when 'webhook_attempts' then 'delivery_id' else 'id' end;
  filtered text;
begin
  perform require_rotated(parent, partition);
  execute format('drop table if exists %I', staging);
  execute format(
    'create table %I (
       like %I including defaults including constraints including indexes,
       constraint partition_holds_its_month check (%I >= %L and %I < %L)
     )',
    staging, parent, partition_key, from_id, partition_key, to_id
  );
  if parent = 'webhook_deliveries' then
    -- The columns in the predicates of partial indexes have no statistics. ANALYZE mostly runs while the queue is empty. The
    -- planner would then estimate these indexes as empty and prefer to scan all deliveries of a merchant.
    foreach filtered in array array['status', 'next_attempt_at', 'lease_until', 'replay_of', 'bulk_replay_id'] loop
      execute format('alter table %I alter column %I set statistics 0', staging, filtered);
    end loop;
  end if;
  -- Rows of the default partition are copied to the table before it is attached.
  execute format('grant select, insert, update, delete on %I to %I', staging, session_user);
end
$$;

create function attach_partition(parent text, partition text, from_id text, to_id text) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform require_rotated(parent, partition);
  execute format('alter table %I rename to %I', partition || '_staging', partition);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, from_id, to_id);
  execute format('alter table %I drop constraint partition_holds_its_month', partition);
  -- From here on, the privileges on the parent apply. An owner keeps its own.
  if session_user <> current_user then
    execute format('revoke all on %I from %I', partition, session_user);
  end if;
end
$$;

create function drop_partition(parent text, partition text) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform require_rotated(parent, partition);
  execute format('alter table %I detach partition %I', parent, partition);
  execute format('drop table %I', partition);
end
$$;

create function detach_default_partition(parent text) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform require_rotated(parent, parent || '_000000');
  execute format('alter table %I detach partition %I', parent, parent || '_default');
end
$$;

-- Attaches the default partition again once its rows are in their own partitions.
create function attach_empty_default_partition(parent text) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform require_rotated(parent, parent || '_000000');
  execute format('truncate %I', parent || '_default');
  execute format('alter table %I attach partition %I default', parent, parent || '_default');
end
$$;

-- Before PostgreSQL 17, only an owner can analyze a table.
create function analyze_seeded_tables() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  analyze
    products, product_variants, customers, orders, order_items, payments, order_status_changes, stock_movements, inventory;
end
$$;

revoke execute on function lock_for_rotation(text, boolean) from public;
revoke execute on function stage_partition(text, text, text, text) from public;
revoke execute on function attach_partition(text, text, text, text) from public;
revoke execute on function drop_partition(text, text) from public;
revoke execute on function detach_default_partition(text) from public;
revoke execute on function attach_empty_default_partition(text) from public;
revoke execute on function analyze_seeded_tables() from public;
