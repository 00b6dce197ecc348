-- How long things took. What is learnt of it is kept apart, so that it can be learnt anew in another way.
create table logistics_observations (
  merchant_id record_id not null,
  shipment_id record_id not null,
  kind text not null,
  carrier text not null,
  zone_from text,
  zone_to text,
  hour_bucket smallint not null,
  -- None where the clocks of the two who told contradict each other: then nothing was learnt, and nobody need look again.
  seconds double precision,
  is_censored boolean not null default false,
  is_inferred boolean not null default false,
  observed_at timestamptz(3) not null,
  noted_at timestamptz(3) not null,
  primary key (merchant_id, shipment_id, kind),
  constraint observation_is_of_a_shipment foreign key (merchant_id, shipment_id) references shipments (merchant_id, id),
  constraint observation_kind_is_known check (kind in ('prep', 'lead', 'travel')),
  constraint observation_hour_is_known check (hour_bucket between 0 and 5),
  constraint observation_takes_time check (seconds > 0)
);

create index observations_newest_first on logistics_observations (merchant_id, kind, observed_at desc);
create index observations_by_note on logistics_observations (noted_at);

comment on table logistics_observations is 'How long preparing, the rider’s way to the pickup and the way to the customer took.';
comment on column logistics_observations.is_censored is 'It took at most so long: a parcel that waited for its rider was ready at a time nobody saw.';
comment on column logistics_observations.is_inferred is 'Nobody told when the rider arrived; he was there when he took the parcel.';
comment on column logistics_observations.observed_at is 'When it was over, by the clock of whoever told.';
comment on column logistics_observations.hour_bucket is 'Of the day in Lagos: 0 from midnight, 1 from 6, 2 from 10, 3 from 14, 4 from 17, 5 from 20 o’clock.';

-- Jobs ask which shipments have ended since they last looked.
create index shipments_by_end on shipments (ended_at) where picked_up_at is not null;

-- Nineteen quantiles as a distribution: what stays under in such a share of cases, and in what share a value is not reached.
-- Straight between them, and down to nothing below the first.
create function quantile_at(seconds double precision[], share double precision) returns double precision
language sql immutable
return (
  select case
    when place < 1 then seconds[1] * place
    when place >= 19 then seconds[19] + (seconds[19] - seconds[18]) * (place - 19)
    else seconds[floor(place)::integer]
      + (seconds[floor(place)::integer + 1] - seconds[floor(place)::integer]) * (place - floor(place))
  end
  from (select share * 20 as place) as placed
);

create function share_below(seconds double precision[], value double precision) returns double precision
language sql immutable
return (
  select case
    when below = 0 then value / seconds[1] / 20
    when below = 19 then least(1, 0.95 + (value - seconds[19]) / nullif(seconds[19] - seconds[18], 0) / 20)
    else (below + (value - seconds[below]) / (seconds[below + 1] - seconds[below])) / 20
  end
  from (select width_bucket(value, seconds) as below) as counted
);

create table logistics_quantiles (
  merchant_id record_id not null,
  kind text not null,
  hour_bucket smallint not null,
  sample_size integer not null,
  seconds double precision[] not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, kind, hour_bucket),
  constraint quantiles_are_nineteen check (array_length(seconds, 1) = 19),
  constraint quantiles_are_of_something check (sample_size > 0)
);

comment on table logistics_quantiles is 'What a merchant’s times stay under in 5, 10, … 95 of a hundred cases, rolled up each hour.';
comment on column logistics_quantiles.hour_bucket is '-1 is the whole day.';

-- Of several merchants together, so of nobody: what is known where a merchant has no history of its own.
create table shared_quantiles (
  is_simulated boolean not null,
  kind text not null,
  zone_from text not null,
  zone_to text not null,
  hour_bucket smallint not null,
  sample_size integer not null,
  seconds double precision[] not null,
  updated_at timestamptz(3) not null,
  primary key (is_simulated, kind, zone_from, zone_to, hour_bucket),
  constraint shared_quantiles_are_nineteen check (array_length(seconds, 1) = 19),
  constraint shared_quantiles_are_of_something check (sample_size > 0)
);

comment on table shared_quantiles is 'The same for a delivery zone and for everywhere, where at least three merchants are in it.';
comment on column shared_quantiles.is_simulated is 'Of test mode, whose riders are not real and teach nothing of those who are.';
comment on column shared_quantiles.zone_from is 'Empty is everywhere.';

-- One for each shipment that was scheduled: what was foretold, and what came.
create table schedule_predictions (
  merchant_id record_id not null,
  id record_id not null,
  shipment_id record_id not null,
  basis text not null,
  made_at timestamptz(3) not null,
  dispatch_at timestamptz(3) not null,
  ready_p50_at timestamptz(3) not null,
  ready_p90_at timestamptz(3) not null,
  arrival_p50_at timestamptz(3) not null,
  arrival_p90_at timestamptz(3) not null,
  -- The whole answer, for whoever asks again.
  schedule jsonb not null,
  -- What it is to be planned by once more.
  request jsonb not null,
  replanned_at timestamptz(3),
  dispatched_at timestamptz(3),
  ready_at timestamptz(3),
  ready_by_at timestamptz(3),
  arrived_at timestamptz(3),
  settled_at timestamptz(3),
  primary key (merchant_id, id),
  constraint prediction_is_of_one_shipment unique (merchant_id, shipment_id),
  constraint prediction_is_of_a_shipment foreign key (merchant_id, shipment_id) references shipments (merchant_id, id)
);

create index predictions_settled on schedule_predictions (merchant_id, settled_at desc) where settled_at is not null;

comment on table schedule_predictions is 'What was foretold of a scheduled shipment, and what came.';
comment on column schedule_predictions.ready_by_at is 'When the rider found the parcel ready: it was so at a time before that nobody saw.';

-- How wide the upper half of what is foretold has to be drawn, by what came of the last of it.
create table schedule_calibrations (
  merchant_id record_id not null,
  kind text not null,
  widening double precision not null,
  coverage50 double precision not null,
  coverage90 double precision not null,
  sample_size integer not null,
  judged_at timestamptz(3),
  primary key (merchant_id, kind),
  constraint calibration_kind_is_known check (kind in ('ready', 'arrival')),
  constraint calibration_is_bounded check (widening between 0.7 and 1.6)
);

comment on column schedule_calibrations.judged_at is 'When the width was last judged; what was foretold before says nothing of it.';
comment on table schedule_calibrations is 'How often what was foretold to a merchant held, of the last fifty, and what follows for the next.';
