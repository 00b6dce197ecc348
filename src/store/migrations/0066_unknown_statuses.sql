create table unknown_carrier_statuses (
  carrier text not null,
  status text not null,
  times bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (carrier, status),
  constraint unknown_status_was_seen check (times > 0)
);

comment on table unknown_carrier_statuses is 'Statuses that carriers reported and no adapter maps, each with how many shipments had it.';
