-- A payment that was recorded by mistake can be voided: it stays as a row, and no longer counts as money of its order.
alter table payments
  add column voided_at timestamptz(3),
  add column void_reason text,
  add constraint payment_is_voided_with_a_reason check (
    (voided_at is null) = (void_reason is null)
    and (void_reason is null or void_reason in ('duplicate', 'wrong_amount', 'wrong_order', 'not_received', 'bounced', 'other'))
  ) not valid,
  add constraint only_a_manual_payment_is_voided check (voided_at is null or provider = 'manual') not valid;

comment on column payments.voided_at is 'When the payment was voided. Null for a payment that counts.';
comment on column payments.void_reason is 'Reason code of the void. Null for a payment that counts.';
