create table refunds (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  payment_id record_id,
  amount_kobo kobo not null,
  tax_kobo kobo not null default 0,
  reason text not null,
  note text,
  status text not null,
  destination text not null,
  account_number text,
  bank_code text,
  account_name text,
  provider text not null,
  provider_reference text,
  provider_asked_at timestamptz(3),
  failure_code text,
  failure_message text,
  order_refunded_kobo kobo not null,
  order_refundable_kobo kobo not null,
  order_payment_status text not null,
  created_by_type text not null,
  created_by_id text,
  metadata jsonb not null default '{}',
  expected_at timestamptz(3),
  succeeded_at timestamptz(3),
  failed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint refund_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint refund_returns_a_known_payment foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  constraint refund_provider_reference_is_used_once unique (merchant_id, provider, provider_reference),
  constraint refund_amount_is_positive check (amount_kobo > 0),
  constraint refund_tax_is_within_its_amount check (tax_kobo <= amount_kobo),
  constraint refund_reason_is_a_code check (reason ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'),
  constraint refund_status_is_known check (
    status in ('pending', 'processing', 'needs_attention', 'succeeded', 'failed', 'cancelled')
  ),
  constraint refund_destination_is_known check (destination in ('original_payment', 'bank_account', 'manual')),
  constraint refund_names_an_account_iff_it_goes_to_one check (
    (destination = 'bank_account') = (num_nonnulls(account_number, bank_code, account_name) = 3)
    and num_nonnulls(account_number, bank_code, account_name) in (0, 3)
  ),
  -- A provider may reverse a refund that succeeded: it is then failed and has both times.
  constraint refund_success_has_a_time check (status <> 'succeeded' or succeeded_at is not null),
  constraint refund_failure_has_a_time check ((status = 'failed') = (failed_at is not null)),
  constraint refund_creator_type_is_known check (created_by_type in ('token', 'member', 'operator', 'provider', 'system'))
);

create index refunds_newest_first on refunds (merchant_id, created_at desc, id desc);
create index refunds_by_order on refunds (merchant_id, order_id);

-- For the sweep that moves on what a crash left, over all merchants.
create index refunds_under_way on refunds (created_at)
where status in ('pending', 'processing');

comment on table refunds is 'Money of an order going back to its customer, and how far it has come.';
comment on column refunds.provider_asked_at is 'Written before the provider is called. Once set, the provider is searched for the refund before it is asked again.';
comment on column refunds.order_refunded_kobo is 'With order_refundable_kobo and order_payment_status: the order as it was when the refund was made.';

create table refund_items (
  merchant_id record_id not null,
  refund_id record_id not null,
  order_id record_id not null,
  item_id record_id not null,
  quantity integer not null,
  restock boolean not null default false,
  amount_kobo kobo not null,
  primary key (merchant_id, refund_id, item_id),
  constraint refund_item_belongs_to_refund foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
  constraint refund_item_is_of_an_order foreign key (merchant_id, order_id, item_id) references order_items (merchant_id, order_id, id),
  constraint refund_item_quantity_is_positive check (quantity >= 1)
);

comment on table refund_items is 'How many units of one order line a refund pays back, and whether they return to the shelf.';

create table idempotency_keys (
  merchant_id record_id not null,
  route text not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  token_id record_id not null,
  request_id text not null,
  response_status integer,
  response_body text,
  response_location text,
  refund_id record_id,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint idempotency_key_is_used_once primary key (merchant_id, route, key),
  constraint idempotency_key_is_1_to_255_characters check (char_length(key) between 1 and 255),
  constraint idempotency_fingerprint_is_32_bytes check (octet_length(fingerprint) = 32),
  -- No answer is seen only inside the transaction that makes it.
  constraint idempotency_answer_is_whole check ((response_status is null) = (response_body is null)),
  constraint idempotency_key_lives_24_hours check (expires_at = created_at + interval '24 hours')
);

create index idempotency_keys_that_expire on idempotency_keys (expires_at);

comment on table idempotency_keys is 'The first answer given to one Idempotency-Key, repeated to whoever sends the same key and body within 24 hours.';
