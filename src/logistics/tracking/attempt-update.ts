import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'

/** Tracking update of a dispatch attempt, from a callback or a poll. */
export interface AttemptUpdate {
  readonly shipment: ShipmentKey
  readonly attemptNumber: number
  readonly tracking: Tracking
  readonly source: 'callback' | 'poll'
  /**
   * When the carrier was polled. All events in the carrier's response happened at this time or before. Undefined for a
   * callback.
   */
  readonly polledAt?: Timestamp
  /**
   * Order reference at the carrier, if the update has one. If the response to an attempt was lost, the attempt gets its
   * reference from an update with a reference.
   */
  readonly carrierReference?: string | undefined
  readonly actor: Actor
}

export type TrackingOutcome =
  | { readonly is: 'moved' | 'noted' | 'late'; readonly shipment: StoredShipment }
  /** The tracking update repeats a stored update, so nothing was written. */
  | { readonly is: 'unchanged'; readonly shipment: StoredShipment }
  /** The service has not recorded an acceptance of the attempt yet, so it checks the attempt at once. */
  | { readonly is: 'not_accepted_yet'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  /** A carrier has an order of an abandoned attempt, so two riders may come for the parcel. */
  | { readonly is: 'late_acceptance'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  /**
   * The carrier cancelled the order before the pickup, without a request of this service. The attempt has ended, and
   * another carrier may be requested.
   */
  | { readonly is: 'carrier_cancelled'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  /**
   * The last rider that is permitted for the dispatch attempt has left. The attempt is therefore treated as if its
   * deadline for assigning a rider had passed.
   */
  | { readonly is: 'riders_dropped'; readonly shipment: StoredShipment; readonly attemptNumber: number }
  | { readonly is: 'shipment_unknown' }
