-- Both are trusted: they need no superuser, only the right to create in the database.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One text for each customer, so that a part of any of the three is found by one look into one index. A line break
-- keeps them apart: no search term holds one.
create index customers_by_text on customers
using gin (merchant_id, (name || e'\n' || email || e'\n' || coalesce(phone, '')) gin_trgm_ops)
where deleted_at is null;

create index customers_by_tag on customers
using gin (merchant_id, tags)
where deleted_at is null;

-- Anonymising has to find the events of a person's orders and refunds among all of the merchant's.
create index webhook_events_by_resource on webhook_events (merchant_id, resource_id);

alter table customers
add constraint customer_anonymised_has_no_trace check (
  status <> 'anonymised'
  or num_nonnulls(phone, note, default_address_id, external_reference) = 0
    and email like 'anon-%@anonymised.invalid'
    and tags = '{}'
    and marketing = '{}'
    and metadata = '{}'
);

-- Addresses were stored without these fields until now, and a reply has every field.
update orders
set
  shipping_address = '{"area": null, "instructions": null, "latitude": null, "longitude": null}' || shipping_address,
  billing_address = '{"area": null, "instructions": null, "latitude": null, "longitude": null}' || billing_address
where shipping_address is not null or billing_address is not null;

-- Attempts stay as they were, but for what a receiver answered: it may repeat what it was sent, and must be
-- forgotten with it.
create function refuse_change_of_attempt() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and new.response_body is null and to_jsonb(new) - 'response_body' = to_jsonb(old) - 'response_body' then
    return new;
  end if;
  raise exception 'webhook_attempts is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only what the receiver answered may be forgotten.';
end
$$;

drop trigger webhook_attempts_rows_never_change on webhook_attempts;

create trigger webhook_attempts_rows_never_change
before update or delete on webhook_attempts
for each row execute function refuse_change_of_attempt();

alter table webhook_attempts enable always trigger webhook_attempts_rows_never_change;
