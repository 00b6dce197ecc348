-- Reads the tables without blocking writes.
alter table customers validate constraint customer_default_address_is_their_own;
alter table orders validate constraint order_customer_is_known;
alter table discount_redemptions validate constraint redemption_customer_is_known;
alter table order_items validate constraint item_variant_is_known;
