create table products (
  merchant_id record_id not null,
  id record_id not null,
  title text not null,
  slug text not null,
  description text not null default '',
  status text not null,
  options jsonb not null default '[]',
  images jsonb not null default '[]',
  category text,
  brand text,
  tags text[] not null default '{}',
  low_stock_threshold integer,
  tax_exempt boolean not null default false,
  metadata jsonb not null default '{}',
  version integer not null default 1,
  published_at timestamptz(3),
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint product_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint product_slug_is_used_once unique (merchant_id, slug),
  constraint product_has_a_title check (title <> ''),
  constraint product_status_is_known check (status in ('draft', 'active', 'archived')),
  constraint product_archive_time_is_set_iff_archived check ((status = 'archived') = (archived_at is not null)),
  constraint product_low_stock_threshold_is_not_negative check (low_stock_threshold >= 0),
  constraint product_version_starts_at_1 check (version >= 1)
);

create index products_newest_first on products (merchant_id, created_at desc, id desc);

comment on table products is 'Something a merchant sells. What is bought is one of its variants.';

create table product_variants (
  merchant_id record_id not null,
  id record_id not null,
  product_id record_id not null,
  sku text not null,
  title text not null,
  option_values jsonb not null default '{}',
  price_kobo kobo not null,
  compare_at_price_kobo kobo,
  cost_kobo kobo,
  barcode text,
  weight_grams integer,
  image_id record_id,
  position integer not null,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint variant_belongs_to_product foreign key (merchant_id, product_id) references products (merchant_id, id) on delete cascade,
  constraint variant_has_a_sku check (sku <> ''),
  constraint variant_was_dearer_before check (compare_at_price_kobo > price_kobo),
  constraint variant_weight_is_not_negative check (weight_grams >= 0),
  constraint variant_position_is_not_negative check (position >= 0)
);

create unique index variant_sku_is_used_once on product_variants (merchant_id, lower(sku))
where archived_at is null;

create unique index variant_options_are_used_once on product_variants (merchant_id, product_id, option_values)
where archived_at is null;

create index product_variants_by_product on product_variants (merchant_id, product_id, position);

comment on table product_variants is 'One thing that can be bought: a size and colour of a product, with its price.';
comment on column product_variants.archived_at is 'Set with the product''s own, or when a variant that was ordered is removed: its sku and options are free again.';

create table inventory (
  merchant_id record_id not null,
  variant_id record_id not null,
  on_hand integer not null default 0,
  reserved integer not null default 0,
  available integer not null generated always as (on_hand - reserved) stored,
  tracked boolean not null default true,
  allow_backorder boolean not null default false,
  low_stock_threshold integer,
  is_low boolean not null default false,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, variant_id),
  constraint inventory_belongs_to_variant foreign key (merchant_id, variant_id) references product_variants (merchant_id, id) on delete cascade,
  constraint inventory_on_hand_is_not_negative check (on_hand >= 0),
  -- That reserved may pass on_hand is meant: a truthful count or a damage report comes after the promise.
  constraint inventory_reserved_is_not_negative check (reserved >= 0),
  constraint inventory_low_stock_threshold_is_not_negative check (low_stock_threshold >= 0)
);

create index inventory_that_is_low on inventory (merchant_id, variant_id)
where is_low;

comment on table inventory is 'How many of one variant are in the shop, and how many of those are promised to orders.';
comment on column inventory.is_low is 'Flipped by the update that crosses the threshold, so that one crossing is one inventory.low_stock event.';

create table stock_movements (
  merchant_id record_id not null,
  id record_id not null,
  -- No foreign keys: the ledger outlives a deleted draft and its variants, and it may never be changed to follow them.
  variant_id record_id not null,
  reason text not null,
  order_id record_id,
  refund_id record_id,
  on_hand_delta integer not null,
  reserved_delta integer not null,
  on_hand integer not null,
  reserved integer not null,
  note text,
  created_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint movement_reason_is_known check (
    reason in (
      'opening', 'restock', 'correction', 'damage', 'loss', 'return', 'count', 'other',
      'order_reserved', 'order_released', 'order_fulfilled', 'order_unfulfilled', 'order_returned', 'refund_restocked'
    )
  ),
  constraint movement_names_its_order_iff_ordered check (
    (order_id is not null) = (reason like 'order\_%' or reason = 'refund_restocked')
  )
);

create index stock_movements_by_variant on stock_movements (merchant_id, variant_id, id);

create trigger stock_movements_rows_never_change
before update or delete on stock_movements
for each row execute function refuse_change();

create trigger stock_movements_is_never_emptied
before truncate on stock_movements
for each statement execute function refuse_change();

alter table stock_movements enable always trigger stock_movements_rows_never_change;
alter table stock_movements enable always trigger stock_movements_is_never_emptied;

comment on table stock_movements is 'One change of one variant''s stock and the levels it left. Their sum is the inventory.';
