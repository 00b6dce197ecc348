import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { Place, Point } from '../../../registry/logistics/place.ts'
import type {
  CancellationReason,
  ServiceLevel,
  ShipmentStatus,
  UndeliverableAction,
  Vehicle,
} from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, MerchantId, State, Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * What this service asks of a company that carries parcels. Every answer is a closed union. The two that must never be
 * taken for one another are `unavailable`, where certainly nothing was begun, and `unknown`, where something may have been.
 */
export interface Carrier {
  readonly code: CarrierCode
  readonly capabilities: Capabilities
  quote(account: CarrierAccount, request: QuoteRequest, signal: AbortSignal): Promise<Outcome<readonly CarrierOffer[]>>
  /** Asks for a rider. The reference is ours and is never used for another asking. */
  create(account: CarrierAccount, request: CreateRequest, signal: AbortSignal): Promise<Outcome<CarrierOrder>>
  /**
   * Whether an asking whose answer was lost was heard. Where `capabilities.lookup` is `none`, only what it finds counts: it
   * never says that there is no order.
   */
  find?(account: CarrierAccount, sought: SoughtOrder, signal: AbortSignal): Promise<Outcome<FoundOrder>>
  get(account: CarrierAccount, order: OrderName, signal: AbortSignal): Promise<Outcome<Tracking>>
  cancel(
    account: CarrierAccount,
    order: OrderName,
    reason: CancellationReason,
    signal: AbortSignal,
  ): Promise<Outcome<Cancellation>>
  /** What came in at the callback address: whether it is to be believed, and what it says. Never throws. */
  readCallback(account: CarrierAccount, callback: RawCallback): CallbackReading
}

/** Each has its adapter; the simulator stands for three companies, so that there is somewhere to fail over to. */
export const carrierCodes = [
  'simulator-swift',
  'simulator-steady',
  'simulator-saver',
  'chowdeck',
  'fez',
  'shipbubble',
] as const

export type CarrierCode = (typeof carrierCodes)[number]

export type Carriers = ReadonlyMap<CarrierCode, Carrier>

/** Those that spend no money and carry nothing: for test mode, which speaks to no others. */
export const simulatedCarrierCodes = [
  'simulator-swift',
  'simulator-steady',
  'simulator-saver',
] as const satisfies readonly CarrierCode[]

/** A merchant’s account with a carrier, its secrets opened. Which fields there are is the adapter’s own matter. */
export interface CarrierAccount {
  /** Whose it is; undefined for an account of no merchant, such as one of the simulator's. */
  readonly merchantId?: MerchantId
  readonly credentials: Readonly<Record<string, string>>
}

/** What the dispatch may rely on. */
export interface Capabilities {
  /** What becomes of the same asking sent twice: `reference` means the carrier answers with the first order. */
  readonly createDedup: 'reference' | 'none'
  /** How an order is found whose answer was lost. */
  readonly lookup: 'reference' | 'list' | 'none'
  readonly serviceLevels: readonly ServiceLevel[]
  readonly vehicles: readonly Vehicle[]
  /** `trusted` callbacks are signed; others are hints to ask. */
  readonly callbacks: 'trusted' | 'hints' | 'none'
  readonly livePosition: boolean
  /** Whether it tells when a rider is found. Of one that does not, it says nothing that nobody is named. */
  readonly namesCouriers: boolean
  readonly proof: readonly ProofKind[]
  /** The last state in which the carrier lets an order be called off; undefined where it never does. */
  readonly cancelUntil: ShipmentStatus | undefined
  /** Whether the carrier documents the call, but not in which states it works: `cancelUntil` is then an assumption. */
  readonly isCancelUnverified?: true
  /** What it charges for that in which state, where it charges at all. */
  readonly cancellationFeesKobo?: Readonly<Partial<Record<ShipmentStatus, number>>>
  /** Undefined means all of Nigeria. */
  readonly states: readonly State[] | undefined
  readonly maxWeightGrams: number
  readonly insurance: boolean
  /** Whether the price is the carrier’s own of this moment, which has its rush hour inside already. */
  readonly quotesLive: boolean
  /** A carrier that charges when asked, and cannot be called off, is waited for rather than replaced. */
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
  /** When the carrier will be called for what it offers; undefined is now. */
  readonly calledAt?: Timestamp | undefined
}

/** A carrier’s word for what it would do, before the service adds its own. */
export interface CarrierOffer {
  /** What the carrier wants to see again when it is asked for a rider; opaque to everybody else. */
  readonly token: string
  readonly service: string
  /** Of a carrier that is a broker: which company behind it would come, by the broker’s own key for it. */
  readonly subCarrier?: string | undefined
  readonly serviceLevel: ServiceLevel
  readonly vehicle: Vehicle
  readonly priceKobo: Kobo
  readonly breakdown: readonly PriceLine[]
  /** Minutes from the call; undefined where the carrier says nothing. */
  readonly pickupMinutes: Span | undefined
  readonly dropoffMinutes: Span | undefined
  /** Until when the carrier holds the price; undefined where it promises nothing. */
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
  /** Ours, unique for ever. */
  readonly reference: string
  readonly offer: CarrierOffer
  readonly undeliverable: UndeliverableAction
  readonly pin: string | undefined
}

