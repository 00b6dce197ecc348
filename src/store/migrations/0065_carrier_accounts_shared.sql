create table carrier_address_codes (
  merchant_id record_id not null,
  carrier text not null,
  account_digest text not null,
  address_digest text not null,
  code bigint not null,
  created_at timestamptz(3) not null,
  primary key (merchant_id, carrier, account_digest, address_digest),
  constraint address_code_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint address_code_digests_are_sha_256 check (
    char_length(account_digest) = 43 and char_length(address_digest) = 43
  )
);

comment on table carrier_address_codes is 'Codes that a carrier gave for addresses. Each costs money, so each is bought once an account. The address itself is not stored: the digest finds its code and tells nobody where it is.';

create table carrier_call_windows (
  merchant_id record_id not null,
  carrier text not null,
  account_digest text not null,
  minute_at timestamptz not null,
  minute_calls integer not null,
  second_at timestamptz not null,
  second_calls integer not null,
  primary key (merchant_id, carrier, account_digest),
  constraint call_window_belongs_to_merchant foreign key (merchant_id) references merchants (id)
);

comment on table carrier_call_windows is 'How many calls an account made in the present minute and second, of all processes together.';
