-- Some notifications report a condition whose end the service cannot see, such as a payment that no order could record. The start
-- page shows them to every member until one marks them as resolved; what a member has read is no longer the condition's end.
alter table notifications add column resolved_at timestamptz(3);

comment on column notifications.resolved_at is 'When the reported condition was marked as resolved. Null for other kinds and for open conditions.';
