alter table merchants add column record_bodies_until timestamptz(3);

comment on column merchants.record_bodies_until is 'The request log stores the redacted bodies of rejected requests until this time. Null if the merchant has not switched this on.';

-- Text, because the type jsonb does not accept all escapes of JSON.
alter table request_log add column body text;

comment on table request_log is 'An API request of a token: its operation, result and duration. Never its token, and its body only redacted.';
comment on column request_log.body is 'The redacted body of a rejected request as JSON, at most 16 KB. Null if the merchant did not record bodies.';
