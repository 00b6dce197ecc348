-- Deliveries in flight when an endpoint first fails end together. What the endpoint's count was when each was claimed tells
-- those whose failure was already counted from those that follow it.
alter table webhook_attempts add column failures_at_claim integer;
comment on column webhook_attempts.failures_at_claim is 'The endpoint''s consecutive failures when the delivery was claimed. Null where nobody knows: the worker was lost, or the attempt is older than this column.';
