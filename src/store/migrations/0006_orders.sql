create table orders (
  merchant_id record_id not null,
  id record_id not null,
  number text not null,
  status text not null,
  held_from text,
  version integer not null default 1,
  customer_id record_id,
  customer_name text not null,
  customer_email text not null,
  customer_phone text,
  payment_method text not null,
  subtotal_kobo kobo not null,
  discount_kobo kobo not null default 0,
  shipping_kobo kobo not null default 0,
  tax_kobo kobo not null default 0,
  total_kobo kobo not null,
  tax_inclusive boolean not null,
  tax_rate_bps integer not null,
  paid_kobo kobo not null default 0,
  refunded_kobo kobo not null default 0,
  refund_pending_kobo kobo not null default 0,
  refunded_tax_kobo kobo not null default 0,
  item_quantity integer not null,
  fulfilled_quantity integer not null default 0,
  returned_quantity integer not null default 0,
  -- An order of nothing to pay counts as paid.
  payment_status text not null generated always as (
    case
      when refunded_kobo > 0 and refunded_kobo = paid_kobo then 'refunded'
      when refunded_kobo > 0 then 'partially_refunded'
      when paid_kobo >= total_kobo then 'paid'
      when paid_kobo > 0 then 'partially_paid'
      else 'unpaid'
    end
  ) stored,
  fulfillment_status text not null generated always as (
    case
      when fulfilled_quantity = 0 then 'unfulfilled'
      when returned_quantity = item_quantity then 'returned'
      when returned_quantity > 0 then 'partially_returned'
      when fulfilled_quantity = item_quantity then 'fulfilled'
      else 'partially_fulfilled'
    end
  ) stored,
  shipping_address jsonb,
  billing_address jsonb,
  note text,
  customer_note text,
  tags text[] not null default '{}',
  external_reference text,
  source text not null default 'api',
  cancel_reason text,
  metadata jsonb not null default '{}',
  expires_at timestamptz(3),
  confirmed_at timestamptz(3),
  paid_at timestamptz(3),
  shipped_at timestamptz(3),
  delivered_at timestamptz(3),
  cancelled_at timestamptz(3),
  returned_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- No foreign key to merchants here and in what each mutation writes: it would lock the merchant's one row each time.
  primary key (merchant_id, id),
  constraint order_customer_is_known foreign key (merchant_id, customer_id) references customers (merchant_id, id) on delete set null (customer_id),
  constraint order_number_is_used_once unique (merchant_id, number),
  constraint order_external_reference_is_used_once unique (merchant_id, external_reference),
  constraint order_status_is_known check (
    status in ('pending', 'on_hold', 'processing', 'shipped', 'delivered', 'returned', 'cancelled')
  ),
  constraint order_remembers_where_it_was_iff_on_hold check ((status = 'on_hold') = (held_from is not null)),
  constraint order_is_held_from_pending_or_processing check (held_from in ('pending', 'processing')),
  constraint order_expires_only_while_pending check (expires_at is null or status = 'pending'),
  constraint order_cancel_reason_is_given_iff_cancelled check ((status = 'cancelled') = (cancel_reason is not null)),
  constraint order_cancel_time_is_set_iff_cancelled check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint order_cancel_reason_is_known check (
    cancel_reason in ('customer', 'payment_declined', 'fraud', 'inventory', 'staff_error', 'expired', 'other')
  ),
  constraint order_payment_method_is_known check (
    payment_method in ('card', 'bank_transfer', 'pay_on_delivery', 'ussd', 'cash', 'other')
  ),
  constraint order_source_is_known check (
    source in ('api', 'storefront', 'dashboard', 'pos', 'whatsapp', 'instagram', 'other')
  ),
  -- discount_kobo includes what is taken off shipping; tax_kobo includes the tax on shipping.
  constraint order_total_adds_up check (
    total_kobo = subtotal_kobo - discount_kobo + shipping_kobo + case when tax_inclusive then 0 else tax_kobo end
  ),
  constraint order_discount_is_within_what_it_reduces check (discount_kobo <= subtotal_kobo + shipping_kobo),
  constraint order_tax_rate_is_a_share check (tax_rate_bps between 0 and 10000),
  constraint order_refunds_no_more_than_was_paid check (refunded_kobo + refund_pending_kobo <= paid_kobo),
  constraint order_refunds_no_more_tax_than_it_charged check (refunded_tax_kobo <= tax_kobo),
  constraint order_item_quantity_is_not_negative check (item_quantity >= 0),
  constraint order_fulfils_no_more_than_its_items check (fulfilled_quantity between 0 and item_quantity),
  constraint order_takes_back_no_more_than_it_fulfilled check (returned_quantity between 0 and fulfilled_quantity),
  constraint order_version_starts_at_1 check (version >= 1)
);

-- The list's order, alone and led by each filter that leaves few rows of many.
create index orders_newest_first on orders (merchant_id, created_at desc, id desc);
create index orders_by_status on orders (merchant_id, status, created_at desc, id desc);
create index orders_by_customer on orders (merchant_id, customer_id, created_at desc, id desc);
create index orders_by_customer_email on orders (merchant_id, lower(customer_email), created_at desc, id desc);

-- For the sweep that cancels what nobody paid, over all merchants.
create index orders_that_expire on orders (expires_at)
where expires_at is not null;

