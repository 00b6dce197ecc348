-- Most shops send from one door, and say so once.
alter table merchants add column default_pickup jsonb;

alter table merchants
  add constraint default_pickup_is_a_place
  check (jsonb_typeof(default_pickup) = 'object' and default_pickup ? 'line1');

comment on column merchants.default_pickup is 'Where parcels are fetched of which nothing else is said, as a request would say it.';
