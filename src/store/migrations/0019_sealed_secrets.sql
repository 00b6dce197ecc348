-- The text of a secret of an earlier version is sealed when a process of this one starts; new ones are only ever sealed.
alter table webhook_secrets
alter column secret drop not null,
add column sealed bytea,
add constraint secret_is_kept_in_one_form check (num_nonnulls(sealed, secret) = 1);

comment on column webhook_secrets.secret is 'As text: only of an earlier version, and until a process that has an encryption key starts.';
comment on column webhook_secrets.sealed is 'Opens only for this merchant, endpoint and id, and only with the key of ENCRYPTION_KEY.';

-- The hourly deletion of those that are over.
create index webhook_secrets_that_expire on webhook_secrets (expires_at)
where expires_at is not null;
