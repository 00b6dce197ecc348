import { sql } from 'kysely'
import type { ShipmentStatus } from '../../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database } from '../../core/database.ts'
import { deletingExpired } from '../../core/expired-rows.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { writing } from '../../core/statement.ts'
import type { ShipmentKey } from './shipments.ts'

/** Positions of riders. They are not part of the shipment’s version or audit log, and are deleted after a month. */

export interface NewPosition extends ShipmentKey {
  readonly attemptNumber: number
  readonly lat: number
  readonly lng: number
  readonly headingDegrees: number | null
  readonly source: 'callback' | 'poll'
  readonly recordedAt: Timestamp
  readonly receivedAt: Timestamp
  /** Statuses in which the position of the rider is stored. */
  readonly statuses: readonly ShipmentStatus[]
}

const insert = writing<NewPosition>()(
  'insert_shipment_position',
  (p) => sql<{ number: number }>`
    insert into shipment_positions (
      merchant_id, shipment_id, number, attempt_number, lat, lng, heading_degrees, source, recorded_at, received_at
    )
    select
      shipments.merchant_id, shipments.id, coalesce(last.number, 0) + 1, ${p.attemptNumber}::integer, ${p.lat}::float8,
      ${p.lng}::float8, ${p.headingDegrees}::integer, ${p.source}, ${p.recordedAt}::timestamptz, ${p.receivedAt}::timestamptz
    from shipments
    join dispatch_attempts attempt
      on attempt.merchant_id = shipments.merchant_id
      and attempt.shipment_id = shipments.id
      and attempt.number = ${p.attemptNumber}::integer
      and attempt.state = 'accepted'
    left join lateral (
      select number, attempt_number, recorded_at
      from shipment_positions
      where merchant_id = ${p.merchantId} and shipment_id = shipments.id
      order by number desc
      limit 1
    ) last on true
    where shipments.merchant_id = ${p.merchantId}
      and shipments.id = ${p.id}
      and shipments.status = any(${p.statuses}::text[])
      and (last.number is null or last.attempt_number <> attempt.number or last.recorded_at < ${p.recordedAt}::timestamptz)
    on conflict do nothing
    returning number`,
)

/**
 * Stores the position of a rider. Returns false if the position is not newer than the last stored one, or if the status
 * of the shipment or of the dispatch attempt excludes positions.
 */
export async function storePosition(database: Database, position: NewPosition): Promise<boolean> {
  return (await retryConflicts(() => database.run(insert, position))).length > 0
}

export const positionDeletion = deletingExpired<{ receivedBefore: Timestamp }>()({
  label: 'purge_shipment_positions',
  table: 'shipment_positions',
  key: ['shipmentId', 'number'],
  age: 'received_at',
  hasEnded: (p) => sql`received_at < ${p.receivedBefore}::timestamptz`,
  size: 5000,
})
