-- A report of requests names how far they move the arrival time, and when the first of them was accepted. An update needs both.
alter table rate_limits add column charge_ms double precision not null default 0;

comment on column rate_limits.charge_ms is 'How far the last report moved the arrival time, in milliseconds. Negative when it gave requests back.';
