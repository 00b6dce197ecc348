-- Both are trusted: the owner of the database may create them without being a superuser. btree_gin lets a trigram index
-- begin with merchant_id, so that one merchant's search reads none of another's entries.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table product_variants
add column removed_at timestamptz(3),
add constraint variant_that_was_removed_is_archived check (removed_at is null or archived_at is not null);

comment on column product_variants.archived_at is 'Set while its product is archived, and for good when it was removed: its sku and options are free.';
comment on column product_variants.removed_at is 'Set when a variant that was ordered is taken out of its product: it does not come back with it.';

alter table inventory
add column product_low_stock_threshold integer,
add constraint inventory_product_low_stock_threshold_is_not_negative check (product_low_stock_threshold >= 0);

update inventory
set product_low_stock_threshold = product.low_stock_threshold
from product_variants variant
join products product on product.merchant_id = variant.merchant_id and product.id = variant.product_id
where
  variant.merchant_id = inventory.merchant_id
  and variant.id = inventory.variant_id
  and product.low_stock_threshold is not null;

comment on column inventory.product_low_stock_threshold is 'The product''s own, copied here: who has waited for this row''s lock sees it as it is now, and not as it was before the wait.';

-- A trigger and no code of the service: a row that is written in any other way is found all the same.
alter table products
add column skus text not null default '';

comment on column products.skus is 'The skus of its variants, a line each, kept by trigger: search looks at one table.';

create function gather_skus() returns trigger
language plpgsql
as $$
begin
  update products
  set skus = gathered.skus
  from (
    select
      touched.merchant_id,
      touched.product_id,
      coalesce(string_agg(variant.sku, e'\n' order by variant.position, variant.id), '') as skus
    from (select distinct merchant_id, product_id from changed) as touched
    left join product_variants variant
      on variant.merchant_id = touched.merchant_id
      and variant.product_id = touched.product_id
      and variant.removed_at is null
    group by touched.merchant_id, touched.product_id
  ) as gathered
  where
    products.merchant_id = gathered.merchant_id
    and products.id = gathered.product_id
    and products.skus <> gathered.skus;
  return null;
end
$$;

create trigger variants_tell_new_skus
after insert on product_variants
referencing new table as changed
for each statement execute function gather_skus();

create trigger variants_tell_changed_skus
after update on product_variants
referencing new table as changed
for each statement execute function gather_skus();

create trigger variants_tell_gone_skus
after delete on product_variants
referencing old table as changed
for each statement execute function gather_skus();

-- Those that are there already.
update product_variants
set position = position;

-- The list's order, led by each filter that leaves few products of many.
create index products_not_archived on products (merchant_id, created_at desc, id desc)
where archived_at is null;

create index products_by_status on products (merchant_id, status, created_at desc, id desc);
create index products_by_category on products (merchant_id, lower(category), created_at desc, id desc);
create index products_by_update on products (merchant_id, updated_at);
create index products_by_tag on products using gin (merchant_id, tags);
create index products_search on products using gin (
  merchant_id,
  lower(title || e'\n' || coalesce(brand, '') || e'\n' || coalesce(category, '') || e'\n' || skus) gin_trgm_ops
);

-- What was removed is found no more; what is archived with its product is, by those who ask for archived products.
create index variants_by_sku on product_variants (merchant_id, lower(sku))
where removed_at is null;

create index variants_by_price on product_variants (merchant_id, price_kobo, product_id)
where removed_at is null;

-- One index over all that is searched, and over nothing that payments, refunds or shipments change: their updates stay
-- within the page. A short pending list, so that no search has to read a long one and no order to empty it.
create index orders_search on orders using gin (
  merchant_id,
  lower(number || e'\n' || customer_name || e'\n' || customer_email || e'\n' || coalesce(customer_phone, '')) gin_trgm_ops
)
with (fastupdate = on, gin_pending_list_limit = 1024);

-- How many rows hold a text decides between this index and the list's own order; a sample of a hundred cannot tell.
alter index orders_search
alter column 2 set statistics 500;

alter index products_search
alter column 2 set statistics 500;
