import type { Timestamp } from '../../registry/vocabulary.ts'
import type { Log } from '../log.ts'
import type { Database } from '../store/database.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import { type DeliveryJobs, gatherDeliveryJobs } from './delivery-jobs.ts'

/** Jobs that come back when an endpoint has something due: Graphile Worker keeps the time of every retry. */
export interface CallBack extends Pick<DeliveryJobs, 'flush'> {
  /** Never throws: the pulse finds what is lost here. */
  readonly callBack: (endpoint: EndpointKey, at: Timestamp) => void
}

/** What it calls for is seconds away at the earliest, so one statement may as well carry that of many endpoints. */
const gatheringMs = 100

export function createCallBack(database: Database, log: Log): CallBack {
  const jobs = gatherDeliveryJobs(database, log, gatheringMs)
  return {
    callBack: ({ merchantId, endpointId }, at) => jobs.add({ merchantId, endpointId, runAt: at }),
    flush: jobs.flush,
  }
}
