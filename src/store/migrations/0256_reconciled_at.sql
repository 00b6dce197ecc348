-- The time of the upgrade stands for the last comparison of a connection from before the column existed.
alter table payment_provider_keys add column reconciled_at timestamptz(3) not null default now();

comment on column payment_provider_keys.reconciled_at is
'When the payments of the provider were last compared with the stored ones, or when the connection was created.';
