alter table shipments
add column warnings jsonb not null default '[]',
add constraint shipment_warnings_are_a_list check (jsonb_typeof(warnings) = 'array');

comment on column shipments.warnings is 'What was doubtful of its places and windows when it was made.';
