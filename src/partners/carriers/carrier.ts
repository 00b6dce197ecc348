import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { Place, Point } from '../../../registry/logistics/place.ts'
import type {
  CancellationReason,
  ServiceLevel,
  ShipmentStatus,
  UndeliverableAction,
  Vehicle,
} from '../../../registry/logistics/shipment-states.ts'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import type { State } from '../../../registry/values/states.ts'
import type { Kobo, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * The interface of a delivery carrier. Every outcome is a closed union. The outcomes `unavailable` (nothing was created
 * at the carrier) and `unknown` (something may have been created) must never be confused.
 */
export interface Carrier {
  readonly code: CarrierCode
  readonly capabilities: Capabilities
  quote(account: CarrierAccount, request: QuoteRequest, signal: AbortSignal): Promise<Outcome<readonly CarrierOffer[]>>
  /** This service assigns the reference of the order, which is unique per dispatch attempt. */
  create(account: CarrierAccount, request: CreateRequest, signal: AbortSignal): Promise<Outcome<CarrierOrder>>
  /**
   * Finds the order of an attempt whose response was lost. With `capabilities.lookup` `none`, only `found` is
   * conclusive: the carrier cannot confirm that an order does not exist.
   */
  find?(account: CarrierAccount, sought: SoughtOrder, signal: AbortSignal): Promise<Outcome<FoundOrder>>
  get(account: CarrierAccount, order: OrderName, signal: AbortSignal): Promise<Outcome<Tracking>>
  cancel(
    account: CarrierAccount,
    order: OrderName,
    reason: CancellationReason,
    signal: AbortSignal,
  ): Promise<Outcome<Cancellation>>
  /** Authenticates and parses a callback of the carrier. Never throws. */
  readCallback(account: CarrierAccount, callback: RawCallback): CallbackReading
}

/**
 * In test mode, the simulator provides several carriers, so that a merchant can test the failover from one carrier to
 * another.
 */
export type CarrierCode = TestCarrierCode | ConnectableCarrier

export type Carriers = ReadonlyMap<CarrierCode, Carrier>

/**
 * A merchant's account with a carrier, with decrypted credentials. The names of the credentials depend on the adapter.
 */
export interface CarrierAccount {
  /** Undefined for an account without a merchant, such as the simulator's. */
  readonly merchantId?: MerchantId
  readonly credentials: Readonly<Record<string, string>>
}

export interface Capabilities {
  /**
   * The way in which the carrier deduplicates repeated requests. With `reference`, the carrier responds with the order
   * of the first request.
   */
  readonly createDedup: 'reference' | 'none'
  /**
   * The kind of lookup by which this service finds an order at the carrier if the response to the creation of the order
   * was lost.
   */
  readonly lookup: 'reference' | 'list' | 'none'
  readonly serviceLevels: readonly ServiceLevel[]
  readonly vehicles: readonly Vehicle[]
  /** Trust in the carrier's callbacks: `trusted` callbacks are signed, and `hints` only trigger a poll. */
  readonly callbacks: 'trusted' | 'hints' | 'none'
  readonly livePosition: boolean
  /**
   * Whether the carrier reports when a rider is assigned. If it does not, an order may have a rider although none was
   * reported.
   */
  readonly namesCouriers: boolean
  readonly proof: readonly ProofKind[]
  /** The last status in which the carrier's order can be cancelled. Undefined if the order can never be cancelled. */
  readonly cancelUntil: ShipmentStatus | undefined
  /**
   * Whether the carrier documents cancellation but not the statuses that allow it. `cancelUntil` is then an assumption.
   */
  readonly isCancelUnverified?: true
  /** Cancellation fee by shipment status; a status without an entry has no fee. */
  readonly cancellationFeesKobo?: Readonly<Partial<Record<ShipmentStatus, number>>>
  /** Undefined means that the carrier serves all of Nigeria. */
  readonly states: readonly State[] | undefined
  readonly maxWeightGrams: number
  readonly insurance: boolean
  /** The highest amount that a rider collects at a delivery, in kobo. Undefined if the carrier collects no cash. */
  readonly cashMaxKobo: number | undefined
  /** Whether a quoted price is the carrier's live price and already includes rush-hour surcharges. */
  readonly quotesLive: boolean
  /**
   * How dispatch continues if the outcome of a request to the carrier is unknown. If the carrier charges on booking and
   * its order cannot be cancelled, dispatch waits for the outcome instead of requesting another carrier.
   */
  readonly onUnknown: 'wait' | 'proceed_guarded'
}

export type ProofKind = 'photo' | 'signature' | 'pin'

export interface QuoteRequest {
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly Parcel[]
  readonly serviceLevels: readonly ServiceLevel[]
  readonly vehicle: Vehicle
  readonly distanceMeters: number
  readonly pickupAt: Timestamp
  /** When this service will book the carrier; undefined means now. */
  readonly calledAt?: Timestamp | undefined
}

/** A carrier's offer as its adapter returns it, before this service adds further data such as the surge. */
export interface CarrierOffer {
  /** Token from which the carrier's adapter books this offer. Other code does not parse the token. */
  readonly token: string
  readonly service: string
  /** The key of the courier company that would deliver, if the carrier is an aggregator. */
  readonly subCarrier?: string | undefined
  readonly serviceLevel: ServiceLevel
  readonly vehicle: Vehicle
  readonly priceKobo: Kobo
  readonly breakdown: readonly PriceLine[]
  /** Minutes from booking to pickup; undefined if the carrier gives no estimate. */
  readonly pickupMinutes: Span | undefined
  readonly dropoffMinutes: Span | undefined
  /** When the quoted price expires; undefined if the carrier states no expiry time. */
  readonly expiresAt: Timestamp | undefined
}

export interface PriceLine {
  readonly code: string
  readonly label: string
  readonly amountKobo: Kobo
}

export interface Span {
  readonly p50: number
  readonly p90: number
}

export interface CreateRequest extends QuoteRequest {
  /** The order's reference assigned by this service, globally unique. */
  readonly reference: string
  readonly offer: CarrierOffer
  readonly undeliverable: UndeliverableAction
  readonly pin: string | undefined
  /** Cash that the rider must collect at the delivery. Undefined without cash on delivery. */
  readonly codAmountKobo?: Kobo | undefined
}

export interface OrderName {
  /** The id of the order, which the carrier assigned. */
  readonly carrierReference: string
  /** The reference of the order, which this service assigned. */
  readonly reference: string
}

export interface CarrierOrder {
  readonly carrierReference: string
  /** Undefined if the carrier's response has no price. */
  readonly priceKobo: Kobo | undefined
  readonly trackingUrl: string | undefined
  readonly labelUrl: string | undefined
  readonly status: ShipmentStatus | undefined
  /** Whether the carrier holds the order until the merchant funds the account at the carrier. Undefined if unknown. */
  readonly isUnpaid?: boolean | undefined
  readonly dropoffAt?: Tracking['dropoffAt']
}

export interface SoughtOrder {
  readonly request: CreateRequest
  readonly requestedAt: Timestamp
  /** Carrier references of the orders of other attempts. The search must not return any of these orders. */
  readonly taken?: ReadonlySet<string>
  /**
   * When the carrier received the request of a later dispatch attempt for the same recipient. An order that was created
   * after this time may belong to the later attempt. Set only if the service is also searching for the order of the
   * later attempt.
   */
  readonly rivalRequestedAt?: Timestamp | undefined
}

export type FoundOrder =
  | { readonly is: 'found'; readonly order: CarrierOrder }
  /** The carrier does not find the order now. Dispatch decides whether the order may still appear. */
  | { readonly is: 'absent' }

export interface Tracking {
  /** Undefined if the adapter does not know the carrier status; the shipment then does not change. */
  readonly status: ShipmentStatus | undefined
  readonly carrierStatus: string
  /** Time of the update by the carrier's clock; undefined if not reported. */
  readonly at: Timestamp | undefined
  readonly position: Position | undefined
  readonly courier: Courier | undefined
  /**
   * True if the carrier status does not show whether a rider is assigned. A rider who was assigned earlier then stays
   * assigned.
   */
  readonly isCourierOpen?: boolean
  readonly dropoffAt: { readonly p50: Timestamp; readonly p90: Timestamp } | undefined
  readonly proof: readonly CapturedProof[]
  /** Cash that the rider collected at the delivery; undefined if not reported. */
  readonly cashKobo?: Kobo | undefined
  /** Whether the carrier holds the order until the merchant funds the account at the carrier. */
  readonly isUnpaid?: boolean
  /** The carrier's current charge for the order; undefined if not reported. */
  readonly priceKobo?: Kobo | undefined
}

export interface Position extends Point {
  readonly headingDegrees: number | undefined
  readonly recordedAt: Timestamp
}

export interface Courier {
  readonly name: string
  readonly vehicle: Vehicle | undefined
  /** The rider's phone number, masked. */
  readonly phone: string | undefined
  readonly plateLastFour: string | undefined
}

export interface CapturedProof {
  readonly type: ProofKind
  readonly url: string | undefined
  readonly capturedAt: Timestamp
}

export interface Cancellation {
  /**
   * The result of a cancellation request. With `requested`, the carrier will report later whether the order was
   * cancelled.
   */
  readonly is: 'cancelled' | 'requested'
  /**
   * The cancellation fee. Undefined if the carrier reports none. If the carrier reports a refund, the fee can be
   * computed from it.
   */
  readonly feeKobo: Kobo | undefined
  readonly refundKobo: Kobo | undefined
}

export type Outcome<Value> =
  | { readonly is: 'ok'; readonly value: Value }
  /** The carrier rejected the request. Nothing was created. */
  | { readonly is: 'refused'; readonly code: RefusalCode; readonly message: string }
  /** Nothing was created, and the carrier made no decision on the request. */
  | {
      readonly is: 'unavailable'
      readonly message: string
      readonly retryAfterSeconds: number | undefined
      /**
       * The carrier rejects requests of this account because of a rate limit. The carrier may still be available to
       * other accounts.
       */
      readonly isOfAccount?: true
      /** The broker is available, but the requested sub-carrier is not. */
      readonly isOfSubCarrier?: true
      readonly isNeutral?: Neutral
    }
  /** The carrier says that the request is invalid. Nothing was created. */
  | { readonly is: 'invalid'; readonly message: string }
  /** The request was sent, without a conclusive response. */
  | {
      readonly is: 'unknown'
      readonly cause: UnknownCause
      readonly message: string
      readonly isNeutral?: Neutral
    }

/**
 * Marks an outcome that this service or this request caused. The carrier's servers did not cause the outcome, so
 * circuit breakers ignore it.
 */
type Neutral = true

export type UnknownCause = 'timeout' | 'reset' | 'bad_response' | 'server_error'

export const refusalCodes = [
  'couriers_busy',
  'out_of_area',
  'wallet_insufficient',
  'account_blocked',
  'quote_expired',
  'not_cancellable',
  'not_found',
  'refused',
] as const

export type RefusalCode = (typeof refusalCodes)[number]

export interface RawCallback {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string | undefined>>
}

export type CallbackReading =
  /**
   * The callback's signature is invalid, or missing although the carrier signs its callbacks. The body is discarded.
   */
  | { readonly is: 'rejected' }
  /** The callback was authenticated and parsed. */
  | { readonly is: 'trusted'; readonly events: readonly CarrierEvent[] }
  /** The callback is not authenticated, so the service uses it only to learn which orders to poll. */
  | { readonly is: 'hint'; readonly orders: readonly Partial<OrderName>[] }

export interface CarrierEvent {
  readonly order: Partial<OrderName>
  readonly tracking: Tracking
  /** Identifies the callback event: every delivery of the same event has the same key. */
  readonly dedupeKey: string
}
