-- A dispute whose payment is not recorded has a notification, which the start page shows until the dispute ends. Disputes from before
-- this release have none. The time of such a dispute is the time of its last report.
insert into notifications (merchant_id, id, kind, data, created_at)
select
  merchant_id,
  'ntf_' || substr(md5(merchant_id || ' ' || dispute_id), 1, 26),
  case status
    when 'open' then 'payment.dispute_opened'
    when 'lost' then 'payment.dispute_lost'
    else 'payment.dispute_unclear'
  end,
  jsonb_build_object(
    'reference', payment_reference, 'disputeId', dispute_id, 'resolution', resolution, 'lostKobo', lost_kobo
  ),
  reported_at
from unmatched_disputes
where status <> 'won';

comment on table unmatched_disputes is 'Disputes of payments that are not recorded yet, each as the payment provider last reported it. The merchant is notified of each. Recording the payment deletes them.';
