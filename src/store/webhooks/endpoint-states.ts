import { sql } from 'kysely'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, WriteTrx } from '../core/database.ts'
import { updatingRows } from '../core/rows.ts'
import { locking } from '../core/statement.ts'
import type { DisabledReason, EndpointKey } from './endpoints.ts'

/** The state of an endpoint. It is locked, updated by the rules of webhooks/reduce.ts, and saved. */
export interface EndpointStateRow extends EndpointKey {
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: Timestamp | null
  readonly consecutiveFailures: number
  readonly epoch: number
  readonly pacedUntil: Timestamp | null
  readonly ramp: number | null
  readonly deletedAt: Timestamp | null
}

interface EndpointKeys {
  readonly merchantIds: readonly string[]
  readonly endpointIds: readonly string[]
}

/** Locks endpoint rows in key order, so that concurrent transactions cannot deadlock. */
const lockStates = locking<EndpointKeys>()(
  'lock_endpoint_states',
  (p) => sql<EndpointStateRow>`
    select
      endpoint.merchant_id, endpoint.id as endpoint_id, endpoint.status,
      endpoint.disabled_reason, endpoint.disabled_at,
      endpoint.consecutive_failures, endpoint.epoch, endpoint.paced_until,
      endpoint.ramp, endpoint.deleted_at
    from unnest(${p.merchantIds}::text[], ${p.endpointIds}::text[]) as wanted (merchant_id, id)
    join webhook_endpoints endpoint on endpoint.merchant_id = wanted.merchant_id and endpoint.id = wanted.id
    order by endpoint.merchant_id, endpoint.id
    for no key update of endpoint`,
)

const save = updatingRows(
  'webhook_endpoints',
  ['merchantId', 'id'],
  ['status', 'disabledReason', 'disabledAt', 'consecutiveFailures', 'epoch', 'pacedUntil', 'ramp', 'updatedAt'],
)

/** Locks endpoints and returns their states. Callers must lock endpoints before the deliveries of the endpoints. */
export function lockEndpointStates(trx: LockTrx, keys: readonly EndpointKey[]): Promise<readonly EndpointStateRow[]> {
  return trx.lock(lockStates, {
    merchantIds: keys.map(({ merchantId }) => merchantId),
    endpointIds: keys.map(({ endpointId }) => endpointId),
  })
}

/** Saves the states of endpoints. Requires the locks of the endpoints. */
export function saveEndpointStates(trx: WriteTrx, states: readonly EndpointStateRow[], now: Timestamp): void {
  save.update(
    trx,
    states.map((state) => ({ ...state, id: state.endpointId, updatedAt: now })),
  )
}
