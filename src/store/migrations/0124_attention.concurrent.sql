-- The start page of the dashboard finds the records that need attention however old they are. Each index holds a small share of its
-- table, in the order of the page.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
-- Problems from before this release count as resolved after thirty days: members have read them, and nothing recorded what they did.
update notifications set resolved_at = now()
where resolved_at is null
  and created_at < now() - interval '30 days'
  and kind in (
    'payment.not_recorded', 'payment.dispute_unclear', 'payment.differences',
    'refund.contradicted', 'refund.amount_differs', 'refund.dispute_lost'
  );
create index concurrently shipments_with_open_exceptions on shipments (merchant_id, created_at desc, id desc)
where exceptions <> '[]' and jsonb_path_exists(exceptions, '$[*] ? (!exists(@.resolvedAt))');
create index concurrently refunds_awaiting_bank_details on refunds (merchant_id, created_at desc, id desc)
where status = 'needs_attention';
create index concurrently refunds_failed_newest_first on refunds (merchant_id, failed_at desc, id desc)
where status = 'failed';
-- Only the kinds that report a problem to resolve.
create index concurrently notifications_unresolved on notifications (merchant_id, created_at desc, id desc)
where resolved_at is null
  and kind in (
    'payment.not_recorded', 'payment.dispute_unclear', 'payment.differences',
    'refund.contradicted', 'refund.amount_differs', 'refund.dispute_lost'
  );
