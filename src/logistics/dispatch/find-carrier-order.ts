import type { FoundOrder, SoughtOrder } from '../../partners/carriers/carrier.ts'
import { type ConcurrentAttempt, listConcurrentAttempts } from '../../store/logistics/shipments/concurrent-attempts.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { UsableCarrier } from '../carriers/accounts.ts'
import type { ShipmentCommand } from '../shipments/change-shipment.ts'
import { createRequestOf } from './begin-attempt.ts'

/**
 * `not_searchable`: the carrier is not connected or has no lookup. `no_response`: the lookup failed or was ambiguous.
 */
export type SearchOutcome = FoundOrder | { readonly is: 'not_searchable' } | { readonly is: 'no_response' }

/**
 * Searches the carrier for the order of an attempt whose response was lost. A lookup by reference is exact. A list can
 * only be matched by recipient and price, and one recipient may be sent two parcels within minutes. So orders of other
 * attempts are excluded, and no match is returned while a later attempt for the same recipient may own it.
 */
export async function findCarrierOrder(
  { context: { breakers, database, timeouts } }: ShipmentCommand,
  usable: UsableCarrier | undefined,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<SearchOutcome> {
  const find = usable?.carrier.find
  if (usable === undefined || find === undefined) return { is: 'not_searchable' }
  const search = async (others: Pick<SoughtOrder, 'taken' | 'rivalRequestedAt'>): Promise<SearchOutcome> => {
    const sought = { request: createRequestOf(shipment, attempt), requestedAt: attempt.startedAt, ...others }
    const request = { operation: 'read', timeoutMs: timeouts.readMs } as const
    const outcome = await breakers.run(usable, request, (signal) => find(usable.account, sought, signal))
    return outcome.is === 'ok' ? outcome.value : { is: 'no_response' }
  }
  if (usable.carrier.capabilities.lookup !== 'list') return search({})
  const before = await listConcurrentAttempts(database, attempt)
  const found = await search(excludedOrders(before, attempt))
  if (found.is !== 'found') return found
  // Read the attempts again: one that started during the lookup may own the order in the list.
  const after = await listConcurrentAttempts(database, attempt)
  const isTaken = after.some(
    ({ reference, carrierReference, isRival }) =>
      carrierReference === found.order.carrierReference ||
      (isRival && !before.some((known) => known.reference === reference)),
  )
  return isTaken ? { is: 'no_response' } : found
}

function excludedOrders(
  others: readonly ConcurrentAttempt[],
  { startedAt, reference }: StoredAttempt,
): Pick<SoughtOrder, 'taken' | 'rivalRequestedAt'> {
  // Two attempts that started in the same millisecond are ordered by reference.
  const isLater = (other: ConcurrentAttempt) =>
    other.startedAt > startedAt || (other.startedAt === startedAt && other.reference > reference)
  return {
    taken: new Set(others.flatMap(({ carrierReference }) => carrierReference ?? [])),
    rivalRequestedAt: others.find((other) => other.isRival && isLater(other))?.startedAt,
  }
}
