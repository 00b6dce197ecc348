-- A distributed PostgreSQL has no triggers with transition tables.
--
-- These triggers fire at the commit, for each row. The first row of a product gathers the SKUs of all its variants; the
-- further rows find the product in the setting, which ends with the transaction. They must not fire earlier: a later change of
-- the product would find the setting and be missed. The two statements are simple enough for a
-- distributed PostgreSQL to run them inside a trigger, with any plan.
drop trigger variants_update_skus_after_insert on product_variants;
drop trigger variants_update_skus_after_update on product_variants;
drop trigger variants_update_skus_after_delete on product_variants;

create or replace function gather_skus() returns trigger
language plpgsql
as $$
declare
  changed product_variants := coalesce(new, old);
  gathered text;
begin
  if current_setting('commerce.gathered_product', true) = changed.merchant_id || changed.product_id then
    return null;
  end if;
  perform set_config('commerce.gathered_product', changed.merchant_id || changed.product_id, true);
  select coalesce(string_agg(sku, e'\n' order by position, id), '')
  into gathered
  from product_variants
  where merchant_id = changed.merchant_id and product_id = changed.product_id and removed_at is null;
  update products
  set skus = gathered
  where merchant_id = changed.merchant_id and id = changed.product_id and skus <> gathered;
  return null;
end
$$;

create constraint trigger variants_update_skus
after insert or delete on product_variants
deferrable initially deferred
for each row execute function gather_skus();

create constraint trigger changed_variants_update_skus
after update on product_variants
deferrable initially deferred
for each row
when (
  old.sku <> new.sku
  or old.position <> new.position
  or old.removed_at is distinct from new.removed_at
)
execute function gather_skus();
