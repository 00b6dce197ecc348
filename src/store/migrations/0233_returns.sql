create table returns (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  status text not null,
  reason text not null,
  note text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  received_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (merchant_id, id),
  constraint return_is_of_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint return_status_is_known check (
    status in ('requested', 'approved', 'in_transit', 'received', 'closed', 'rejected')
  ),
  constraint return_end_has_a_time check ((status in ('closed', 'rejected')) = (ended_at is not null)),
  constraint return_receipt_has_a_time check (status <> 'received' or received_at is not null)
);

create index returns_newest_first on returns (merchant_id, created_at desc, id desc);
create index returns_by_order on returns (merchant_id, order_id);

comment on table returns is 'Units of an order that the customer sends back to the shop.';

create table return_items (
  merchant_id record_id not null,
  return_id record_id not null,
  order_id record_id not null,
  item_id record_id not null,
  quantity integer not null,
  restocked_quantity integer not null default 0,
  written_off_quantity integer not null default 0,
  primary key (merchant_id, return_id, item_id),
  constraint return_item_belongs_to_return foreign key (merchant_id, return_id) references returns (merchant_id, id),
  constraint return_item_is_of_an_order foreign key (merchant_id, order_id, item_id)
    references order_items (merchant_id, order_id, id),
  constraint return_item_quantity_is_positive check (quantity >= 1),
  constraint return_item_receives_no_more_than_it_has check (
    restocked_quantity >= 0 and written_off_quantity >= 0
    and restocked_quantity + written_off_quantity <= quantity
  )
);

comment on table return_items is 'Requested and received units of one order item in a return.';

create function return_moves_as_published() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('requested', 'approved'),
    ('requested', 'rejected'),
    ('approved', 'in_transit'),
    ('approved', 'received'),
    ('approved', 'closed'),
    ('in_transit', 'received'),
    ('in_transit', 'closed'),
    ('received', 'closed')
  ) then
    raise exception 'A return cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'return_moves_as_published', table = 'returns';
  end if;
  return new;
end
$$;

create trigger return_moves_as_published
before update of status on returns
for each row
when (old.status is distinct from new.status)
execute function return_moves_as_published();

alter table returns enable always trigger return_moves_as_published;
