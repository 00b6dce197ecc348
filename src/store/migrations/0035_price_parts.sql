-- A price has two parts. An attempt's was the whole until its carrier named a price of its own, and then the carrier's part
-- alone; now it is always the latter.
update dispatch_attempts
set price_kobo = (offer ->> 'priceKobo')::bigint - (offer ->> 'surgeKobo')::bigint
where (offer ->> 'surgeKobo')::bigint > 0 and price_kobo = (offer ->> 'priceKobo')::bigint;

-- And a shipment's was the carrier's part alone where the carrier named a price of its own.
update shipments
set price_kobo = attempt.price_kobo + shipments.surge_kobo, version = shipments.version + 1
from dispatch_attempts attempt
where shipments.surge_kobo > 0
  and shipments.price_kobo = attempt.price_kobo
  and attempt.merchant_id = shipments.merchant_id
  and attempt.shipment_id = shipments.id
  and attempt.carrier_reference = shipments.carrier_reference;

-- Nobody but a carrier has ever held a price.
update quote_offers set price_lock = 'none' where price_lock = 'platform';
alter table quote_offers
  drop constraint offer_price_lock_is_known,
  add constraint offer_price_lock_is_known check (price_lock in ('carrier', 'none'));

-- What nobody carries has no surge.
update shipments
set surge_kobo = 0, version = version + 1
where surge_kobo > coalesce(price_kobo, 0);

-- While an earlier version runs beside this one, it leaves the surge where it takes the price away.
alter table shipments
add constraint shipment_surge_is_part_of_its_price check (price_kobo is null or surge_kobo <= price_kobo);

comment on column shipments.price_kobo is 'What it costs with the carrier that took it: what the carrier charges, and the surge.';
comment on column shipments.surge_kobo is 'The part of the price that this service adds to a rate card.';
comment on column dispatch_attempts.price_kobo is 'What the carrier asks or charges, without surge.';
