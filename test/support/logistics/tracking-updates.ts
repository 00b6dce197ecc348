import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { applyTracking } from '../../../src/logistics/tracking/apply-tracking.ts'
import type { AttemptUpdate, TrackingOutcome } from '../../../src/logistics/tracking/attempt-update.ts'
import type { Tracking } from '../../../src/partners/carriers/carrier.ts'
import type { ShipmentKey } from '../../../src/store/logistics/shipments/shipments.ts'
import type { TestApi } from '../api.ts'
import { operator, type Shop } from '../shop.ts'
import { tracking } from './carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment } from './shipment.ts'

/** Applies a tracking update as if the carrier had sent it. */
export function applyUpdate(
  api: TestApi,
  shop: Shop,
  key: ShipmentKey,
  fields: Partial<Tracking>,
  more: Partial<AttemptUpdate> = {},
): Promise<TrackingOutcome> {
  const update: AttemptUpdate = {
    shipment: key,
    attemptNumber: 1,
    tracking: tracking(fields),
    source: 'callback',
    actor: { ...operator, type: 'provider', label: 'simulator-swift', sourceIp: '192.0.2.7', requestId: 'req_test' },
    ...more,
  }
  return applyTracking({ ...api.context, log: silentLog }, shop.tenant, update)
}

/** Returns a time within the last hour, because carriers report events that are already over. */
export function minuteOf(api: TestApi, minutes: number): Timestamp {
  return toTimestamp(api.clock.nowMs() + (minutes - 60) * 60_000)
}

export async function openTrackedShipment(api: TestApi, shop: Shop, options: ShipmentOptions) {
  const key = await storeShipment(api, shop, options)
  return {
    api,
    key,
    update: (status: ShipmentStatus | undefined, minutes?: number, more: Partial<Tracking> = {}) =>
      applyUpdate(api, shop, key, { status, at: minutes === undefined ? undefined : minuteOf(api, minutes), ...more }),
    read: () => readShipment(api, key),
  }
}
