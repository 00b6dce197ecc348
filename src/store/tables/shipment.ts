import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { Place } from '../../../registry/logistics/place.ts'
import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type {
  AttemptState,
  CancellationReason,
  DispatchStrategy,
  ServiceLevel,
  ShipmentStatus,
  UndeliverableAction,
  Vehicle,
} from '../../../registry/logistics/shipment-states.ts'
import type {
  Kobo,
  MerchantId,
  OfferId,
  OrderId,
  QuoteId,
  ReturnId,
  ShipmentId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import type { StoredException } from './shipment-exception.ts'

/** The stored form of shipments and dispatch attempts, with the columns that the statements read and write. */

/** An offer of the dispatch plan, with everything that the request to its carrier needs. */
export interface PlannedOffer {
  readonly offerId: OfferId | null
  readonly carrier: string
  readonly service: string
  /**
   * The carrier that a broker uses for the offer. Null or undefined when the account's carrier is not a broker, or when
   * the broker does not name the carrier.
   */
  readonly subCarrier?: string | null
  readonly serviceLevel: ServiceLevel
  readonly vehicle: Vehicle
  /** The total price of the offer: the carrier's price plus surge. */
  readonly priceKobo: Kobo
  /** The surge that a price from a rate card includes. */
  readonly surgeKobo: Kobo
  /**
   * The party that guarantees the price until the offer expires. `none` or undefined when the price is not guaranteed.
   */
  readonly priceLock?: 'carrier' | 'none'
  readonly token: string
  readonly breakdown: readonly { readonly code: string; readonly label: string; readonly amountKobo: Kobo }[]
  readonly pickupMinutes: { readonly p50: number; readonly p90: number } | null
  readonly dropoffMinutes: { readonly p50: number; readonly p90: number } | null
  readonly reliability: number
  readonly expiresAt: Timestamp
}

/** The offer of a dispatch attempt, with the cash on delivery of the request to its carrier. */
export interface RequestedOffer extends PlannedOffer {
  /**
   * Cash that the carrier was requested to collect. Null without cash on delivery. It can differ from the cash of the
   * shipment, which is lowered by payments before the request to a further carrier. Undefined in the attempts of earlier
   * releases.
   */
  readonly codAmountKobo?: Kobo | null
}

/** The rules for failover to another carrier, fixed when the shipment is created. */
export interface FailoverRules {
  readonly enabled: boolean
  readonly strategy: DispatchStrategy
  readonly maxAttempts: number
  readonly carriers: readonly string[] | null
  readonly excludeCarriers: readonly string[] | null
  readonly maxPriceKobo: Kobo | null
  readonly maxPriceIncreaseKobo: Kobo | null
  readonly assignTimeoutSeconds: number | null
  readonly onUnknown: 'wait' | 'proceed_guarded' | null
  /** The service levels of the request. If undefined or null, the plan uses only the fastest level offered. */
  readonly serviceLevels?: readonly ServiceLevel[] | null
}

export interface StoredCourier {
  readonly name: string
  readonly vehicle: Vehicle | null
  readonly phone: string | null
  readonly plateLastFour: string | null
}

export interface StoredShipment {
  readonly merchantId: MerchantId
  readonly id: ShipmentId
  readonly reference: string
  /** The hash of the request that created the shipment, in hex. */
  readonly requestHash: string
  readonly orderId: OrderId | null
  /** The return whose units the shipment brings back. A return shipment belongs to no order and has no items. */
  readonly returnId: ReturnId | null
  readonly items: readonly ShipmentItem[]
  /** The order items and quantities that a refund removed from the shipment before a carrier was requested. */
  readonly removedItems: readonly ShipmentItem[]
  readonly quoteId: QuoteId | null
  readonly offerId: OfferId | null
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
  /** Null without cash on delivery. */
  readonly codAmountKobo: Kobo | null
  /** Null until the parcel is delivered. */
  readonly codCollectedKobo: Kobo | null
  readonly codCollectedAt: Timestamp | null
  readonly pickupZoneId: string | null
  readonly dropoffZoneId: string | null
  readonly distanceMeters: number
  readonly vehicle: Vehicle
  readonly proof: { readonly photo: boolean; readonly signature: boolean; readonly pin: string | null }
  readonly undeliverableAction: UndeliverableAction
  readonly failover: FailoverRules
  readonly priceCeilingKobo: Kobo
  readonly quotedPriceKobo: Kobo
  readonly surgeSnapshotId: string | null
  readonly warnings: readonly QuoteWarning[]
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Timestamp
  readonly status: ShipmentStatus
  readonly statusCode: string | null
  readonly statusMessage: string | null
  readonly plan: readonly PlannedOffer[]
  readonly serviceLevel: ServiceLevel | null
  readonly service: string | null
  readonly carrier: string | null
  readonly carrierReference: string | null
  readonly trackingUrl: string | null
  readonly labelUrl: string | null
  /** The total price of the shipment in kobo, including surge. */
  readonly priceKobo: Kobo | null
  readonly surgeKobo: Kobo
  readonly courier: StoredCourier | null
  readonly pickupEstimate: { readonly p50: Timestamp; readonly p90: Timestamp } | null
  readonly deliveryEstimate: { readonly p50: Timestamp; readonly p90: Timestamp } | null
  /** Whether the shipment's items are already recorded on the order as sent or returned. */
  readonly itemsBooked: 'none' | 'sent' | 'returned'
  readonly capturedProof: readonly {
    readonly type: string
    readonly url: string | null
    readonly capturedAt: Timestamp
  }[]
  readonly exceptions: readonly StoredException[]
  readonly cancelRequestedAt: Timestamp | null
  readonly cancelReason: CancellationReason | null
  readonly cancelNote: string | null
  readonly cancelMaxFeeKobo: Kobo | null
  readonly cancelFeeKobo: Kobo | null
  readonly cancelRefundKobo: Kobo | null
  readonly dispatchAt: Timestamp | null
  readonly scheduledPickupAt: Timestamp | null
  /** When the service sent the first request to a carrier. Null before this request. */
  readonly dispatchedAt: Timestamp | null
  readonly acceptedAt: Timestamp | null
  readonly assignedAt: Timestamp | null
  readonly pickedUpAt: Timestamp | null
  readonly deliveredAt: Timestamp | null
  readonly endedAt: Timestamp | null
  readonly eventCount: number
  readonly attemptCount: number
  readonly nextCheckAt: Timestamp | null
  readonly checks: number
  readonly version: number
  readonly updatedAt: Timestamp
}

const fixed = [
  'reference',
  'requestHash',
  'orderId',
  'returnId',
  'quoteId',
  'offerId',
  'pickup',
  'dropoff',
  'pickupZoneId',
  'dropoffZoneId',
  'distanceMeters',
  'vehicle',
  'proof',
  'undeliverableAction',
  'failover',
  'surgeSnapshotId',
  'warnings',
  'metadata',
  'createdAt',
] as const satisfies readonly (keyof StoredShipment)[]

const mutable = [
  'items',
  'removedItems',
  'parcels',
  'status',
  'statusCode',
  'statusMessage',
  'plan',
  'priceCeilingKobo',
  'quotedPriceKobo',
  'serviceLevel',
  'service',
  'carrier',
  'carrierReference',
  'trackingUrl',
  'labelUrl',
  'priceKobo',
  'surgeKobo',
  'codAmountKobo',
  'codCollectedKobo',
  'codCollectedAt',
  'courier',
  'pickupEstimate',
  'deliveryEstimate',
  'itemsBooked',
  'capturedProof',
  'exceptions',
  'cancelRequestedAt',
  'cancelReason',
  'cancelNote',
  'cancelMaxFeeKobo',
  'cancelFeeKobo',
  'cancelRefundKobo',
  'dispatchAt',
  'scheduledPickupAt',
  'dispatchedAt',
  'acceptedAt',
  'assignedAt',
  'pickedUpAt',
  'deliveredAt',
  'endedAt',
  'eventCount',
  'attemptCount',
  'nextCheckAt',
  'checks',
  'version',
  'updatedAt',
] as const satisfies readonly (keyof StoredShipment)[]

/** States of a dispatch attempt without an accepted order that is monitored: its carrier may still have an order for it. */
export const monitoredStates = ['not_found_at_carrier', 'abandoned'] as const satisfies readonly AttemptState[]

/** States of a dispatch attempt whose order the carrier has cancelled. */
export const cancelledStates = ['cancelled', 'late_cancelled', 'superseded'] as const satisfies readonly AttemptState[]

/**
 * States in which a dispatch attempt has checks of its own. In the other states, the check of its shipment includes the
 * attempt.
 */
export const checkedStates = [...monitoredStates, ...cancelledStates] as const

export interface StoredAttempt {
  readonly merchantId: MerchantId
  readonly shipmentId: ShipmentId
  readonly number: number
  readonly carrier: string
  readonly reference: string
  readonly offer: RequestedOffer
  readonly startedAt: Timestamp
  readonly state: AttemptState
  /** The price that the carrier charges in kobo, without the surge of the offer. */
  readonly priceKobo: Kobo
  readonly carrierReference: string | null
  readonly outcomeCode: string | null
  readonly outcomeMessage: string | null
  readonly cancelFeeKobo: Kobo | null
  readonly duplicateCostKobo: Kobo | null
  readonly answeredAt: Timestamp | null
  readonly resolvedAt: Timestamp | null
  readonly notFoundCount: number
  readonly notFoundSince: Timestamp | null
  readonly checks: number
  readonly nextCheckAt: Timestamp | null
  readonly assignDeadline: Timestamp | null
  readonly monitorUntil: Timestamp | null
}

const attemptFixed = ['carrier', 'reference', 'offer', 'startedAt'] as const satisfies readonly (keyof StoredAttempt)[]

const attemptMutable = [
  'state',
  'priceKobo',
  'carrierReference',
  'outcomeCode',
  'outcomeMessage',
  'cancelFeeKobo',
  'duplicateCostKobo',
  'answeredAt',
  'resolvedAt',
  'notFoundCount',
  'notFoundSince',
  'checks',
  'nextCheckAt',
  'assignDeadline',
  'monitorUntil',
] as const satisfies readonly (keyof StoredAttempt)[]

export const shipmentColumns = { keys: ['merchantId', 'id'], fixed, mutable } as const satisfies Columns<StoredShipment>

export const attemptColumns = {
  keys: ['merchantId', 'shipmentId', 'number'],
  fixed: attemptFixed,
  mutable: attemptMutable,
} as const satisfies Columns<StoredAttempt>

type Columns<Stored> = { readonly [Group in 'keys' | 'fixed' | 'mutable']: readonly (keyof Stored)[] }