export interface OrderName {
  /** The carrier’s name for the order. */
  readonly carrierReference: string
  /** Ours. */
  readonly reference: string
}

export interface CarrierOrder {
  readonly carrierReference: string
  /** Undefined where the answer does not say. */
  readonly priceKobo: Kobo | undefined
  readonly trackingUrl: string | undefined
  readonly labelUrl: string | undefined
  readonly status: ShipmentStatus | undefined
  /** As `Tracking` says it; undefined where nothing is known of it. */
  readonly isUnpaid?: boolean | undefined
  readonly dropoffAt?: Tracking['dropoffAt']
}

export interface SoughtOrder {
  readonly request: CreateRequest
  readonly askedAt: Timestamp
  /** Orders that other askings have: none of them is the one sought. */
  readonly taken?: ReadonlySet<string>
  /** When somebody asked again for the same recipient and has not heard either: what is made from then on may be theirs. */
  readonly rivalAskedAt?: Timestamp | undefined
}

export type FoundOrder =
  | { readonly is: 'found'; readonly order: CarrierOrder }
  /** The carrier says that there is none now. Whether there will be is for the dispatch to judge. */
  | { readonly is: 'absent' }

export interface Tracking {
  /** Undefined for a word this service does not know: then nothing moves. */
  readonly status: ShipmentStatus | undefined
  /** The carrier’s own word. */
  readonly carrierStatus: string
  /** By the carrier’s clock; undefined where it does not say. */
  readonly at: Timestamp | undefined
  readonly position: Position | undefined
  readonly courier: Courier | undefined
  /** The status leaves open whether a rider is assigned, so one who was named before stays. */
  readonly isCourierOpen?: boolean
  readonly dropoffAt: { readonly p50: Timestamp; readonly p90: Timestamp } | undefined
  readonly proof: readonly CapturedProof[]
  /** The carrier does nothing until the merchant’s account with it is funded. */
  readonly isUnpaid?: boolean
  /** What it charges for the order by now; undefined where it does not say. */
  readonly priceKobo?: Kobo | undefined
}

export interface Position extends Point {
  readonly headingDegrees: number | undefined
  readonly recordedAt: Timestamp
}

export interface Courier {
  readonly name: string
  readonly vehicle: Vehicle | undefined
  /** Only a number the carrier masks. */
  readonly phone: string | undefined
  readonly plateLastFour: string | undefined
}

export interface CapturedProof {
  readonly type: ProofKind
  readonly url: string | undefined
  readonly capturedAt: Timestamp
}

export interface Cancellation {
  /** `requested` means that the carrier will still say whether it could. */
  readonly is: 'cancelled' | 'requested'
  /** Undefined where the carrier does not say it in so many words: what it gives back may tell. */
  readonly feeKobo: Kobo | undefined
  readonly refundKobo: Kobo | undefined
}

export type Outcome<Value> =
  | { readonly is: 'ok'; readonly value: Value }
  /** The carrier understood and will not. Nothing was begun. */
  | { readonly is: 'refused'; readonly code: RefusalCode; readonly message: string }
  /** Certainly nothing was begun, and it is no word on the request. */
  | {
      readonly is: 'unavailable'
      readonly message: string
      readonly retryAfterSeconds: number | undefined
      /** The carrier turned this account away and is there for others: it asked too often. */
      readonly isOfAccount?: true
      /** A broker is there, and the company behind it that was asked for is not. */
      readonly isOfSubCarrier?: true
      readonly isNeutral?: Neutral
    }
  /** The carrier says that the request is wrong. Nothing was begun. */
  | { readonly is: 'invalid'; readonly message: string }
  /** Sent, and no answer to be sure of. */
  | {
      readonly is: 'unknown'
      readonly cause: UnknownCause
      readonly message: string
      readonly isNeutral?: Neutral
    }

/** The outcome says nothing about the carrier’s servers: this service or one request is the cause. No breaker counts it. */
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
  /** The signature is wrong, or missing where the carrier signs: nothing is kept of it. */
  | { readonly is: 'rejected' }
  /** Signed and understood. */
  | { readonly is: 'trusted'; readonly events: readonly CarrierEvent[] }
  /** Nobody knows who sent it: it says only which orders to ask for. */
  | { readonly is: 'hint'; readonly orders: readonly Partial<OrderName>[] }

export interface CarrierEvent {
  readonly order: Partial<OrderName>
  readonly tracking: Tracking
  /** The same for the same piece of news, however often it is told. */
  readonly dedupeKey: string
}
