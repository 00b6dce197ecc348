alter table quotes add column return_id record_id;
alter table quotes
add constraint quote_is_for_a_return foreign key (merchant_id, return_id)
references returns (merchant_id, id) not valid;

alter table shipments add column return_id record_id;
alter table shipments
add constraint shipment_is_of_a_return foreign key (merchant_id, return_id)
references returns (merchant_id, id) not valid;
alter table shipments
add constraint return_shipment_has_no_order_and_no_cash check (
  return_id is null or (order_id is null and cod_amount_kobo is null)
) not valid;

comment on column quotes.return_id is 'The return whose units the parcels contain. Null for other quotes.';
comment on column shipments.return_id is 'The return whose units the shipment brings back. Null for other shipments.';

-- A parcel that went back to the customer can be collected again.
create or replace function return_moves_as_published() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('requested', 'approved'),
    ('requested', 'rejected'),
    ('approved', 'in_transit'),
    ('approved', 'received'),
    ('approved', 'closed'),
    ('in_transit', 'approved'),
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
