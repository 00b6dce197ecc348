-- What a person leaves in quotes, shipments and what carriers told has to be found by their orders, and taken out.

create index quotes_by_order on quotes (merchant_id, order_id) where order_id is not null;

-- The orders a callback tells of, by its names for them: it says so in its news, one level deep for a hint and two for
-- what was signed. Callbacks that were emptied drop out of it.
create index carrier_callbacks_by_order on carrier_callbacks
using gin (jsonb_path_query_array(news, '$[*].**{1 to 2} ? (@.type() == "string")'))
where octet_length(body) > 0;

-- A carrier's own words, which end a description, may repeat a telephone number or a street it was given.
create function refuse_change_of_shipment_event() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE'
    and new.description <> ''
    and starts_with(old.description, new.description)
    and to_jsonb(new) - 'description' = to_jsonb(old) - 'description'
  then
    return new;
  end if;
  raise exception 'shipment_events is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only the end of a description may be cut off.';
end
$$;

drop trigger shipment_events_rows_never_change on shipment_events;

create trigger shipment_events_rows_never_change
before update or delete on shipment_events
for each row execute function refuse_change_of_shipment_event();

alter table shipment_events enable always trigger shipment_events_rows_never_change;

grant update (description) on shipment_events to current_user;
