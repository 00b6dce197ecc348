alter table users add column backup_code_hashes bytea[] not null default '{}';

comment on column users.backup_code_hashes is 'SHA-256 hashes of the unused backup codes, each of which replaces one TOTP code. Empty while two-step sign-in is off.';
