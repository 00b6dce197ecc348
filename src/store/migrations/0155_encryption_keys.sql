-- The encryption keys that stored secrets need, by fingerprint. A process without one of them cannot open these secrets, so it does
-- not start.
create table encryption_keys (
  id text primary key,
  used_since timestamptz(3) not null,
  retired_at timestamptz(3),
  constraint encryption_key_id_is_a_fingerprint check (id ~ '^[0-9a-f]{16}$'),
  constraint encryption_key_retires_after_its_use check (retired_at >= used_since)
);

comment on table encryption_keys is 'Fingerprints of encryption keys, never the keys.';
comment on column encryption_keys.retired_at is 'When the last secret was encrypted with another key, or the key was declared lost. Null while secrets need the key.';

-- The processes that run, with their keys. A key comes into use only when all of them have it.
create table encryption_key_holders (
  process_id text primary key,
  label text not null,
  key_ids text[] not null,
  seen_at timestamptz(3) not null,
  constraint key_holder_id_is_short check (char_length(process_id) <= 100),
  constraint key_holder_label_is_short check (char_length(label) <= 200)
)
-- Updates then fit into the page of the row, and no index changes.
with (fillfactor = 50);

comment on table encryption_key_holders is 'One row per process of the service. One that has not been seen for 30 seconds has ended.';
comment on column encryption_key_holders.key_ids is 'Fingerprints in the order of ENCRYPTION_KEY. The first key encrypts.';