comment on table orders is 'What one customer bought at once: its state, its money and its progress.';
comment on column orders.customer_name is 'With customer_email and customer_phone: the customer as they were when they ordered.';
comment on column orders.item_quantity is 'Units still asked for: those ordered less those taken back before they were sent.';
comment on column orders.refunded_kobo is 'By refunds that succeeded. Those under way are in refund_pending_kobo; failed and cancelled ones are in neither.';
comment on column orders.refunded_tax_kobo is 'The tax within refunded_kobo and refund_pending_kobo.';

create table order_items (
  merchant_id record_id not null,
  order_id record_id not null,
  id record_id not null,
  position integer not null,
  -- No foreign key: a product that was ordered is archived, never deleted.
  product_id record_id,
  variant_id record_id,
  sku text not null,
  title text not null,
  variant_title text not null,
  option_values jsonb not null default '{}',
  image_url text,
  quantity integer not null,
  fulfilled_quantity integer not null default 0,
  returned_quantity integer not null default 0,
  refunded_quantity integer not null default 0,
  cancelled_quantity integer not null default 0,
  unit_price_kobo kobo not null,
  compare_at_price_kobo kobo,
  subtotal_kobo kobo not null,
  discount_kobo kobo not null default 0,
  tax_rate_bps integer not null default 0,
  tax_kobo kobo not null default 0,
  total_kobo kobo not null,
  primary key (merchant_id, order_id, id),
  constraint item_belongs_to_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint item_variant_is_known foreign key (merchant_id, variant_id) references product_variants (merchant_id, id) on delete set null (variant_id),
  constraint item_quantity_is_positive check (quantity >= 1),
  constraint item_quantities_are_not_negative check (
    least(fulfilled_quantity, returned_quantity, refunded_quantity, cancelled_quantity) >= 0
  ),
  constraint item_is_fulfilled_or_cancelled_once check (fulfilled_quantity + cancelled_quantity <= quantity),
  constraint item_returns_no_more_than_was_fulfilled check (returned_quantity <= fulfilled_quantity),
  constraint item_refunds_no_more_than_was_ordered check (refunded_quantity <= quantity),
  constraint item_subtotal_adds_up check (subtotal_kobo = unit_price_kobo * quantity),
  constraint item_discount_is_within_its_subtotal check (discount_kobo <= subtotal_kobo),
  constraint item_tax_rate_is_a_share check (tax_rate_bps between 0 and 10000),
  -- Which of the two, the order's tax_inclusive says.
  constraint item_total_adds_up check (
    total_kobo in (subtotal_kobo - discount_kobo, subtotal_kobo - discount_kobo + tax_kobo)
  )
);

create index order_items_by_variant on order_items (merchant_id, variant_id)
where variant_id is not null;

comment on table order_items is 'One line of an order, copied from the catalogue when it was ordered and unchanged by later edits there.';
comment on column order_items.cancelled_quantity is 'Units taken back before they were sent: their reservation was released and they will not be fulfilled.';

create table order_discounts (
  merchant_id record_id not null,
  order_id record_id not null,
  discount_id record_id not null,
  position integer not null,
  code text not null,
  type text not null,
  amount_kobo kobo not null,
  allocations jsonb not null,
  primary key (merchant_id, order_id, discount_id),
  constraint order_discount_belongs_to_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint order_discount_is_known foreign key (merchant_id, discount_id) references discounts (merchant_id, id),
  constraint order_discount_type_is_known check (type in ('percentage', 'fixed_amount', 'free_shipping'))
);

comment on table order_discounts is 'One discount an order was given, and how its amount is spread over lines and shipping.';

alter table discount_redemptions
add constraint redemption_is_by_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id);

create table order_status_changes (
  merchant_id record_id not null,
  order_id record_id not null,
  version integer not null,
  from_status text not null,
  to_status text not null,
  reason text,
  actor_type text not null,
  actor_id text,
  occurred_at timestamptz(3) not null,
  primary key (merchant_id, order_id, version),
  constraint status_change_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint status_change_changes_the_status check (from_status <> to_status),
  constraint status_change_comes_after_creation check (version >= 2),
  constraint status_change_actor_type_is_known check (actor_type in ('token', 'member', 'operator', 'provider', 'system'))
);

create trigger order_status_changes_rows_never_change
before update or delete on order_status_changes
for each row execute function refuse_change();

create trigger order_status_changes_is_never_emptied
before truncate on order_status_changes
for each statement execute function refuse_change();

alter table order_status_changes enable always trigger order_status_changes_rows_never_change;
alter table order_status_changes enable always trigger order_status_changes_is_never_emptied;

comment on table order_status_changes is 'One committed move of an order from one status to another; version is the order''s after it.';

create table payments (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  amount_kobo kobo not null,
  method text not null,
  reference text not null,
  provider text not null default 'manual',
  paid_at timestamptz(3) not null,
  disputed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint payment_is_for_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint payment_reference_is_used_once unique (merchant_id, reference),
  constraint payment_amount_is_positive check (amount_kobo > 0),
  constraint payment_method_is_known check (
    method in ('card', 'bank_transfer', 'pay_on_delivery', 'ussd', 'cash', 'other')
  )
);

create index payments_by_order on payments (merchant_id, order_id);

comment on table payments is 'Money received for an order. Their sum is the order''s paid_kobo.';
comment on column payments.disputed_at is 'Set while the payer''s bank disputes it: nothing of it can be refunded.';
