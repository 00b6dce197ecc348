alter table order_items
drop constraint item_variant_is_known,
add constraint item_variant_is_known foreign key (merchant_id, variant_id) references product_variants (merchant_id, id) not valid;
