-- The domain payment_provider alone lists the payment providers: keys and callbacks have any of its values but `manual`.
alter table payment_provider_keys
drop constraint provider_key_is_of_a_known_provider,
add constraint provider_key_is_of_a_provider check (provider::payment_provider <> 'manual') not valid;

alter table provider_callbacks
drop constraint callback_is_of_a_known_provider,
add constraint callback_is_of_a_provider check (provider::payment_provider <> 'manual') not valid;
