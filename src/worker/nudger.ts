import type { EndpointId, MerchantId } from '../../registry/vocabulary.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import { type DeliveryJobs, gatherDeliveryJobs } from './delivery-jobs.ts'

export interface Nudger extends Pick<DeliveryJobs, 'flush'> {
  /** Says that these endpoints have something due. Never throws: the pulse finds what is lost here. */
  readonly nudge: (merchantId: MerchantId, endpointIds: readonly EndpointId[]) => void
}

/** Nobody notices it in a delivery, and it makes one statement of a burst of mutations. */
const gatheringMs = 50

export function createNudger(database: Database, log: Log): Nudger {
  const jobs = gatherDeliveryJobs(database, log, gatheringMs)
  return {
    nudge: (merchantId, endpointIds) => {
      for (const endpointId of endpointIds) jobs.add({ merchantId, endpointId })
    },
    flush: jobs.flush,
  }
}
