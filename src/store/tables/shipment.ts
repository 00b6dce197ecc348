import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { Place } from '../../../registry/logistics/place.ts'
import type { QuoteWarning } from '../../../registry/logistics/quote-warnings.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type {
  AttemptState,
  CancellationReason,
  DispatchStrategy,
  ServiceLevel,
  ShipmentExceptionCode,
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
  ShipmentId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'

/** A shipment and its attempts as they are kept: what the rules work on, and what of it each statement names. */

/** An offer in the order in which it is to be tried, with all it takes to ask for it. */
export interface PlannedOffer {
  readonly offerId: OfferId | null
  readonly carrier: string
  readonly service: string
  /** Which company behind a broker it is of; left out or null where the carrier is none, or has not said. */
  readonly subCarrier?: string | null
  readonly serviceLevel: ServiceLevel
  readonly vehicle: Vehicle
  /** The whole: what the carrier asks, and the surge. */
  readonly priceKobo: Kobo
  /** The part of the price that is surge of a rate card. */
  readonly surgeKobo: Kobo
  /** Who holds the price until the offer ends; nobody when left out. */
  readonly priceLock?: 'carrier' | 'none'
  readonly token: string
  readonly breakdown: readonly { readonly code: string; readonly label: string; readonly amountKobo: Kobo }[]
  readonly pickupMinutes: { readonly p50: number; readonly p90: number } | null
  readonly dropoffMinutes: { readonly p50: number; readonly p90: number } | null
  readonly reliability: number
  readonly expiresAt: Timestamp
}

/** The rules of failover as they were settled when the shipment was made. */
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
  /** The levels the request names; without any the plan keeps to the fastest level that is offered. */
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
  /** In hex, of the request that made it. */
  readonly requestHash: string
  readonly orderId: OrderId | null
  /** Units of the order’s items that it carries. */
  readonly items: readonly ShipmentItem[]
  readonly quoteId: QuoteId | null
  readonly offerId: OfferId | null
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
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
  /** The whole, as of an offer. */
  readonly priceKobo: Kobo | null
  readonly surgeKobo: Kobo
  readonly courier: StoredCourier | null
  readonly pickupEstimate: { readonly p50: Timestamp; readonly p90: Timestamp } | null
  readonly deliveryEstimate: { readonly p50: Timestamp; readonly p90: Timestamp } | null
  /** Whether the order counts the items as sent or as returned already. */
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
  /** When the first carrier was asked. */
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

export type ExceptionCause =
  | 'never_answered'
  | 'cancellation_unconfirmed'
  | 'order_kept'
  | 'nobody_left'
  | 'not_released'
  | 'out_of_stock'
  | 'not_allowed'
  | 'not_counted'

type ExceptionFact =
  | 'reference'
  | 'carrierReference'
  | 'carrierStatus'
  | 'dueAt'
  | 'holder'
  | 'refusal'
  | 'orderStatus'
  | 'wanted'

/** Something a person should look at, or had to. */
export interface StoredException {
  readonly code: ShipmentExceptionCode
  /** Which case of the code it is, where the code has several. */
  readonly cause?: ExceptionCause
  /** The carrier it is about, and the attempt; left out where it is about neither. */
  readonly carrier?: string
  readonly attemptNumber?: number
  /** What the message names beside them. */
  readonly facts?: Readonly<Partial<Record<ExceptionFact, string>>>
  /** Of one that was stored before messages were built when they are read, or that was emptied of a person. */
  readonly message?: string
  readonly at: Timestamp
  /** Since when it holds no more; left out while it does. */
  readonly resolvedAt?: Timestamp
  /** Where it is about money: what was agreed to, and what the carrier charged. */
  readonly amounts?: { readonly allowedKobo: Kobo; readonly chargedKobo: Kobo }
}

