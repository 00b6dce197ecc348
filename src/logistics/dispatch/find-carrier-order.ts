import type { FoundOrder, SoughtOrder } from '../../partners/carriers/carrier.ts'
import { type ConcurrentAttempt, listConcurrentAttempts } from '../../store/logistics/shipments/concurrent-attempts.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { isAccountReplaced, type UsableCarrier } from '../carriers/accounts.ts'
import type { ShipmentCommand } from '../shipments/change-shipment.ts'
import { createRequestOf } from './begin-attempt.ts'

/**
 * `not_searchable`: the carrier is not connected, or it offers no search for orders. `no_response`: the search failed,
 * or its result was ambiguous.
 */
export type SearchOutcome = FoundOrder | { readonly is: 'not_searchable' } | { readonly is: 'no_response' }

/**
 * Searches the carrier for the order of a dispatch attempt whose response was lost. A lookup by reference is exact. In
 * a list, an order can only be matched by recipient and price, and two parcels may be sent to one recipient within
 * minutes. Orders of other attempts are therefore excluded. No match is returned while the order may belong to a later
 * attempt for the same recipient.
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
    if (outcome.is !== 'ok') return { is: 'no_response' }
    // An account that was connected after the attempt does not show the orders of an earlier account.
    return outcome.value.is === 'absent' && isAccountReplaced(usable, attempt) ? { is: 'no_response' } : outcome.value
  }
  if (usable.carrier.capabilities.lookup !== 'list') return search({})
  const before = await listConcurrentAttempts(database, attempt)
  const found = await search(excludedOrders(before, attempt))
  if (found.is !== 'found') return found
  // The stored attempts are read again, because the carrier's order may belong to an attempt that started during the
  // lookup.
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
  // Dispatch attempts that started in the same millisecond are compared by their references.
  const isLater = (other: ConcurrentAttempt) =>
    other.startedAt > startedAt || (other.startedAt === startedAt && other.reference > reference)
  return {
    taken: new Set(others.flatMap(({ carrierReference }) => carrierReference ?? [])),
    rivalRequestedAt: others.find((other) => other.isRival && isLater(other))?.startedAt,
  }
}
