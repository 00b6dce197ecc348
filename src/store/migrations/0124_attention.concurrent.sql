-- The start page of the dashboard finds the records that need attention however old they are. Each index holds a small share of its
-- table, in the order of the page.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently shipments_with_open_exceptions on shipments (merchant_id, created_at desc, id desc)
where exceptions <> '[]' and jsonb_path_exists(exceptions, '$[*] ? (!exists(@.resolvedAt))');
create index concurrently refunds_awaiting_bank_details on refunds (merchant_id, created_at desc, id desc)
where status = 'needs_attention';
create index concurrently refunds_failed_newest_first on refunds (merchant_id, failed_at desc, id desc)
where status = 'failed';
-- Only the kinds that are resolved by hand: the condition of another kind ends by itself, or reports an event.
create index concurrently notifications_unresolved on notifications (merchant_id, created_at desc, id desc)
where resolved_at is null
  and kind in (
    'payment.not_recorded', 'payment.dispute_unclear', 'payment.differences',
    'refund.contradicted', 'refund.amount_differs', 'refund.dispute_lost'
  );
