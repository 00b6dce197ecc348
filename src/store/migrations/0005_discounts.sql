create table discounts (
  merchant_id record_id not null,
  id record_id not null,
  title text not null,
  code text,
  type text not null,
  percentage_bps integer,
  amount_kobo kobo,
  max_discount_kobo kobo,
  applies_to_scope text not null default 'order',
  applies_to_ids text[] not null default '{}',
  minimum_subtotal_kobo kobo,
  minimum_quantity integer,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  usage_limit integer,
  usage_limit_per_customer integer,
  first_order_only boolean not null default false,
  customer_ids text[],
  combines_with text[] not null default '{}',
  status text not null default 'active',
  redemption_count integer not null default 0,
  metadata jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint discount_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint discount_has_a_title check (title <> ''),
  constraint discount_code_is_plain_upper_case check (code = upper(code) and code ~ '^[A-Z0-9_-]{3,32}$'),
  constraint discount_type_is_known check (type in ('percentage', 'fixed_amount', 'free_shipping')),
  constraint discount_has_a_percentage_iff_percentage check ((type = 'percentage') = (percentage_bps is not null)),
  constraint discount_has_an_amount_iff_fixed check ((type = 'fixed_amount') = (amount_kobo is not null)),
  constraint discount_percentage_is_above_0_up_to_100 check (percentage_bps between 1 and 10000),
  constraint discount_amount_is_positive check (amount_kobo > 0),
  constraint discount_is_capped_only_if_percentage check (max_discount_kobo is null or type = 'percentage'),
  constraint discount_scope_is_known check (applies_to_scope in ('order', 'products', 'variants')),
  constraint discount_names_what_it_applies_to check ((applies_to_scope = 'order') = (cardinality(applies_to_ids) = 0)),
  constraint discount_minimum_quantity_is_positive check (minimum_quantity >= 1),
  constraint discount_ends_after_it_starts check (ends_at > starts_at),
  constraint discount_usage_limit_is_positive check (usage_limit >= 1),
  constraint discount_usage_limit_per_customer_is_positive check (usage_limit_per_customer >= 1),
  constraint discount_combines_with_known_classes check (combines_with <@ array['order', 'product', 'shipping']),
  constraint discount_status_is_known check (status in ('active', 'paused', 'archived')),
  constraint discount_redemption_count_is_not_negative check (redemption_count >= 0),
  constraint discount_is_not_used_beyond_its_limit check (redemption_count <= usage_limit),
  constraint discount_version_starts_at_1 check (version >= 1)
);

create unique index discount_code_is_used_once on discounts (merchant_id, code)
where status <> 'archived';

create index discounts_newest_first on discounts (merchant_id, created_at desc, id desc);

comment on table discounts is 'A price cut and its terms, given to orders that name its code.';
comment on column discounts.redemption_count is 'Kept only while usage_limit is set: a code without a limit takes no lock here, so that a popular one does not queue all orders. Its count is that of its unreleased redemptions.';

create table discount_redemptions (
  merchant_id record_id not null,
  id record_id not null,
  discount_id record_id not null,
  order_id record_id not null,
  amount_kobo kobo not null,
  customer_id record_id,
  customer_email text not null,
  customer_phone text,
  created_at timestamptz(3) not null,
  released_at timestamptz(3),
  primary key (merchant_id, id),
  constraint redemption_is_of_a_discount foreign key (merchant_id, discount_id) references discounts (merchant_id, id),
  constraint redemption_customer_is_known foreign key (merchant_id, customer_id) references customers (merchant_id, id) on delete set null (customer_id),
  constraint discount_is_redeemed_once_per_order unique (merchant_id, order_id, discount_id)
);

create index discount_redemptions_newest_first on discount_redemptions (merchant_id, discount_id, created_at desc, id desc);

-- The limit per customer knows a person by any of three signs.
create index discount_redemptions_by_customer on discount_redemptions (merchant_id, discount_id, customer_id)
where released_at is null and customer_id is not null;

create index discount_redemptions_by_email on discount_redemptions (merchant_id, discount_id, customer_email)
where released_at is null;

create index discount_redemptions_by_phone on discount_redemptions (merchant_id, discount_id, customer_phone)
where released_at is null and customer_phone is not null;

comment on table discount_redemptions is 'One use of a discount by one order. Released when the order is cancelled or expires unpaid.';
comment on column discount_redemptions.customer_email is 'Lower case and without a +tag, so that one person is counted once.';
