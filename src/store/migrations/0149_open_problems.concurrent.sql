-- The open problems of a merchant, newest first. It replaces notifications_unresolved, whose condition lists the kinds that report a
-- problem, so that every new kind needed a new index. A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently notifications_open on notifications (merchant_id, created_at desc, id desc)
where resolved_at is null and kind <> all (array[
  'webhook_endpoint.disabled', 'webhook_endpoint.failing', 'webhook_endpoint.held_expiring', 'webhook_endpoint.held_expired',
  'payment.dispute_lost'
]);
drop index concurrently if exists notifications_unresolved;
