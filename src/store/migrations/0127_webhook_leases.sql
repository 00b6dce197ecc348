-- A claim leases up to four deliveries of an endpoint at once. The lease was three columns of each delivery: every claim wrote a
-- new version of the row and entries of three indexes, and so did the result. One row of this table is the lease of all
-- deliveries that one claim took of one endpoint, and a claim leaves the deliveries as they are.
create table webhook_leases (
  merchant_id record_id not null,
  endpoint_id record_id not null,
  id uuid not null default gen_random_uuid(),
  worker_id text not null,
  expires_at timestamptz(3) not null,
  delivery_ids text[] collate "C" not null,
  constraint webhook_leases_pkey primary key (merchant_id, endpoint_id, id),
  constraint lease_is_of_a_delivery check (cardinality(delivery_ids) >= 1)
);

-- A worker of the previous release leases in the columns of the delivery, and does not know this table. While processes of both
-- releases run, this trigger keeps such a claim from taking a delivery that is being sent. Without the update, the claim does not
-- return the delivery. For each update of a delivery, the trigger costs a lock of the row before the update, also where its
-- condition is false; a later release drops it with the columns. The service has no privileges on the table until the migration
-- command has granted them, so the function runs with those of its owner.
create function skip_second_lease() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (
    select from webhook_leases lease
    where lease.merchant_id = new.merchant_id
      and lease.endpoint_id = new.endpoint_id
      and lease.expires_at > clock_timestamp()
      and new.id = any(lease.delivery_ids)
  ) then
    return null;
  end if;
  return new;
end
$$;

create trigger webhook_deliveries_are_leased_once before update on webhook_deliveries
for each row when (old.lease_until is null and new.lease_until is not null)
execute function skip_second_lease();

comment on table webhook_leases is 'The deliveries of an endpoint that a worker is sending. A row has the deliveries of one claim; the last result deletes it.';
comment on column webhook_leases.expires_at is 'From then on, the worker counts as lost, and the deliveries are sent again.';
comment on column webhook_leases.delivery_ids is 'The deliveries of the claim whose results are not recorded yet.';
comment on column webhook_deliveries.lease_number is 'The number of the last recorded attempt. The next lease of the delivery has the next number, which is also the number of its attempt.';
comment on column webhook_deliveries.lease_until is 'Set by releases before webhook_leases. Null otherwise.';
comment on column webhook_deliveries.leased_by is 'Set by releases before webhook_leases. Null otherwise.';
