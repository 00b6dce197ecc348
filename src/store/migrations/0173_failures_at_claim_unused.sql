-- Every failed attempt counts, so the count at the claim decides nothing any more.
comment on column webhook_attempts.failures_at_claim is 'Unused. The release before still writes it, so a later release drops it.';
