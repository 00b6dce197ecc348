import type { FoundOrder, SoughtOrder } from '../../partners/carriers/carrier.ts'
import { type ConcurrentAttempt, listConcurrentAttempts } from '../../store/logistics/shipments/concurrent-attempts.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { UsableCarrier } from '../carriers/accounts.ts'
import type { ShipmentCommand } from '../shipments/change-shipment.ts'
import { createRequestOf } from './begin-attempt.ts'

/**
 * Looks for the order of an asking whose answer was lost. A carrier that knows our reference is sure of it. One that only
 * shows a list tells by recipient and price, and the same person may be sent two parcels within minutes: what another
 * asking has is not this one’s, and neither is, while somebody asked later and has not heard, what may be theirs.
 */

export type SearchOutcome = FoundOrder | { readonly is: 'nothing_to_ask' } | { readonly is: 'no_word' }

export async function findCarrierOrder(
  { context: { breakers, database, patience } }: ShipmentCommand,
  usable: UsableCarrier | undefined,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<SearchOutcome> {
  const find = usable?.carrier.find
  if (usable === undefined || find === undefined) return { is: 'nothing_to_ask' }
  const look = async (others: Pick<SoughtOrder, 'taken' | 'rivalRequestedAt'>): Promise<SearchOutcome> => {
    const sought = { request: createRequestOf(shipment, attempt), requestedAt: attempt.startedAt, ...others }
    const request = { operation: 'read', timeoutMs: patience.readMs } as const
    const outcome = await breakers.run(usable, request, (signal) => find(usable.account, sought, signal))
    return outcome.is === 'ok' ? outcome.value : { is: 'no_word' }
  }
  if (usable.carrier.capabilities.lookup !== 'list') return look({})
  const before = await listConcurrentAttempts(database, attempt)
  const sought = await look(othersOf(before, attempt))
  if (sought.is !== 'found') return sought
  // Whatever the list showed was asked for by now: an asking that began meanwhile is there to be read.
  const after = await listConcurrentAttempts(database, attempt)
  const isOthers = after.some(
    ({ reference, carrierReference, isRival }) =>
      carrierReference === sought.order.carrierReference ||
      (isRival && !before.some((known) => known.reference === reference)),
  )
  return isOthers ? { is: 'no_word' } : sought
}

function othersOf(
  others: readonly ConcurrentAttempt[],
  { startedAt, reference }: StoredAttempt,
): Pick<SoughtOrder, 'taken' | 'rivalRequestedAt'> {
  // Of two that began in the same moment one has to be the later.
  const isLater = (other: ConcurrentAttempt) =>
    other.startedAt > startedAt || (other.startedAt === startedAt && other.reference > reference)
  return {
    taken: new Set(others.flatMap(({ carrierReference }) => carrierReference ?? [])),
    rivalRequestedAt: others.find((other) => other.isRival && isLater(other))?.startedAt,
  }
}
