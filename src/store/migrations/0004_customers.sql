create table customers (
  merchant_id record_id not null,
  id record_id not null,
  name text not null,
  email text not null,
  phone text,
  default_address_id record_id,
  tags text[] not null default '{}',
  note text,
  marketing jsonb not null default '{}',
  external_reference text,
  status text not null default 'active',
  metadata jsonb not null default '{}',
  version integer not null default 1,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint customer_belongs_to_merchant foreign key (merchant_id) references merchants (id),
  constraint customer_has_a_name check (name <> ''),
  constraint customer_email_is_trimmed check (email <> '' and email = btrim(email)),
  constraint customer_phone_is_nigerian check (phone ~ '^\+234[1-9][0-9]{7,9}$'),
  constraint customer_status_is_known check (status in ('active', 'anonymised')),
  constraint customer_version_starts_at_1 check (version >= 1)
);

-- A deleted customer's email and reference may be used again.
create unique index customer_email_is_used_once on customers (merchant_id, lower(email))
where deleted_at is null;

create unique index customer_external_reference_is_used_once on customers (merchant_id, external_reference)
where deleted_at is null;

-- Not unique: people share phones.
create index customers_by_phone on customers (merchant_id, phone)
where phone is not null;

create index customers_newest_first on customers (merchant_id, created_at desc, id desc);

comment on table customers is 'A person who buys from one merchant.';

create table customer_addresses (
  merchant_id record_id not null,
  customer_id record_id not null,
  id record_id not null,
  recipient_name text,
  phone text,
  line1 text not null,
  line2 text,
  landmark text,
  area text,
  city text not null,
  state text not null,
  country text not null default 'NG',
  postal_code text,
  instructions text,
  latitude double precision,
  longitude double precision,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, customer_id, id),
  constraint address_belongs_to_customer foreign key (merchant_id, customer_id) references customers (merchant_id, id) on delete cascade,
  constraint address_is_in_nigeria check (country = 'NG'),
  constraint address_phone_is_nigerian check (phone ~ '^\+234[1-9][0-9]{7,9}$'),
  constraint address_has_both_coordinates_or_none check ((latitude is null) = (longitude is null)),
  constraint address_latitude_is_on_earth check (latitude between -90 and 90),
  constraint address_longitude_is_on_earth check (longitude between -180 and 180)
);

comment on table customer_addresses is 'A place where one customer wants things sent. Orders keep their own copy.';

alter table customers
add constraint customer_default_address_is_their_own foreign key (merchant_id, id, default_address_id)
references customer_addresses (merchant_id, customer_id, id) on delete set null (default_address_id);
