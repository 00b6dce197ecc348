-- What the simulated carriers know: the database of companies that do not exist, and no tenant's. Of an order it keeps
-- what cannot be worked out again, and nothing of the people: their names and telephone numbers are not written down.
create table simulated_orders (
  company text not null,
  number text collate "C" not null,
  reference text not null,
  service text not null,
  vehicle text not null,
  price_kobo bigint not null,
  pickup_latitude double precision not null,
  pickup_longitude double precision not null,
  dropoff_latitude double precision not null,
  dropoff_longitude double precision not null,
  has_pin boolean not null,
  seed text not null,
  step_ms integer not null,
  fault text not null,
  callback_url text,
  callback_secret text,
  callback_digits text not null,
  callbacks_told smallint not null default 0,
  callback_tries smallint not null default 0,
  next_callback_at timestamptz(3),
  created_at timestamptz(3) not null,
  accepted_at timestamptz(3) not null,
  cancelled_at timestamptz(3),
  cancellation_fee_kobo bigint,
  primary key (company, number),
  constraint simulated_company_is_known check (
    company in ('simulator-swift', 'simulator-steady', 'simulator-saver')
  ),
  constraint simulated_step_takes_time check (step_ms > 0),
  constraint simulated_price_is_not_negative check (price_kobo >= 0),
  constraint simulated_order_is_accepted_after_it_is_asked_for check (accepted_at >= created_at),
  constraint simulated_order_is_cancelled_after_it_is_accepted check (cancelled_at >= accepted_at),
  constraint simulated_fee_is_of_a_cancelled_order check (cancellation_fee_kobo is null or cancelled_at is not null),
  constraint simulated_callback_digits_are_three check (callback_digits ~ '^\d{3}$'),
  constraint simulated_callback_has_an_address check (next_callback_at is null or callback_url is not null)
);

-- One of the companies answers a repeated order with the first one.
create unique index simulated_orders_by_reference on simulated_orders (reference)
where company = 'simulator-swift';

create index simulated_orders_by_time on simulated_orders (company, created_at, number);

create index simulated_orders_to_delete on simulated_orders (created_at);

create index simulated_orders_to_tell on simulated_orders (next_callback_at)
where next_callback_at is not null;

-- Mostly nothing is to be told; statistics of such a moment would hide the index above.
alter table simulated_orders alter column next_callback_at set statistics 0;

comment on table simulated_orders is 'Orders of the carriers that test mode speaks to. A rider''s life follows from a row and the time.';
comment on column simulated_orders.seed is 'What the rider''s name, number plate and way to the pickup are drawn from.';
comment on column simulated_orders.step_ms is 'How long a step of the rider''s life takes; kept, so that another setting changes no life that has begun.';
comment on column simulated_orders.fault is 'What goes wrong with it, by the recipient''s telephone number or by chance.';
comment on column simulated_orders.callback_digits is 'How its callbacks go wrong: their order, their number, their signature.';
comment on column simulated_orders.callbacks_told is 'How many steps of its life were told, or given up, so far.';
comment on column simulated_orders.accepted_at is 'When the company knows of it, which may be after nobody waits for an answer any more.';
