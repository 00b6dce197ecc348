alter table orders add column cancel_note text;

comment on column orders.cancel_note is 'Why the order was cancelled, in words.';

-- The moves the contract publishes. A job, a callback or a hand at the console can no more skip them than a client can.
create function order_moves_as_published() returns trigger
language plpgsql
as $$
begin
  if (old.status, new.status) not in (
    ('pending', 'on_hold'),
    ('pending', 'processing'),
    ('pending', 'cancelled'),
    ('on_hold', 'pending'),
    ('on_hold', 'processing'),
    ('on_hold', 'cancelled'),
    ('processing', 'on_hold'),
    ('processing', 'shipped'),
    ('processing', 'delivered'),
    ('processing', 'cancelled'),
    ('shipped', 'processing'),
    ('shipped', 'delivered'),
    ('shipped', 'returned'),
    ('delivered', 'returned')
  ) then
    raise exception 'An order cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'order_moves_as_published', table = 'orders';
  end if;
  if old.status = 'on_hold' and new.status <> 'cancelled' and new.status <> old.held_from then
    raise exception 'An order on hold is released to % alone.', old.held_from
      using errcode = 'check_violation', constraint = 'order_is_released_to_where_it_was', table = 'orders';
  end if;
  return new;
end
$$;

create trigger order_moves_as_published
before update of status on orders
for each row
when (old.status is distinct from new.status)
execute function order_moves_as_published();

alter table orders enable always trigger order_moves_as_published;
