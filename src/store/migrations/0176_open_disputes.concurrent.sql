-- A lost dispute is an open problem, until a member resolves it. notifications_problems replaces notifications_open, whose condition
-- excludes the notifications of lost disputes. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
-- Disputes that were lost more than thirty days before this release count as resolved, because members have read the notification.
update notifications set resolved_at = now()
where resolved_at is null and created_at < now() - interval '30 days' and kind = 'payment.dispute_lost';
create index concurrently notifications_problems on notifications (merchant_id, created_at desc, id desc)
where resolved_at is null and kind <> all (array[
  'webhook_endpoint.disabled', 'webhook_endpoint.failing', 'webhook_endpoint.held_expiring', 'webhook_endpoint.held_expired'
]);
drop index concurrently if exists notifications_open;
