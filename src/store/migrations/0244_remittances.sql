create table remittances (
  merchant_id record_id not null,
  id record_id not null,
  carrier text not null,
  amount_kobo positive_kobo not null,
  reference text not null,
  received_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint remittance_reference_is_unique unique (merchant_id, reference),
  constraint remittance_is_of_collected_cash foreign key (merchant_id, carrier)
    references carrier_cash (merchant_id, carrier)
);

create index remittances_by_carrier on remittances (merchant_id, carrier);

comment on table remittances is 'Transfers of collected cash from a carrier to the merchant.';
