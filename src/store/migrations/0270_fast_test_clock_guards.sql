-- The guards of append-only rows run for each row that a step of the test clock moves. They compare rows instead of JSON documents,
-- which took most of the time of a step. `moved` is the old row with the new times, so no other column may differ.
create or replace function refuse_change_of_attempt() returns trigger
language plpgsql
as $$
declare
  moved record;
begin
  if tg_op = 'UPDATE' then
    moved := old;
    moved.started_at := new.started_at;
    moved.finished_at := new.finished_at;
    if new.started_at < old.started_at
      and old.started_at - new.started_at = old.finished_at - new.finished_at
      and moved is not distinct from new
      and is_in_test_mode(new.merchant_id)
    then
      return new;
    end if;
    if new.response_body is null and to_jsonb(new) - 'response_body' = to_jsonb(old) - 'response_body' then
      return new;
    end if;
  end if;
  raise exception 'webhook_attempts is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only response_body may be redacted.';
end
$$;

create or replace function refuse_change_of_shipment_event() returns trigger
language plpgsql
as $$
declare
  moved record;
begin
  if tg_op = 'UPDATE' then
    moved := old;
    moved.occurred_at := new.occurred_at;
    moved.received_at := new.received_at;
    if new.occurred_at < old.occurred_at
      and old.occurred_at - new.occurred_at = old.received_at - new.received_at
      and moved is not distinct from new
      and is_in_test_mode(new.merchant_id)
    then
      return new;
    end if;
    if new.description <> ''
      and starts_with(old.description, new.description)
      and to_jsonb(new) - 'description' = to_jsonb(old) - 'description'
    then
      return new;
    end if;
  end if;
  raise exception 'shipment_events is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only the end of a description may be cut off.';
end
$$;

-- The arguments of a trigger are the times of its table that the test clock moves. Without arguments, no row ever changes. A table
-- with another time than the three below, or with several, is compared as JSON documents.
create or replace function refuse_change() returns trigger
language plpgsql
as $$
declare
  moved record;
  is_moved boolean := false;
begin
  if tg_op = 'UPDATE' and tg_nargs > 0 then
    moved := old;
    case array_to_string(tg_argv::text[], ',')
      when 'created_at' then
        moved.created_at := new.created_at;
        is_moved := new.created_at < old.created_at and moved is not distinct from new;
      when 'issued_at' then
        moved.issued_at := new.issued_at;
        is_moved := new.issued_at < old.issued_at and moved is not distinct from new;
      when 'occurred_at' then
        moved.occurred_at := new.occurred_at;
        is_moved := new.occurred_at < old.occurred_at and moved is not distinct from new;
      else
        is_moved := moves_only_times(to_jsonb(old), to_jsonb(new), tg_argv::text[]);
    end case;
    if is_moved and is_in_test_mode(new.merchant_id) then
      return new;
    end if;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Write a new row that says what changed.';
end
$$;
