-- Jobs got new names in this release. No worker runs a queued job of an old name, so the rows would stay for ever. Deleting
-- them loses nothing: every worker adds the next run of each recurring job, and the sweeper finds all that is due.
do $$
begin
  -- A new database gets graphile_worker after these migrations.
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs
    where task_id in (
      select id
      from graphile_worker._private_tasks
      where identifier in (
        'empty_callbacks', 'empty_carrier_callbacks', 'empty_quotes', 'forget_positions', 'learn_times', 'look_at_shipments',
        'turn_partitions'
      )
    );
  end if;
end
$$;
