import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { Context } from '../../store/core/mutation.ts'
import { countUnknownStatus } from '../../store/logistics/carriers/unknown-statuses.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'
import { type Exceptions, resolvedOf, withException } from '../shipments/exceptions.ts'

/** A mapped status resolves the exception `unknown_carrier_status`. */
export function withUnknownStatus(
  exceptions: Exceptions,
  carrier: string,
  { status, carrierStatus }: Tracking,
  at: Timestamp,
): Exceptions {
  const code = 'unknown_carrier_status'
  if (status !== undefined) return resolvedOf(exceptions, [code], at)
  return withException(exceptions, { code, carrier, facts: { carrierStatus }, at })
}

/** Logs and counts a carrier status that no adapter maps. Called when the status is first reported for a shipment. */
export async function reportUnknownStatus(
  { database, clock, log }: Context & { readonly log: Log },
  { shipment: { id, merchantId }, tracking }: { readonly shipment: ShipmentKey; readonly tracking: Tracking },
  carrier: string | null,
): Promise<void> {
  if (carrier === null || tracking.status !== undefined) return
  const { carrierStatus } = tracking
  log.warn(
    { merchantId, shipmentId: id, carrier, carrierStatus },
    'A carrier reports a status that is not mapped to a shipment status.',
  )
  await countUnknownStatus(database, { carrier, status: carrierStatus, now: toTimestamp(clock.nowMs()) })
}
