create table payment_links (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  provider payment_provider not null,
  reference text not null,
  amount_kobo bigint not null,
  url text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  primary key (merchant_id, id),
  constraint payment_link_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint payment_link_reference_is_unique unique (merchant_id, reference),
  constraint payment_link_has_a_provider check (provider <> 'manual'),
  constraint payment_link_amount_is_positive check (amount_kobo > 0),
  constraint payment_link_expires_after_its_creation check (expires_at > created_at)
);

create unique index order_has_one_payment_link on payment_links (merchant_id, order_id) where withdrawn_at is null;

comment on table payment_links is 'Pages of payment providers on which buyers pay orders.';
comment on column payment_links.url is 'The URL of the page. Null until the provider has created the page.';
comment on column payment_links.withdrawn_at is
'When the link stopped being the link of its order: another link replaced it, or the provider created no page. Null before.';

-- The status of a link follows from its facts, so a fact never changes. Only the page and the withdrawal are added, once, and a
-- withdrawn link gets no page.
create function payment_link_facts_are_final() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null
    or (old.url is not null and new.url is distinct from old.url)
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

create trigger payment_link_facts_are_final
before update on payment_links
for each row
execute function payment_link_facts_are_final();

alter table payment_links enable always trigger payment_link_facts_are_final;
