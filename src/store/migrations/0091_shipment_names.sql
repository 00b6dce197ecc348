-- Columns of shipments and dispatch attempts take standard names. No earlier release was published, so no process that reads
-- the old names runs beside this schema.
-- squawk-ignore-file renaming-column
alter table shipments rename column next_look_at to next_check_at;
alter table shipments rename column looks to checks;

alter table dispatch_attempts rename column next_look_at to next_check_at;
alter table dispatch_attempts rename column looks to checks;
alter table dispatch_attempts rename column watch_until to monitor_until;
alter table dispatch_attempts rename column absences to not_found_count;
alter table dispatch_attempts rename column absent_since to not_found_since;

-- 0093 renames the state of existing rows, 0094 validates the constraint.
alter table dispatch_attempts
drop constraint attempt_state_is_known,
add constraint attempt_state_is_known check (
  state in (
    'sending', 'unknown', 'accepted', 'cancelling', 'refused', 'unavailable', 'invalid', 'skipped', 'not_found_at_carrier',
    'abandoned', 'late_cancelled', 'superseded', 'cancelled', 'completed'
  )
) not valid;

alter index shipments_to_look_at rename to shipments_due_for_check;
alter index attempts_to_look_at rename to attempts_due_for_check;
