import type { DeliveryId, EventId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { newLeaseId } from '../../base/ids.ts'
import type { EndpointKey } from './endpoints.ts'
import type { StoredSecret } from './signing-secrets.ts'

/** Chooses the deliveries that a claim takes for each endpoint (lane), and builds the result of the claim. */

/** An endpoint whose due deliveries a worker claims. */
export interface ClaimLane extends EndpointKey {
  /**
   * The claim does not search deliveries that were due before this time, unless the endpoint is throttled or disabled.
   * If undefined, all deliveries of the endpoint are searched.
   */
  readonly dueFrom?: Timestamp | undefined
}

export interface ClaimedDelivery extends EndpointKey {
  readonly id: DeliveryId
  readonly trigger: 'automatic' | 'replay' | 'test'
  /** The id of the lease that this claim of deliveries creates. */
  readonly leaseId: string
  /** The number of this lease of the delivery, from 1. It is also the number of the attempt. */
  readonly leaseNumber: number
  readonly eventId: EventId
  readonly body: string
  readonly url: string
  readonly epoch: number
  readonly mode: 'live' | 'test'
  /** Whether the endpoint has no consecutive failures and is not ramping up after failures. */
  readonly isHealthy: boolean
  /** The signing secrets as stored, the current one first. */
  readonly secrets: readonly StoredSecret[]
  /** The custom headers as stored. Null without custom headers. */
  readonly sealedHeaders: Buffer | null
}

export interface ClaimedLane extends ClaimLane {
  readonly deliveries: readonly ClaimedDelivery[]
  /**
   * The limit that prevented the claim of further due deliveries: `endpoint` is the concurrency cap of the endpoint,
   * `merchant` is a limit of the merchant or of the claim. Undefined if no limit was reached.
   */
  readonly limitedBy: 'endpoint' | 'merchant' | undefined
  /**
   * Whether the endpoint has no consecutive failures and is not ramping up after failures. Otherwise it may be
   * throttled.
   */
  readonly isHealthy: boolean
  /** A disabled endpoint only receives replays and tests. */
  readonly isEnabled: boolean
  /** The due time of the first due delivery of the endpoint. Null if none is due. */
  readonly firstDueAt: Timestamp | null
}

/** The number of deliveries that are being sent to an endpoint. */
export interface SendCount extends EndpointKey {
  readonly sends: number
}

/** The fields of a webhook endpoint that a delivery attempt needs. */
export interface Receiver
  extends EndpointKey,
    Pick<ClaimedDelivery, 'url' | 'epoch' | 'mode' | 'secrets' | 'sealedHeaders'> {}

/** The state of an endpoint. It determines which deliveries of the endpoint a claim chooses. */
interface LaneState extends EndpointKey, Pick<ClaimedLane, 'isEnabled' | 'isHealthy'> {
  /** The concurrency cap of an endpoint that is ramping up after failures; otherwise null. */
  readonly ramp: number | null
}

export interface DueDelivery extends EndpointKey, Pick<ClaimedDelivery, 'id' | 'trigger' | 'leaseNumber' | 'eventId'> {
  readonly nextAttemptAt: Timestamp
}

/** A due delivery with the state of its endpoint. An endpoint without due deliveries has one row without a delivery. */
export type DueRow = LaneState & (DueDelivery | (EndpointKey & { readonly id: null }))

interface Choice {
  readonly lanes: readonly ClaimLane[]
  readonly room: number
  readonly merchantCap: number
  readonly endpointCap: number
}

interface Found {
  readonly sends: readonly SendCount[]
  readonly receivers: readonly Receiver[]
  /**
   * The due deliveries of each endpoint, at most its concurrency cap plus one. The additional delivery shows that
   * further deliveries are due.
   */
  readonly due: readonly DueRow[]
}

interface ChosenLane extends LaneState, Receiver, ClaimLane {
  readonly leaseId: string
  /** The due deliveries of an endpoint: at most one more than the endpoint may have in flight. */
  readonly candidates: readonly DueDelivery[]
  readonly room: number
  readonly deliveries: DueDelivery[]
}

/**
 * Chooses deliveries round-robin: the first delivery of every endpoint comes before the second delivery of any endpoint.
 * The caps limit the deliveries in flight for one merchant and for one endpoint.
 */
export function chooseDeliveries(
  { lanes, room, merchantCap, endpointCap }: Choice,
  { sends, receivers, due }: Found,
): readonly ChosenLane[] {
  const sendsOf = new Map<string, number>()
  for (const { merchantId, endpointId, sends: count } of sends) {
    sendsOf.set(endpointId, count)
    sendsOf.set(merchantId, (sendsOf.get(merchantId) ?? 0) + count)
  }
  const receiverOf = new Map(receivers.map((receiver) => [receiver.endpointId, receiver]))
  const rowsOf = Map.groupBy(due, ({ endpointId }) => endpointId)
  const chosen = lanes.flatMap((lane): ChosenLane[] => {
    const receiver = receiverOf.get(lane.endpointId)
    const rows = rowsOf.get(lane.endpointId) ?? []
    const [state] = rows
    if (receiver === undefined || state === undefined) return []
    const { isEnabled, isHealthy, ramp } = state
    const cap = Math.min(endpointCap, ramp ?? endpointCap)
    const own = Math.max(0, cap - (sendsOf.get(lane.endpointId) ?? 0))
    const candidates = rows
      .filter((row) => row.id !== null)
      .toSorted(byDueTime)
      .slice(0, own + 1)
    const leaseId = newLeaseId()
    return [{ ...receiver, ...lane, isEnabled, isHealthy, ramp, leaseId, candidates, room: own, deliveries: [] }]
  })
  let left = room
  for (let rank = 0; rank < endpointCap; rank++) {
    for (const { merchantId, room: own, candidates, deliveries } of chosen) {
      const next = candidates[rank]
      const inFlight = sendsOf.get(merchantId) ?? 0
      if (next === undefined || rank >= own || left <= 0 || inFlight >= merchantCap) continue
      deliveries.push(next)
      sendsOf.set(merchantId, inFlight + 1)
      left -= 1
    }
  }
  return chosen
}

function byDueTime(a: DueDelivery, b: DueDelivery): number {
  if (a.nextAttemptAt !== b.nextAttemptAt) return a.nextAttemptAt < b.nextAttemptAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}

interface EventBody {
  readonly eventId: EventId
  readonly body: string
}

export function lanesOf(chosen: readonly ChosenLane[], events: readonly EventBody[]): readonly ClaimedLane[] {
  const bodies = new Map(events.map(({ eventId, body }) => [eventId, body]))
  return chosen.map((lane) => {
    const { merchantId, endpointId, dueFrom, isEnabled, isHealthy, candidates, room } = lane
    const { url, epoch, mode, secrets, sealedHeaders, leaseId } = lane
    const deliveries = lane.deliveries.flatMap(({ id, trigger, leaseNumber, eventId }) => {
      const body = bodies.get(eventId)
      // A delivery whose event is missing cannot be sent. Its lease expires without an attempt.
      if (body === undefined) return []
      const shared = { merchantId, endpointId, url, epoch, mode, isHealthy, secrets, sealedHeaders, leaseId }
      return [{ ...shared, id, trigger, leaseNumber, eventId, body }]
    })
    const isHeldBack = deliveries.length < Math.min(candidates.length, room)
    const limitedBy = isHeldBack ? 'merchant' : candidates.length > room ? 'endpoint' : undefined
    const firstDueAt = candidates[0]?.nextAttemptAt ?? null
    return { merchantId, endpointId, dueFrom, deliveries, limitedBy, isEnabled, isHealthy, firstDueAt }
  })
}
