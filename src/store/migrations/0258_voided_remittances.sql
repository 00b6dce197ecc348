-- A remittance that was recorded by mistake can be voided: it stays as a row, and no longer counts as transferred cash.
alter table remittances
  add column voided_at timestamptz(3),
  add column void_reason text;

alter table remittances
  add constraint remittance_is_voided_with_a_reason check (
    (voided_at is null) = (void_reason is null)
    and (
      void_reason is null
      or void_reason in ('duplicate', 'wrong_amount', 'wrong_carrier', 'not_received', 'other')
    )
  ) not valid;

comment on column remittances.voided_at is 'When the remittance was voided. Null for a remittance that counts.';
comment on column remittances.void_reason is 'Reason code of the void. Null for a remittance that counts.';
