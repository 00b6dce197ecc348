-- A failure to apply a callback of a payment provider is stored with the callback, as it is for a carrier. Releases that store no
-- failure leave the columns as they are.
alter table provider_callbacks
add column failures integer not null default 0,
add column error text;

comment on column provider_callbacks.error is 'Error of the last attempt to apply the callback, for operators. Never shown to a merchant.';
