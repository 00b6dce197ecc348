-- A provider may report a dispute before the payment is recorded, whose own callback came late or was lost. The report is
-- stored and applied in the transaction that records the payment.
create table unmatched_disputes (
  merchant_id record_id not null,
  dispute_id text not null,
  payment_reference text not null,
  status text not null,
  resolution text,
  lost_kobo kobo,
  reported_at timestamptz(3) not null,
  primary key (merchant_id, dispute_id),
  constraint unmatched_dispute_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint unmatched_dispute_status_is_known check (status in ('open', 'won', 'lost', 'unclear'))
);

create index unmatched_disputes_by_payment on unmatched_disputes (merchant_id, payment_reference);

comment on table unmatched_disputes is 'Disputes of payments that are not recorded yet, each as the payment provider last reported it. Recording the payment deletes them.';
comment on column unmatched_disputes.lost_kobo is 'What a lost dispute returned to the payer; null means the whole payment.';

-- Reports that were ignored before this table existed are applied once more.
update provider_callbacks
set outcome = null, reason = null, settled_at = null, next_try_at = received_at
where kind like 'charge.dispute.%' and outcome = 'ignored' and reason = 'payment_unknown' and octet_length(body) > 0;
