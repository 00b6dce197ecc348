import type { DeliveryId, EventId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { EndpointKey } from './endpoints.ts'
import type { StoredSecret } from './signing-secrets.ts'

/** The result of a claim for each endpoint, from the rows of its statement. */

/** An endpoint whose due deliveries a worker claims. */
export interface ClaimLane extends EndpointKey {
  /**
   * Deliveries that were due before this time are not searched, unless the endpoint is throttled or disabled. Without a
   * time, all deliveries are searched.
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
}

/** The result of a claim of due deliveries for one endpoint. */
export interface ClaimedLane extends ClaimLane {
  readonly deliveries: readonly ClaimedDelivery[]
  /**
   * The limit because of which due deliveries were not claimed: the concurrency cap of the endpoint, or a limit of the
   * merchant or of the claim.
   */
  readonly limitedBy: 'endpoint' | 'merchant' | undefined
  /**
   * Whether the endpoint has no consecutive failures and is not ramping up after failures. Otherwise it may be
   * throttled.
   */
  readonly isHealthy: boolean
  /** Whether the endpoint is enabled. A disabled endpoint only receives replays and tests. */
  readonly isEnabled: boolean
  /** The due time of the first due delivery of the endpoint. Null if none is due. */
  readonly firstDueAt: Timestamp | null
}

/** The row for one endpoint in the result of a claim of due deliveries. */
interface LaneRow {
  readonly id: null
  readonly lane: number
  /** The number of due deliveries, at most one more than the claim has room for. */
  readonly candidates: number
  readonly room: number
  readonly firstDueAt: Timestamp | null
  readonly url: string
  readonly epoch: number
  readonly mode: 'live' | 'test'
  readonly isEnabled: boolean
  readonly isHealthy: boolean
  readonly secrets: readonly StoredSecret[]
  /** The lease of the claimed deliveries. Null if no delivery was claimed. */
  readonly leaseId: string | null
}

/** The row for one claimed delivery in the result of a claim. */
interface DeliveryRow extends Pick<ClaimedDelivery, 'id' | 'trigger' | 'leaseNumber' | 'eventId'> {
  readonly lane: number
}

/** The row for one event in the result of a claim. Several of the claimed deliveries may send the event. */
interface EventRow extends Pick<ClaimedDelivery, 'eventId' | 'body'> {
  readonly lane: null
}

export type ClaimRow = LaneRow | DeliveryRow | EventRow

/** Returns the claimed deliveries by endpoint. `wanted` are the endpoints of the claim, in the order of its statement. */
export function lanesOf(wanted: readonly ClaimLane[], rows: readonly ClaimRow[]): readonly ClaimedLane[] {
  const claimed = Map.groupBy(rows.filter(isDelivery), ({ lane }) => lane)
  const bodies = new Map(rows.filter(isEvent).map(({ eventId, body }) => [eventId, body]))
  return rows
    .filter(isLane)
    .flatMap(({ lane, candidates, room, firstDueAt, isEnabled, isHealthy, leaseId, ...endpoint }) => {
      const key = wanted[lane - 1]
      if (key === undefined) return []
      const { merchantId, endpointId, dueFrom } = key
      const { url, epoch, mode, secrets } = endpoint
      const deliveries = (claimed.get(lane) ?? []).flatMap(({ id, trigger, leaseNumber, eventId }) => {
        const body = bodies.get(eventId)
        // A delivery whose event is missing cannot be sent, so its lease expires unused.
        if (body === undefined || leaseId === null) return []
        const shared = { merchantId, endpointId, url, epoch, mode, isHealthy, secrets, leaseId }
        return [{ ...shared, id, trigger, leaseNumber, eventId, body }]
      })
      const isHeldBack = deliveries.length < Math.min(candidates, room)
      const limitedBy = isHeldBack ? 'merchant' : candidates > room ? 'endpoint' : undefined
      return [{ merchantId, endpointId, dueFrom, deliveries, limitedBy, isEnabled, isHealthy, firstDueAt }]
    })
}

function isLane(row: ClaimRow): row is LaneRow {
  return row.lane !== null && row.id === null
}

function isDelivery(row: ClaimRow): row is DeliveryRow {
  return row.lane !== null && row.id !== null
}

function isEvent(row: ClaimRow): row is EventRow {
  return row.lane === null
}
