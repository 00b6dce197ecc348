-- Whether a merchant is in test mode decides whether its append-only rows may move, so it never changes.
create function refuse_change_of_mode() returns trigger
language plpgsql
as $$
begin
  raise exception 'The mode of merchant % never changes.', old.id
    using errcode = 'restrict_violation', constraint = 'merchant_mode_never_changes', table = 'merchants';
end
$$;

create trigger merchant_mode_never_changes
before update on merchants
for each row
when (
  old.id is distinct from new.id
  or old.mode is distinct from new.mode
  or old.live_merchant_id is distinct from new.live_merchant_id
)
execute function refuse_change_of_mode();

alter table merchants enable always trigger merchant_mode_never_changes;

-- A caller must not replace the table of the merchants with a temporary table of the same name.
alter function is_in_test_mode(text) set search_path = public, pg_temp;

revoke execute on function move_times_back(text, text, text[], text[], bigint) from public;
