-- A distributed PostgreSQL rejects `on delete set null` for a foreign key that contains the column by which its table is
-- distributed. No statement needs it: the service deletes no customer and no variant of an order item, and it changes the default
-- address of a customer before it deletes the address. 0225_valid_portable_references validates the foreign keys of this and of
-- the next three migrations. Each has a transaction of its own, so that no lock lasts while another one is awaited.
alter table customers
drop constraint customer_default_address_is_their_own,
add constraint customer_default_address_is_their_own foreign key (merchant_id, id, default_address_id)
references customer_addresses (merchant_id, customer_id, id) not valid;
