create table carrier_accounts (
  merchant_id record_id not null,
  carrier text not null,
  sealed_credentials bytea not null,
  hint text not null,
  callback_key text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, carrier),
  constraint carrier_account_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint carrier_account_is_of_a_known_carrier check (carrier in ('chowdeck', 'fez', 'shipbubble')),
  constraint carrier_account_is_sealed check (
    get_byte(sealed_credentials, 0) = 1 and octet_length(sealed_credentials) > 33
  ),
  constraint carrier_account_shows_four_characters check (char_length(hint) = 4),
  constraint carrier_account_has_a_callback_key check (callback_key ~ '^[0-9A-Za-z]{32}$')
);

comment on table carrier_accounts is 'What a merchant''s carriers are spoken to with, sealed: without the key of the service it opens for nobody.';
comment on column carrier_accounts.hint is 'The end of a key or of a user''s name, by which a person tells one account from another.';
comment on column carrier_accounts.callback_key is 'The last part of the address the carrier calls back at, which nobody can guess. It stays when the credentials change.';
