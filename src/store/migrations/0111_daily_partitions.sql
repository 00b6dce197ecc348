-- The request log has daily partitions, which the functions of the rotation must accept beside the monthly ones. A name of six
-- or seven digits is a month, a name of eight or nine a day.
create or replace function require_rotated(parent text, partition text) returns void
language plpgsql
as $$
begin
  if parent not in ('webhook_attempts', 'webhook_deliveries', 'webhook_events', 'request_log')
    or partition !~ ('^' || parent || '_[0-9]{6,9}$')
  then
    raise exception '% is not a partition of % by time', partition, parent using errcode = 'invalid_parameter_value';
  end if;
end
$$;
