-- The operator’s rate limits of a merchant, in the format of RATE_LIMITS. Null for those of the service.
-- squawk-ignore-file constraint-missing-not-valid
alter table merchants
  add column rate_limits text,
  add constraint merchant_rate_limits_are_not_empty check (rate_limits <> '');

comment on column merchants.rate_limits is 'Rate limits of the tokens of the merchant, in the format of RATE_LIMITS. Null for the configured ones.';
