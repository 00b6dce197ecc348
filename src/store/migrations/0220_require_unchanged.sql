-- A write that was computed from an unlocked read requires the version of the record. Calls this function with the number
-- of records that it changed. The error makes the transaction run again.
create function require_unchanged(changed_records bigint) returns void
language plpgsql
as $$
begin
  if changed_records = 0 then
    raise exception 'a record has changed since it was read'
      using errcode = 'serialization_failure';
  end if;
end
$$;
