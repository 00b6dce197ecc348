-- People who sign in to the dashboard. A user is one person; a member is that person's role at one merchant.

create table users (
  id record_id constraint users_pkey primary key,
  email text not null constraint user_email_is_unique unique,
  display_email text not null,
  name text not null,
  password_hash text,
  totp_sealed bytea,
  totp_pending_sealed bytea,
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint user_email_is_lower_case check (email = lower(email)),
  constraint user_has_a_name check (name <> '')
);

create table members (
  merchant_id record_id not null references merchants (id),
  id record_id not null,
  user_id record_id not null references users (id),
  role text not null,
  created_at timestamptz(3) not null,
  removed_at timestamptz(3),
  constraint members_pkey primary key (merchant_id, id),
  constraint member_role_is_known check (role in ('owner', 'developer', 'operations', 'viewer')),
  constraint member_is_removed_after_it_is_created check (removed_at >= created_at)
);

create unique index user_is_a_member_once on members (merchant_id, user_id) where removed_at is null;
create index members_by_user on members (user_id) where removed_at is null;

create table invitations (
  merchant_id record_id not null references merchants (id),
  id record_id not null,
  token_hash bytea not null,
  email text not null,
  name text,
  role text not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint invitations_pkey primary key (merchant_id, id),
  constraint invitation_role_is_known check (role in ('owner', 'developer', 'operations', 'viewer')),
  constraint invitation_hash_is_sha256 check (octet_length(token_hash) = 32),
  constraint invitation_expires_after_it_is_created check (expires_at > created_at),
  constraint invitation_is_accepted_or_revoked check (accepted_at is null or revoked_at is null)
);

-- Not unique: a unique index of a merchant's table starts with merchant_id, and 256 random bits do not repeat.
create index invitations_by_hash on invitations (token_hash);

create table sign_in_links (
  token_hash bytea constraint sign_in_links_pkey primary key,
  user_id record_id not null references users (id),
  purpose text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint sign_in_link_purpose_is_known check (purpose in ('first_sign_in', 'recovery')),
  constraint sign_in_link_hash_is_sha256 check (octet_length(token_hash) = 32)
);

create index sign_in_links_by_user on sign_in_links (user_id);

create table sessions (
  id record_id constraint sessions_pkey primary key,
  token_hash bytea not null constraint session_token_is_unique unique,
  user_id record_id not null references users (id),
  selected_merchant_id record_id references merchants (id),
  stage text not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  authenticated_at timestamptz(3) not null,
  source_ip inet,
  user_agent text,
  revoked_at timestamptz(3),
  constraint session_stage_is_known check (stage in ('totp_required', 'setup_required', 'complete')),
  constraint session_hash_is_sha256 check (octet_length(token_hash) = 32),
  constraint session_user_agent_is_short check (char_length(user_agent) <= 200)
);

create index sessions_by_user on sessions (user_id);

create table passkeys (
  credential_id text constraint passkeys_pkey primary key,
  user_id record_id not null references users (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint passkey_has_a_name check (name <> '')
);

create index passkeys_by_user on passkeys (user_id);

create table passkey_challenges (
  token_hash bytea constraint passkey_challenges_pkey primary key,
  challenge text not null,
  session_id record_id references sessions (id) on delete cascade,
  network text,
  expires_at timestamptz(3) not null,
  constraint passkey_challenge_is_for_a_session_or_a_sign_in check ((session_id is null) = (network is not null))
);

create index passkey_challenges_by_session on passkey_challenges (session_id) where session_id is not null;
create index passkey_challenges_by_network on passkey_challenges (network) where network is not null;

create table sign_in_failures (
  key_hash bytea constraint sign_in_failures_pkey primary key,
  count integer not null,
  last_failed_at timestamptz(3) not null,
  constraint sign_in_failure_hash_is_sha256 check (octet_length(key_hash) = 32),
  constraint sign_in_failures_are_counted check (count >= 0)
);

create table known_devices (
  token_hash bytea constraint known_devices_pkey primary key,
  user_id record_id not null references users (id),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  constraint known_device_hash_is_sha256 check (octet_length(token_hash) = 32)
);

create index known_devices_by_user on known_devices (user_id);

create table submitted_forms (
  session_id record_id not null references sessions (id) on delete cascade,
  form_id text not null,
  submitted_at timestamptz(3) not null,
  constraint submitted_forms_pkey primary key (session_id, form_id),
  constraint form_id_is_short check (char_length(form_id) between 1 and 64)
);

comment on table users is 'A person who signs in to the dashboard, at any number of merchants.';
comment on column users.email is 'E-mail address in lower case, which identifies the user.';
comment on column users.display_email is 'E-mail address as it was entered.';
comment on column users.password_hash is 'argon2id in PHC string form. Null until the user sets a password.';
comment on column users.totp_sealed is 'Encrypted TOTP secret. Null while two-step sign-in is off.';
comment on column users.totp_pending_sealed is 'Encrypted TOTP secret that the user has not confirmed with a code yet.';
comment on column users.totp_last_step is 'The last 30 second step whose code was used, so that no code is used twice.';
comment on table members is 'A user''s role at a merchant. Belongs to the live merchant and includes its test mode.';
comment on column members.removed_at is 'When the user lost access. Null for active members.';
comment on table invitations is 'An invitation to become a member. Only the hash of its link is stored.';
comment on column invitations.name is 'Name suggested to the invited person.';
comment on table sign_in_links is 'A link that signs a user in once. Only its hash is stored.';
comment on table sessions is 'A signed-in browser. Only the hash of its token is stored.';
comment on column sessions.selected_merchant_id is 'The live or test merchant shown in the dashboard.';
comment on column sessions.stage is 'The remaining step of the sign-in; complete gives access.';
comment on column sessions.authenticated_at is 'When the user last proved who they are. Secrets are shown for 10 minutes after.';
comment on table passkeys is 'A WebAuthn credential of a user.';
comment on column passkeys.credential_id is 'Credential id in base64url, assigned by the authenticator.';
comment on table passkey_challenges is 'A challenge for one passkey registration or sign-in. Deleted when it is answered.';
comment on column passkey_challenges.network is 'Source network of a sign-in, which limits its open challenges.';
comment on table sign_in_failures is 'Failed sign-in attempts, counted by device, by e-mail and network, by e-mail, and by network.';
comment on column sign_in_failures.key_hash is 'SHA-256 of what is counted, so that the table contains no e-mail addresses.';
comment on table known_devices is 'A browser in which a user signed in before. Attempts elsewhere do not delay it.';
comment on table submitted_forms is 'A form that was submitted, so that a repeated submission changes nothing.';
