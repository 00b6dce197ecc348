-- A distributed PostgreSQL rejects `on delete set null` for a foreign key that contains the column by which its table is
-- distributed. No statement needs it: the service deletes no customer and no variant of an order item, and it changes the default
-- address of a customer before it deletes the address. The next migration validates the foreign keys.
alter table customers
drop constraint customer_default_address_is_their_own,
add constraint customer_default_address_is_their_own foreign key (merchant_id, id, default_address_id)
references customer_addresses (merchant_id, customer_id, id) not valid;

alter table orders
drop constraint order_customer_is_known,
add constraint order_customer_is_known foreign key (merchant_id, customer_id) references customers (merchant_id, id) not valid;

alter table discount_redemptions
drop constraint redemption_customer_is_known,
add constraint redemption_customer_is_known foreign key (merchant_id, customer_id) references customers (merchant_id, id) not valid;

alter table order_items
drop constraint item_variant_is_known,
add constraint item_variant_is_known foreign key (merchant_id, variant_id) references product_variants (merchant_id, id) not valid;
