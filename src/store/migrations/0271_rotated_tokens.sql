-- A rotation shortens the expiry of the old token. Its earlier expiry is kept, so that a second rotation of the same token gives
-- the new token the whole lifetime again.
alter table api_tokens
  add column rotated_at timestamptz(3),
  add column expires_at_before_rotation timestamptz(3);

comment on column api_tokens.rotated_at is 'When the token was first rotated. Null for a token that was never rotated.';
comment on column api_tokens.expires_at_before_rotation is 'When the token would expire if it had not been rotated. Null if never, or if the token was never rotated.';