/** What never changes once a shipment is made. */
const fixed = {
  reference: 'reference',
  requestHash: 'request_hash',
  orderId: 'order_id',
  items: 'items',
  quoteId: 'quote_id',
  offerId: 'offer_id',
  pickup: 'pickup',
  dropoff: 'dropoff',
  parcels: 'parcels',
  pickupZoneId: 'pickup_zone_id',
  dropoffZoneId: 'dropoff_zone_id',
  distanceMeters: 'distance_meters',
  vehicle: 'vehicle',
  proof: 'proof',
  undeliverableAction: 'undeliverable_action',
  failover: 'failover',
  surgeSnapshotId: 'surge_snapshot_id',
  warnings: 'warnings',
  metadata: 'metadata',
  createdAt: 'created_at',
} as const satisfies Partial<Record<keyof StoredShipment, string>>

/** What a change of it may touch. */
const mutable = {
  status: 'status',
  statusCode: 'status_code',
  statusMessage: 'status_message',
  plan: 'plan',
  priceCeilingKobo: 'price_ceiling_kobo',
  quotedPriceKobo: 'quoted_price_kobo',
  serviceLevel: 'service_level',
  service: 'service',
  carrier: 'carrier',
  carrierReference: 'carrier_reference',
  trackingUrl: 'tracking_url',
  labelUrl: 'label_url',
  priceKobo: 'price_kobo',
  surgeKobo: 'surge_kobo',
  courier: 'courier',
  pickupEstimate: 'pickup_estimate',
  deliveryEstimate: 'delivery_estimate',
  itemsBooked: 'items_booked',
  capturedProof: 'captured_proof',
  exceptions: 'exceptions',
  cancelRequestedAt: 'cancel_requested_at',
  cancelReason: 'cancel_reason',
  cancelNote: 'cancel_note',
  cancelMaxFeeKobo: 'cancel_max_fee_kobo',
  cancelFeeKobo: 'cancel_fee_kobo',
  cancelRefundKobo: 'cancel_refund_kobo',
  dispatchAt: 'dispatch_at',
  scheduledPickupAt: 'scheduled_pickup_at',
  dispatchedAt: 'dispatched_at',
  acceptedAt: 'accepted_at',
  assignedAt: 'assigned_at',
  pickedUpAt: 'picked_up_at',
  deliveredAt: 'delivered_at',
  endedAt: 'ended_at',
  eventCount: 'event_count',
  attemptCount: 'attempt_count',
  nextCheckAt: 'next_check_at',
  checks: 'checks',
  version: 'version',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof StoredShipment, string>>

export interface StoredAttempt {
  readonly merchantId: MerchantId
  readonly shipmentId: ShipmentId
  readonly number: number
  readonly carrier: string
  readonly reference: string
  readonly offer: PlannedOffer
  readonly startedAt: Timestamp
  readonly state: AttemptState
  /** What the carrier asks or charges, without the surge of the offer. */
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

const attemptFixed = {
  carrier: 'carrier',
  reference: 'reference',
  offer: 'offer',
  startedAt: 'started_at',
} as const satisfies Partial<Record<keyof StoredAttempt, string>>

const attemptMutable = {
  state: 'state',
  priceKobo: 'price_kobo',
  carrierReference: 'carrier_reference',
  outcomeCode: 'outcome_code',
  outcomeMessage: 'outcome_message',
  cancelFeeKobo: 'cancel_fee_kobo',
  duplicateCostKobo: 'duplicate_cost_kobo',
  answeredAt: 'answered_at',
  resolvedAt: 'resolved_at',
  notFoundCount: 'not_found_count',
  notFoundSince: 'not_found_since',
  checks: 'checks',
  nextCheckAt: 'next_check_at',
  assignDeadline: 'assign_deadline',
  monitorUntil: 'monitor_until',
} as const satisfies Partial<Record<keyof StoredAttempt, string>>

export const shipmentColumns = {
  keys: { merchantId: 'merchant_id', id: 'id' },
  settled: fixed,
  moving: mutable,
} as const satisfies Columns<StoredShipment>

export const attemptColumns = {
  keys: { merchantId: 'merchant_id', shipmentId: 'shipment_id', number: 'number' },
  settled: attemptFixed,
  moving: attemptMutable,
} as const satisfies Columns<StoredAttempt>

type Columns<Kept> = {
  readonly [Group in 'keys' | 'settled' | 'moving']: Partial<Record<keyof Kept, string>>
}
