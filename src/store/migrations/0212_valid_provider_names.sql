-- Reads the tables without blocking writes.
alter table payment_provider_keys validate constraint provider_key_is_of_a_provider;
alter table provider_callbacks validate constraint callback_is_of_a_provider;
