alter table orders
drop constraint order_customer_is_known,
add constraint order_customer_is_known foreign key (merchant_id, customer_id) references customers (merchant_id, id) not valid;
