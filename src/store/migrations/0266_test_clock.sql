-- The test clock of a merchant in test mode. Advancing it makes the records of the merchant older: its times move back, so that
-- every search for due work, which compares the times of all merchants with the current time, finds them.
create table test_clocks (
  merchant_id record_id primary key,
  advanced_ms bigint not null default 0,
  is_advancing boolean not null default false,
  remaining_ms bigint not null default 0,
  steps integer not null default 0,
  constraint test_clock_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint test_clock_moves_forward check (advanced_ms >= 0 and remaining_ms >= 0 and steps >= 0),
  constraint test_clock_advances_while_it_has_a_rest check (is_advancing or remaining_ms = 0)
);

create index test_clocks_that_advance on test_clocks (merchant_id) where is_advancing;

comment on table test_clocks is 'Test clocks of merchants in test mode. A merchant without a row has never advanced its clock.';
comment on column test_clocks.advanced_ms is 'By how much the clock has been advanced altogether.';
comment on column test_clocks.is_advancing is 'Whether an advance is under way, the work that is due after its last step included.';
comment on column test_clocks.remaining_ms is 'The rest of an advance that a worker still has to make.';
comment on column test_clocks.steps is 'Number of steps of the current or last advance. A worker that has not seen the latest step makes none.';

create function is_in_test_mode(of_merchant text) returns boolean
language sql stable
as $$
  select exists (select from merchants where id = of_merchant and mode = 'test')
$$;

create function test_clock_is_of_a_test_merchant() returns trigger
language plpgsql
as $$
begin
  if not is_in_test_mode(new.merchant_id) then
    raise exception 'Merchant % is in live mode and has no test clock.', new.merchant_id
      using errcode = 'check_violation', constraint = 'test_clock_is_of_a_test_merchant', table = 'test_clocks';
  end if;
  return new;
end
$$;

create trigger test_clock_is_of_a_test_merchant
before insert or update on test_clocks
for each row execute function test_clock_is_of_a_test_merchant();

-- Reports whether a change of a row moves only the given times, all back by the same span, and belongs to a merchant in test mode.
create function moves_only_times(old_row jsonb, new_row jsonb, times text[]) returns boolean
language sql stable
as $$
  select old_row - times = new_row - times
    and (
      select count(distinct span) = 1 and min(span) > interval '0' and bool_and((old_time is null) = (new_time is null))
      from unnest(times) as moved (name)
      cross join lateral (
        select (old_row ->> name)::timestamptz as old_time, (new_row ->> name)::timestamptz as new_time
      ) as times
      cross join lateral (select old_time - new_time as span) as spans
    )
    and is_in_test_mode(new_row ->> 'merchant_id')
$$;

-- The arguments of a trigger are the times of its table that the test clock moves. Without arguments, no row ever changes.
create or replace function refuse_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and tg_nargs > 0 and moves_only_times(to_jsonb(old), to_jsonb(new), tg_argv::text[]) then
    return new;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Write a new row that says what changed.';
end
$$;

drop trigger order_status_changes_rows_never_change on order_status_changes;
create trigger order_status_changes_rows_never_change
before update or delete on order_status_changes
for each row execute function refuse_change('occurred_at');
alter table order_status_changes enable always trigger order_status_changes_rows_never_change;

drop trigger stock_movements_rows_never_change on stock_movements;
create trigger stock_movements_rows_never_change
before update or delete on stock_movements
for each row execute function refuse_change('created_at');
alter table stock_movements enable always trigger stock_movements_rows_never_change;

drop trigger receipts_rows_never_change on receipts;
create trigger receipts_rows_never_change
before update or delete on receipts
for each row execute function refuse_change('issued_at');
alter table receipts enable always trigger receipts_rows_never_change;

