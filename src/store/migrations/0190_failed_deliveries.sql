-- Parcels that a carrier could not hand over before this release get the exception `delivery_failed`, unless the order of the parcel
-- is cancelled, delivered or returned. The exception is not reported yet: the next change of the shipment creates its event and its
-- notification if the exception is still open.
update shipments
set
  exceptions = exceptions || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'code', 'delivery_failed',
    'carrier', carrier,
    'at', to_char(
      coalesce(
        (
          select max(failed.received_at)
          from shipment_events failed
          where failed.merchant_id = shipments.merchant_id
            and failed.shipment_id = shipments.id
            and failed.status = 'delivery_failed'
            and failed.is_applied
        ),
        updated_at
      ) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
    )
  ))),
  version = version + 1,
  updated_at = now()
where status = 'delivery_failed'
  and not jsonb_path_exists(exceptions, '$[*] ? (@.code == "delivery_failed")')
  and not exists (
    select
    from orders
    where orders.merchant_id = shipments.merchant_id
      and orders.id = shipments.order_id
      and orders.status in ('cancelled', 'delivered', 'returned')
  );
