-- What the simulated payment provider of test mode knows: the database of a company that does not exist, and no tenant's.
create table simulated_payments (
  account text not null,
  reference text not null,
  id bigint generated always as identity,
  amount_kobo bigint not null,
  behaviour text not null,
  paid_at timestamptz(3) not null,
  primary key (account, reference),
  constraint simulated_payment_is_positive check (amount_kobo > 0)
);

comment on table simulated_payments is 'Payments of test mode, as the simulated provider knows them since they were first verified.';

create table simulated_refunds (
  id bigint generated always as identity primary key,
  account text not null,
  reference text not null,
  amount_kobo bigint not null,
  note text not null,
  behaviour text not null,
  step_ms integer not null,
  created_at timestamptz(3) not null,
  details_at timestamptz(3),
  constraint simulated_refund_is_positive check (amount_kobo > 0),
  constraint simulated_refund_step_takes_time check (step_ms > 0)
);

create index simulated_refunds_of_account on simulated_refunds (account, id);

comment on table simulated_refunds is 'Refunds of test mode. Where one stands follows from the row and the time.';
comment on column simulated_refunds.details_at is 'When it was told the bank account it waited for.';

create table simulated_payment_callbacks (
  id bigint generated always as identity primary key,
  url text not null,
  key text not null,
  body text not null,
  due_at timestamptz(3) not null,
  tries smallint not null default 0
);

create index simulated_payment_callbacks_due on simulated_payment_callbacks (due_at, id);

comment on table simulated_payment_callbacks is 'What the simulated provider has still to send; a row is deleted once it was received or given up.';
