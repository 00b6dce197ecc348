-- The columns are bigint and not of the domain kobo, because a new column of a domain with a constraint rewrites its table.
alter table quotes add column cod_amount_kobo bigint;
alter table quotes add constraint quote_cash_is_positive check (cod_amount_kobo > 0) not valid;

alter table shipments
add column cod_amount_kobo bigint,
add column cod_collected_kobo bigint,
add column cod_collected_at timestamptz(3);
alter table shipments add constraint shipment_cash_is_positive check (cod_amount_kobo > 0) not valid;
alter table shipments
add constraint shipment_collects_cash_at_a_time
check (
  (cod_collected_kobo is null) = (cod_collected_at is null)
  and (cod_collected_kobo is null or (cod_amount_kobo is not null and cod_collected_kobo >= 0))
) not valid;

alter table simulated_orders add column cash_collected_kobo bigint;

comment on column quotes.cod_amount_kobo is 'Cash that the rider must collect at the delivery. Null without cash on delivery.';
comment on column shipments.cod_amount_kobo is 'Cash that the rider must collect at the delivery. Null without cash on delivery.';
comment on column shipments.cod_collected_kobo is 'Cash that the rider collected. Null until the parcel is delivered.';
comment on column simulated_orders.cash_collected_kobo is
'Cash that the simulated carrier reports with the delivery. Null if it reports none.';

create table carrier_cash (
  merchant_id record_id not null,
  carrier text not null,
  collected_kobo bigint not null,
  remitted_kobo bigint not null,
  primary key (merchant_id, carrier),
  constraint carrier_remits_no_more_than_it_collected check (remitted_kobo between 0 and collected_kobo)
);

comment on table carrier_cash is
'Sums of the cash on delivery that a carrier collected for a merchant, and that it transferred to the merchant.';
