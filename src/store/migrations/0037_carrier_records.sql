-- What every quote and every acceptance goes by, rolled up by a job: reading the askings of all merchants for each quote would
-- cost more with every shipment there ever was. Of all merchants together, so of nobody.
create table carrier_records (
  zone_id text not null,
  carrier text not null,
  kept double precision not null,
  failed double precision not null,
  rolled_up_at timestamptz(3) not null,
  primary key (zone_id, carrier),
  constraint carrier_record_counts_are_not_negative check (kept >= 0 and failed >= 0)
);

comment on table carrier_records is 'How the askings of the last sixty days ended, by carrier and pickup zone, the newer the heavier. Test mode has carriers of its own.';
comment on column carrier_records.zone_id is 'Empty is everywhere.';
comment on column carrier_records.rolled_up_at is 'The weights are those of this moment.';

create table carrier_assignment_times (
  carrier text not null,
  zone_id text not null,
  is_on_demand boolean not null,
  sample_size integer not null,
  p95_seconds double precision,
  rolled_up_at timestamptz(3) not null,
  primary key (carrier, zone_id, is_on_demand),
  constraint assignment_times_are_of_something check (sample_size > 0),
  constraint assignment_takes_no_time_back check (p95_seconds >= 0)
);

comment on table carrier_assignment_times is 'Within how many seconds of its yes a carrier names a rider in 95 of a hundred cases.';
comment on column carrier_assignment_times.p95_seconds is 'Null where so many were given up without a rider that nobody knows.';

-- For the roll-up, over all carriers: what is older than its window is not read.
create index attempts_by_start on dispatch_attempts (started_at);

alter table shipments add column pickup_estimate jsonb;
comment on column shipments.pickup_estimate is 'When the carrier that has it said it would fetch it, as it said so when it took it.';
