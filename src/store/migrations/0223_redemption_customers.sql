alter table discount_redemptions
drop constraint redemption_customer_is_known,
add constraint redemption_customer_is_known foreign key (merchant_id, customer_id) references customers (merchant_id, id) not valid;
