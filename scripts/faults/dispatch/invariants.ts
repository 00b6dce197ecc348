import type { Pool } from 'pg'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'

/**
 * Selects the orders at the simulated carriers for the shipments of a merchant, with the shipment and the dispatch
 * attempt of each order. Each invariant is a query of these orders that returns the violations. An exception is
 * considered only if it is unresolved and reports an unknown outcome or a duplicate.
 */
const orders = `
  select
    simulated.reference, simulated.number, simulated.company,
    simulated.cancelled_at is null and simulated.fault <> 'carrier_cancels' as is_active,
    shipment.id as shipment_id, shipment.status, shipment.carrier_reference as shipment_reference, shipment.exceptions,
    attempt.state, attempt.carrier_reference, attempt.carrier,
    exists (
      select from jsonb_array_elements(shipment.exceptions) exception
      where exception ->> 'code' in ('outcome_unknown', 'possible_duplicate', 'duplicate_dispatch')
        and exception ->> 'resolvedAt' is null
    ) as has_open_exception
  from simulated_orders simulated
  join shipments shipment
    on shipment.id = regexp_replace(simulated.reference, '-[0-9]+$', '') and shipment.merchant_id = $1
  left join dispatch_attempts attempt
    on attempt.merchant_id = shipment.merchant_id and attempt.reference = simulated.reference`

/** Invariants that hold at any time, even while no dispatching process runs. */
const always = {
  'a shipment has at most one live attempt': `
    select shipment_id
    from dispatch_attempts
    where merchant_id = $1 and state in ('sending', 'unknown', 'accepted', 'cancelling')
    group by shipment_id
    having count(*) > 1`,
  'an order belongs to a stored attempt with the same carrier': `
    select * from (${orders}) carrier_orders where state is null or carrier <> company`,
  'an order belongs to a stored shipment': `
    select reference, number
    from simulated_orders
    where $1::text is not null
      and not exists (select from shipments where id = regexp_replace(simulated_orders.reference, '-[0-9]+$', ''))`,
  'an unfinished shipment has a next check': `
    select id, status
    from shipments
    where merchant_id = $1
      and next_check_at is null
      and status not in ('delivered', 'returned', 'cancelled', 'failed', 'lost')`,
}

/** Invariants that hold once all shipments are in a final status. */
const inTheEnd = {
  'an active order is stored with its attempt, or an exception is open': `
    select *
    from (${orders}) carrier_orders
    where is_active and carrier_reference is distinct from number and not has_open_exception`,
  'of two orders of a shipment one is cancelled, or an exception is open': `
    select shipment_id
    from (${orders}) carrier_orders
    where is_active and not has_open_exception
    group by shipment_id
    having count(*) > 1`,
  'every shipment is finished': `
    select id, status, next_check_at
    from shipments
    where merchant_id = $1
      and (status not in ('delivered', 'returned', 'cancelled', 'failed', 'lost') or next_check_at is not null)`,
  'no attempt is open': `
    select shipment_id, number, state, next_check_at
    from dispatch_attempts
    where merchant_id = $1 and (state in ('sending', 'unknown', 'accepted', 'cancelling') or next_check_at is not null)`,
  'an active order is the order of its shipment, or an exception is open': `
    select *
    from (${orders}) carrier_orders
    where is_active
      and not has_open_exception
      and (status not in ('delivered', 'returned') or shipment_reference is distinct from number)`,
  'a delivered shipment has a delivered order': `
    select id, carrier_reference
    from shipments
    where merchant_id = $1
      and status = 'delivered'
      and not exists (
        select from simulated_orders
        where number = shipments.carrier_reference and company = shipments.carrier and cancelled_at is null
      )`,
}

export function findBrokenNow(pool: Pool, merchantId: MerchantId): Promise<string[]> {
  return find(pool, merchantId, always)
}

export function findBrokenAtEnd(pool: Pool, merchantId: MerchantId): Promise<string[]> {
  return find(pool, merchantId, { ...always, ...inTheEnd })
}

async function find(pool: Pool, merchantId: MerchantId, queries: Readonly<Record<string, string>>): Promise<string[]> {
  const broken: string[] = []
  for (const [name, query] of Object.entries(queries)) {
    const { rows } = await pool.query(query, [merchantId])
    if (rows.length > 0) broken.push(`Violated: ${name}. ${JSON.stringify(rows)}`)
  }
  return broken
}
