-- So that a refund of an order no provider took money for, which most are, need not look at its payments.
alter table orders add column provider_paid_kobo kobo not null default 0;

alter table orders
add constraint order_providers_took_no_more_than_was_paid check (provider_paid_kobo <= paid_kobo);

comment on column orders.provider_paid_kobo is 'Of paid_kobo, what payment providers took. What is left of it they pay back; the rest the merchant does.';

alter table payments
add constraint payment_provider_is_known check (provider in ('manual', 'paystack'));

alter table refunds
add column next_look_at timestamptz(3),
add column looks integer not null default 0,
add constraint refund_provider_is_known check (provider in ('manual', 'paystack')),
add constraint refund_is_looked_into_only_under_way check (
  next_look_at is null or status in ('pending', 'processing', 'needs_attention')
),
add constraint refund_by_provider_is_of_a_payment check (provider = 'manual' or payment_id is not null),
add constraint refund_looks_are_not_negative check (looks >= 0);

comment on column refunds.next_look_at is 'When the worker takes it up next: to ask the provider, or to find out what became of it. Null when nothing is to come.';
comment on column refunds.looks is 'How often it was taken up since it last changed; the waits grow with it.';
comment on column refunds.payment_id is 'The payment it gives back a part of; null for money that came by no provider.';

-- Replaces the index by age: a refund is taken up when it is due, however old.
drop index refunds_under_way;

create index refunds_to_look_into on refunds (next_look_at)
where next_look_at is not null;

-- The moves the document publishes for refunds, and no other, whoever tries.
create function hold_refund_to_its_moves() returns trigger
language plpgsql
as $$
begin
  if not (
    old.status = 'pending' and new.status in ('processing', 'needs_attention', 'succeeded', 'failed', 'cancelled')
    or old.status = 'processing' and new.status in ('needs_attention', 'succeeded', 'failed')
    or old.status = 'needs_attention' and new.status in ('processing', 'succeeded', 'failed')
    or old.status = 'succeeded' and new.status = 'failed'
  ) then
    raise exception 'a refund does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'refund_moves_as_published';
  end if;
  return new;
end
$$;

create trigger refund_moves_as_published
before update of status on refunds
for each row when (old.status <> new.status) execute function hold_refund_to_its_moves();

create table payment_provider_keys (
  merchant_id record_id not null,
  provider text not null,
  sealed_secret bytea not null,
  last_four text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, provider),
  constraint provider_key_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint provider_key_is_of_a_known_provider check (provider = 'paystack'),
  constraint provider_key_is_sealed check (get_byte(sealed_secret, 0) = 1 and octet_length(sealed_secret) > 33),
  constraint provider_key_shows_four_characters check (char_length(last_four) = 4)
);

comment on table payment_provider_keys is 'What a merchant''s payment provider is spoken to with, sealed: without the key of the service it opens for nobody.';

create table provider_callbacks (
  merchant_id record_id not null,
  id record_id not null,
  provider text not null,
  body bytea not null,
  body_hash bytea not null,
  kind text,
  subject text,
  payment_reference text,
  source_ip inet not null,
  request_id text not null,
  user_agent text,
  received_at timestamptz(3) not null,
  next_try_at timestamptz(3),
  outcome text,
  reason text,
  settled_at timestamptz(3),
  primary key (merchant_id, id),
  constraint callback_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint callback_is_of_a_known_provider check (provider = 'paystack'),
  constraint callback_is_kept_once unique (merchant_id, provider, body_hash),
  constraint callback_hash_is_32_bytes check (octet_length(body_hash) = 32),
  constraint callback_outcome_is_known check (outcome in ('applied', 'ignored')),
  constraint callback_is_settled_with_an_outcome check ((outcome is null) = (settled_at is null)),
  constraint callback_is_tried_until_settled check ((next_try_at is null) = (settled_at is not null))
);

create index provider_callbacks_to_apply on provider_callbacks (next_try_at)
where next_try_at is not null;

-- Anonymising has to find what was told of a person's payments.
create index provider_callbacks_by_payment on provider_callbacks (merchant_id, payment_reference);

create index provider_callbacks_by_subject on provider_callbacks (merchant_id, subject, kind);

comment on table provider_callbacks is 'What a payment provider told, as it came, kept before anything is made of it. The same bytes twice are one.';
comment on column provider_callbacks.body is 'Emptied when the person it names is forgotten; its hash stays, so that it is not taken for a new one.';
comment on column provider_callbacks.subject is 'What it is about, such as `dispute 358950`: for what came out of order.';