create or replace function refuse_change_of_attempt() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and new.response_body is null and to_jsonb(new) - 'response_body' = to_jsonb(old) - 'response_body' then
    return new;
  end if;
  if tg_op = 'UPDATE' and moves_only_times(to_jsonb(old), to_jsonb(new), array['started_at', 'finished_at']) then
    return new;
  end if;
  raise exception 'webhook_attempts is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only response_body may be redacted.';
end
$$;

create or replace function refuse_change_of_shipment_event() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE'
    and new.description <> ''
    and starts_with(old.description, new.description)
    and to_jsonb(new) - 'description' = to_jsonb(old) - 'description'
  then
    return new;
  end if;
  if tg_op = 'UPDATE' and moves_only_times(to_jsonb(old), to_jsonb(new), array['occurred_at', 'received_at']) then
    return new;
  end if;
  raise exception 'shipment_events is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only the end of a description may be cut off.';
end
$$;

grant update (occurred_at, received_at) on shipment_events to current_user;

create or replace function payment_link_facts_are_final() returns trigger
language plpgsql
as $$
begin
  if new.created_at <> old.created_at
    and moves_only_times(
      to_jsonb(old), to_jsonb(new), array['created_at', 'expires_at', 'withdrawn_at', 'key_updated_at']
    )
  then
    return new;
  end if;
  if old.withdrawn_at is not null
    or (old.url is not null and new.url is distinct from old.url)
    or old.key_updated_at is distinct from new.key_updated_at
    or (new.merchant_id, new.id, new.order_id, new.provider, new.reference, new.amount_kobo, new.expires_at, new.created_at)
      is distinct from
      (old.merchant_id, old.id, old.order_id, old.provider, old.reference, old.amount_kobo, old.expires_at, old.created_at)
  then
    raise exception 'The facts of a payment link do not change.'
      using errcode = 'check_violation', constraint = 'payment_link_facts_are_final', table = 'payment_links';
  end if;
  return new;
end
$$;

-- Moves every time in a document: each text with the format of a timestamp of the service.
create function document_moved_back(document jsonb, span interval) returns jsonb
language plpgsql immutable
as $$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, document_moved_back(value, span)), '{}') from jsonb_each(document));
    when 'array' then
      return (
        select coalesce(jsonb_agg(document_moved_back(value, span) order by position), '[]')
        from jsonb_array_elements(document) with ordinality as element (value, position)
      );
    when 'string' then
      if document #>> '{}' ~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$' then
        return to_jsonb(
          to_char(((document #>> '{}')::timestamptz - span) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        );
      end if;
      return document;
    else
      return document;
  end case;
end
$$;

-- Moves the times of a merchant's rows in a table back. It runs as the owner of the tables, because the role of the service may
-- not change the rows of append-only tables: their triggers decide. `fixed` are the columns that do not move, and `documents`
-- the columns with times inside JSON.
create function move_times_back(of_merchant text, of_table text, fixed text[], documents text[], by_ms bigint) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  assignments text;
begin
  if not is_in_test_mode(of_merchant) then
    raise exception 'Merchant % is in live mode, so its times do not move.', of_merchant
      using errcode = 'check_violation', constraint = 'moved_times_are_of_a_test_merchant', table = of_table;
  end if;
  if by_ms <= 0 then
    raise exception 'Times do not move forward.'
      using errcode = 'check_violation', constraint = 'times_move_back', table = of_table;
  end if;
  select string_agg(
    case when attname = any(documents) then format('%1$I = document_moved_back(%1$I, $2)', attname)
      else format('%1$I = %1$I - $2', attname) end,
    ', ' order by attnum
  )
  into assignments
  from pg_attribute
  where attrelid = format('public.%I', of_table)::regclass
    and attnum > 0
    and not attisdropped
    and (atttypid = 'timestamptz'::regtype and attname <> all(fixed) or attname = any(documents));
  if assignments is not null then
    execute format('update %I set %s where merchant_id = $1', of_table, assignments)
    using of_merchant, make_interval(secs => by_ms / 1000.0);
  end if;
end
$$;
