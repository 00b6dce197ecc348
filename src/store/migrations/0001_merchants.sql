-- Ids are made in the service: a prefix and a UUIDv7 in Crockford base32. Byte order is then time order,
-- and collate "C" keeps it so whatever the locale of the server.
create domain record_id as text collate "C";

-- One naira is 100 kobo. No single amount passes one billion naira, so that sums of amounts stay exact in JavaScript.
create domain kobo as bigint
  constraint kobo_is_at_most_a_billion_naira check (value between 0 and 100000000000);

create table merchants (
  id record_id primary key,
  name text not null,
  mode text not null,
  live_merchant_id record_id,
  default_state text not null default 'Lagos',
  tax_registered boolean not null default false,
  -- VAT is 7.5 % since February 2020. It is charged only by merchants registered for it.
  tax_rate_bps integer not null default 750,
  tax_inclusive boolean not null default true,
  low_stock_threshold integer default 5,
  pending_order_ttl_minutes integer default 1440,
  suspended_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint merchant_has_a_name check (name <> ''),
  constraint merchant_mode_is_known check (mode in ('live', 'test')),
  constraint merchant_names_its_live_twin_iff_test check ((mode = 'test') = (live_merchant_id is not null)),
  constraint merchant_has_one_test_twin unique (live_merchant_id),
  constraint merchant_twin_exists foreign key (live_merchant_id) references merchants (id),
  constraint merchant_tax_rate_is_a_share check (tax_rate_bps between 0 and 10000),
  constraint merchant_low_stock_threshold_is_not_negative check (low_stock_threshold >= 0),
  constraint merchant_pending_orders_live_a_minute check (pending_order_ttl_minutes >= 1)
);

comment on table merchants is 'A business that sells, or its sandbox twin: the tenant every other row belongs to.';
comment on column merchants.low_stock_threshold is 'Null: no inventory.low_stock event unless a product or variant sets its own threshold.';
comment on column merchants.pending_order_ttl_minutes is 'Null: pending orders never expire.';

create table api_tokens (
  merchant_id record_id not null,
  id record_id not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  token_hash bytea not null,
  scopes text[] not null,
  -- CIDR blocks; none means any address.
  ip_allowlist text[] not null default '{}',
  created_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip inet,
  primary key (merchant_id, id),
  constraint token_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint token_has_a_name check (name <> ''),
  constraint token_prefix_is_known check (prefix in ('svc_live_', 'svc_test_')),
  constraint token_shows_four_characters check (char_length(last_four) = 4),
  constraint token_hash_is_32_bytes check (octet_length(token_hash) = 32),
  constraint token_has_a_scope check (cardinality(scopes) >= 1),
  constraint token_allows_at_most_20_networks check (cardinality(ip_allowlist) <= 20),
  constraint token_expires_after_it_is_made check (expires_at > created_at)
);

-- The one look-up that does not know its merchant yet. Not unique: a unique index would have to begin with
-- merchant_id, and 190 random bits do not meet twice.
create index api_tokens_by_hash on api_tokens (token_hash);

comment on table api_tokens is 'A bearer token a merchant minted. Only its hash is here: the token itself was shown once.';

create table service_keys (
  purpose text not null,
  key_id smallint not null,
  secret bytea not null,
  created_at timestamptz(3) not null,
  primary key (purpose, key_id),
  constraint service_key_is_long_enough check (octet_length(secret) >= 32)
);

comment on table service_keys is 'A secret the service made for itself, for one purpose such as signing cursors. The highest key_id signs, all verify.';
