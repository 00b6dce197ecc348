-- Surge is of places, not of merchants, so no row here has one. It is reckoned twice: from what live merchants ship, and
-- from what test mode plays, so that no trial moves a real price. A book is one of the two.

create table surge_states (
  book text not null,
  zone_id text collate "C" not null,
  log_multiplier double precision not null,
  ticked_at timestamptz(3) not null,
  baseline jsonb not null,
  baseline_hour timestamptz(3) not null,
  primary key (book, zone_id),
  constraint surge_state_is_of_a_zone foreign key (zone_id) references delivery_zones (id),
  constraint surge_state_book_is_known check (book in ('live', 'test'))
);

comment on table surge_states is 'What each zone’s surge remembers from one minute to the next.';
comment on column surge_states.log_multiplier is 'The smoothed logarithm of the multiplier, before limits and steps.';
comment on column surge_states.baseline is 'What is usual in the hour of the week that baseline_hour begins; looked up once an hour.';

create table surge_snapshots (
  book text not null,
  zone_id text collate "C" not null,
  id record_id not null,
  slot_at timestamptz(3) not null,
  computed_at timestamptz(3) not null,
  published_at timestamptz(3) not null,
  valid_until timestamptz(3) not null,
  multiplier double precision not null,
  basis text not null,
  trend text not null,
  cap double precision not null,
  raw double precision not null,
  smoothed double precision not null,
  reference_fare_kobo kobo not null,
  surge_kobo kobo not null,
  factors jsonb not null,
  inputs jsonb not null,
  sample_size integer not null,
  primary key (id),
  constraint surge_is_published_once_a_slot unique (book, zone_id, slot_at),
  constraint surge_snapshot_is_of_a_zone foreign key (zone_id) references delivery_zones (id),
  constraint surge_snapshot_book_is_known check (book in ('live', 'test')),
  constraint surge_slots_are_five_minutes check (extract(epoch from slot_at)::bigint % 300 = 0),
  constraint surge_is_published_in_its_slot check (published_at >= slot_at and published_at < slot_at + interval '5 minutes'),
  constraint surge_is_valid_to_the_next_slot check (extract(epoch from valid_until)::bigint % 300 = 0 and valid_until > slot_at),
  constraint surge_multiplier_is_between_plain_and_cap check (multiplier between 1 and cap),
  constraint surge_multiplier_has_two_decimals check (multiplier = round(multiplier::numeric, 2)::double precision),
  constraint surge_basis_is_known check (basis in ('observed', 'insufficient_data', 'frozen', 'override')),
  constraint surge_trend_is_known check (trend in ('rising', 'steady', 'falling')),
  constraint surge_sample_size_is_not_negative check (sample_size >= 0)
);

-- For the purge of what is older than anybody may ask about.
create index surge_snapshots_by_end on surge_snapshots (valid_until);

comment on table surge_snapshots is 'Every multiplier that was published, with what it was made from. A quote names the one it used.';
comment on column surge_snapshots.valid_until is 'When the next one is due. Where nothing happens, the latest is confirmed by moving this instead of being repeated.';
comment on column surge_snapshots.raw is 'The product of the signals’ factors, before blending, smoothing, limits and steps.';

create table surge_overrides (
  id record_id primary key,
  book text not null,
  -- One zone, or all of a city. No foreign key: deleting a zone would have to lock rows here, which nobody may.
  zone_id text collate "C",
  city text,
  kind text not null,
  multiplier double precision,
  reason text not null,
  actor_label text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  constraint surge_override_book_is_known check (book in ('live', 'test')),
  constraint surge_override_is_of_a_zone_or_a_city check ((zone_id is null) <> (city is null)),
  constraint surge_override_kind_is_known check (kind in ('freeze', 'override', 'clear')),
  constraint surge_override_says_its_multiplier check ((kind = 'override') = (multiplier is not null)),
  constraint surge_override_multiplier_is_in_steps check (
    multiplier between 1 and 2 and multiplier::numeric * 20 % 1 = 0
  ),
  constraint surge_override_ends_unless_it_clears check ((kind = 'clear') = (expires_at is null)),
  constraint surge_override_ends_after_it_begins check (expires_at > created_at),
  constraint surge_override_has_a_reason check (reason <> '')
);

create index surge_overrides_by_place on surge_overrides (book, zone_id, city, id);

create trigger surge_overrides_rows_never_change
before update or delete on surge_overrides
for each row execute function refuse_change();

create trigger surge_overrides_is_never_emptied
before truncate on surge_overrides
for each statement execute function refuse_change();

alter table surge_overrides enable always trigger surge_overrides_rows_never_change;
alter table surge_overrides enable always trigger surge_overrides_is_never_emptied;

revoke update, delete, truncate on surge_overrides from public;
revoke update, delete, truncate on surge_overrides from current_user;

comment on table surge_overrides is 'What operators said of a place’s surge: who, when, why and until when. The latest row of a place holds; it is its own audit.';
