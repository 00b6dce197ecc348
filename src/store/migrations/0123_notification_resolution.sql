-- Some notifications report a problem whose end the service cannot see, such as a payment that no order could record. The start page
-- shows the problem to every member until one marks it as resolved. Reading a notification does not resolve its problem.
alter table notifications add column resolved_at timestamptz(3);

comment on column notifications.resolved_at is 'When the reported problem was marked as resolved. Null for open problems and for kinds that report none.';
