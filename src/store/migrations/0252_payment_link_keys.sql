alter table payment_links add column key_updated_at timestamptz(3);

comment on column payment_links.key_updated_at is
'When the provider''s key that created the page was stored. Null in test mode, and for a link created before the column existed.';

-- The key is a fact of the link too.
create or replace function payment_link_facts_are_final() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null
    or (old.url is not null and new.url is distinct from old.url)
    or old.key_updated_at is distinct from new.key_updated_at
    or (new.merchant_id, new.id, new.order_id, new.provider, new.reference, new.amount_kobo, new.expires_at, new.created_at)
      is distinct from
      (old.merchant_id, old.id, old.order_id, old.provider, old.reference, old.amount_kobo, old.expires_at, old.created_at)
  then
    raise exception 'The facts of a payment link do not change.'
      using errcode = 'check_violation', constraint = 'payment_link_facts_are_final', table = 'payment_links';
  end if;
  return new;
end
$$;
