alter table test_clocks add column has_failed boolean not null default false;

comment on column test_clocks.has_failed is 'Whether a step of the last advance failed, so that its rest was not made.';
