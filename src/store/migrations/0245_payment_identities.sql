-- A reference can have several payments at a provider, and payments at several providers. The provider's id and name
-- distinguish them.
alter table payments add column provider_payment_id text;
comment on column payments.provider_payment_id is 'The provider''s own id of the payment. Null for a manual payment, and for a payment recorded before the column existed.';

-- Before this release, Paystack was the only provider that reported disputes.
alter table unmatched_disputes add column provider text not null default 'paystack';
comment on column unmatched_disputes.provider is 'The payment provider that reported the dispute.';
