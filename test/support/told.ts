import { silentLog } from '../../src/log.ts'
import { applyTracking, type Told, type TrackingOutcome } from '../../src/logistics/apply-tracking.ts'
import type { Tracking } from '../../src/partners/carriers/carrier.ts'
import type { ShipmentKey } from '../../src/store/shipments.ts'
import type { TestApi } from './api.ts'
import { tracking } from './carrier.ts'
import { operator, type Shop } from './shop.ts'

/** Says to the service what a carrier would. */
export function tell(
  api: TestApi,
  shop: Shop,
  key: ShipmentKey,
  said: Partial<Tracking>,
  more: Partial<Told> = {},
): Promise<TrackingOutcome> {
  const told: Told = {
    shipment: key,
    attemptNumber: 1,
    tracking: tracking(said),
    source: 'callback',
    actor: { ...operator, type: 'provider', label: 'simulator-swift', sourceIp: '192.0.2.7', requestId: 'req_test' },
    ...more,
  }
  return applyTracking({ ...api.context, log: silentLog }, shop.tenant, told)
}
