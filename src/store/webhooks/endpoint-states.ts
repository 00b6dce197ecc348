import { sql } from 'kysely'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LockTrx, WriteTrx } from '../core/database.ts'
import { updatingRows } from '../core/rows.ts'
import { locking } from '../core/statement.ts'
import { type DisabledReason, type EndpointKey, inMerchantOrder } from './endpoints.ts'

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

interface EndpointsOfMerchant {
  readonly merchantId: MerchantId
  readonly endpointIds: readonly EndpointId[]
}

/** Locks endpoint rows in key order, so that concurrent transactions cannot deadlock. */
const lockStates = locking<EndpointsOfMerchant>()(
  'lock_endpoint_states',
  (p) => sql<EndpointStateRow>`
    select
      merchant_id, id as endpoint_id, status, disabled_reason, disabled_at, consecutive_failures, epoch, paced_until, ramp,
      deleted_at
    from webhook_endpoints
    where merchant_id = ${p.merchantId} and id = any(${p.endpointIds}::text[])
    order by id
    for no key update`,
)

const save = updatingRows(
  'webhook_endpoints',
  ['merchantId', 'id'],
  ['status', 'disabledReason', 'disabledAt', 'consecutiveFailures', 'epoch', 'pacedUntil', 'ramp', 'updatedAt'],
)

/**
 * Locks endpoints, with a statement for each merchant, and returns their states. Callers must lock endpoints before the
 * deliveries of the endpoints.
 */
export async function lockEndpointStates(
  trx: LockTrx,
  keys: readonly EndpointKey[],
): Promise<readonly EndpointStateRow[]> {
  const locked = inMerchantOrder(keys).map(([merchantId, endpoints]) =>
    trx.lock(lockStates, { merchantId, endpointIds: endpoints.map(({ endpointId }) => endpointId) }),
  )
  return (await Promise.all(locked)).flat()
}

/** Requires the locks of the endpoints. */
export function saveEndpointStates(trx: WriteTrx, states: readonly EndpointStateRow[], now: Timestamp): void {
  save.update(
    trx,
    states.map((state) => ({ ...state, id: state.endpointId, updatedAt: now })),
  )
}
