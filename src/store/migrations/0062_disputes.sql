create table payment_disputes (
  merchant_id record_id not null,
  dispute_id text not null,
  payment_id record_id not null,
  status text not null,
  resolution text,
  lost_kobo kobo not null default 0,
  opened_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  primary key (merchant_id, dispute_id),
  constraint dispute_is_of_a_payment foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  constraint dispute_status_is_known check (status in ('open', 'won', 'lost', 'unclear')),
  constraint only_a_lost_dispute_takes_money check (lost_kobo = 0 or status = 'lost'),
  constraint dispute_resolved_at_iff_not_open check ((resolved_at is null) = (status = 'open'))
);

create index payment_disputes_by_payment on payment_disputes (merchant_id, payment_id);

comment on table payment_disputes is 'Disputes of payments as the payment provider reports them. One payment can have several.';
comment on column payment_disputes.status is 'unclear: the provider called it resolved without a result this service knows, so the payment stays locked.';
comment on column payment_disputes.lost_kobo is 'What the dispute returned to the payer. It cannot be refunded a second time.';

-- Disputes known so far only by their callbacks. A lost one stays open here, which locks its payment as before.
insert into payment_disputes (merchant_id, dispute_id, payment_id, status, opened_at)
select
  payment.merchant_id, substr(callback.subject, length('dispute ') + 1), payment.id, 'open', min(payment.disputed_at)
from payments payment
join provider_callbacks callback
  on callback.merchant_id = payment.merchant_id and callback.payment_reference = payment.reference
where payment.disputed_at is not null
  and payment.provider = 'paystack'
  and callback.subject like 'dispute %'
  and callback.outcome = 'applied'
group by payment.merchant_id, callback.subject, payment.id
on conflict do nothing;

alter table payments
add column dispute_lost_kobo kobo not null default 0,
add constraint payment_loses_no_more_than_it_brought check (dispute_lost_kobo <= amount_kobo);

comment on column payments.disputed_at is 'Set while nothing of it can be refunded: a dispute is open, was lost as a whole, or ended unclear.';
comment on column payments.dispute_lost_kobo is 'What lost disputes returned to the payer.';
