import type { z } from 'zod'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { EndpointId, Endpoints } from '../../../registry/index.ts'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { SerializedRecord, SerializedText } from '../../../registry/kit/serialized-record.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { BuyerLinks, LinkedOrder } from '../../buyer/link.ts'
import type { LogisticsContext } from '../../logistics/carriers/context.ts'
import type { Carriers } from '../../partners/carriers/carrier.ts'
import type { PaymentContext } from '../../payments/open-key.ts'
import type { Checkout } from '../../simulator/checkout.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { Tenant, Work } from '../../store/core/mutation.ts'
import type { PageRequest, Position } from '../../store/core/page.ts'
import type { ShipmentKey } from '../../store/logistics/shipments/shipments.ts'
import type { ShipmentMark } from '../../store/logistics/shipments/tracking.ts'
import type { ValidCall } from './call.ts'
import type { Caller } from './caller.ts'
import type { Refuse } from './refusal.ts'

/**
 * Types that bind handlers to the contract. The compiler rejects an operation without a handler, a handler without an
 * operation or under another operation's name, a response with a missing or wrong field, and an undeclared refusal or
 * event. test/registry/implement.test-d.ts tests this.
 */

type Output<Schema> = Schema extends SerializedRecord
  ? SerializedText
  : Schema extends z.ZodType
    ? z.output<Schema>
    : undefined

/**
 * The error codes that a handler may return: those that its operation declares. All other error codes are returned by
 * the code that runs the handler.
 */
export type RefusalCode<E> = E extends { refusals: readonly (infer Code extends ErrorCode)[] } ? Code : never

export type EmittedKind<E> = E extends { emits: readonly (infer Kind extends EventKind)[] } ? Kind : never

interface Always<E> {
  readonly params: E extends { params: infer Params } ? Output<Params> : undefined
  readonly body: E extends { body: { schema: infer Body } } ? Output<Body> : undefined
  readonly refuse: Refuse<RefusalCode<E>>
}

interface Reads {
  readonly caller: Caller
  /** The time is the same for the whole request. */
  readonly now: Timestamp
  readonly db: ReadDb
}

export type ReadHandler<E> = (
  input: Always<E> &
    Reads & {
      readonly query: E extends { query: infer Query } ? Output<Query> : undefined
      /** Undefined in a process without carrier clients. */
      readonly carriers: Carriers | undefined
      readonly waiting: Waiting
      /** The order must belong to the merchant of the caller. */
      readonly buyerLinks: (order: Omit<LinkedOrder, 'merchantId'>) => BuyerLinks
    },
) => Promise<ReplyOf<E>>

/** Functions for a handler that waits in a long poll. A handler must not hold a database connection while it waits. */
export interface Waiting {
  /**
   * Waits until the shipment has changed from the state `known` that the caller has read, the wait timeout ends, or the
   * caller disconnects.
   */
  readonly wait: (key: ShipmentKey, known: ShipmentMark, waitMs: number) => Promise<void>
  /** Reports whether the response matches the ETag in the caller's If-None-Match. */
  readonly isUnmodified: (reply: object) => boolean
  /**
   * Returns the current time. It is later than the time at which the request arrived if the request has waited, for
   * example in a queue.
   */
  readonly now: () => Timestamp
}

/** Returns the records after `page.after`, newest first, up to `page.limit`. */
export type ListHandler<E> = (
  input: Always<E> &
    Reads & {
      readonly page: PageRequest
      readonly filters: E extends { filters: infer F } ? Output<F> : never
      /** Undefined in a process without carrier clients. */
      readonly carriers: Carriers | undefined
    },
) => Promise<readonly (E extends { item: infer Item } ? Output<Item> : never)[]>

/**
 * Records of an export, and the position at which the next batch starts. An empty batch has no such position and is the
 * last batch.
 */
export interface Batch<Record> {
  readonly records: readonly Record[]
  readonly last: Position | undefined
}

/**
 * Returns the records that follow `page.after` in the list and were created at or after `createdFrom`, newest first.
 */
export type ExportHandler<E> = (
  input: Pick<Reads, 'caller' | 'db'> & {
    readonly createdFrom: Timestamp | undefined
    readonly filters: E extends { filters: infer F } ? Output<F> : unknown
    readonly page: PageRequest
    readonly refuse: Refuse<RefusalCode<E>>
  },
) => Promise<Batch<E extends { item: infer Item } ? Output<Item> : never>>

export type WriteHandler<E> = (
  input: Always<E> & {
    readonly caller: Caller
    readonly work: Work<EmittedKind<E>>
  },
) => Promise<ReplyOf<E>>

/**
 * The context of a handler that sends requests to carriers or payment providers. The handler must not send them inside
 * its transactions.
 */
export interface PartnerCall {
  readonly context: LogisticsContext
  /** Undefined in a process without payment providers. */
  readonly payments: PaymentContext | undefined
  readonly tenant: Tenant
  readonly actor: Actor
  readonly isDryRun: boolean
  /** The record version from If-Match, which the handler's first transaction must check. */
  readonly expectedVersion: number | undefined
  /**
   * Runs a change while it has its turn in the write queue of the record that the request changes. The change must make
   * no external calls.
   */
  inWriteQueue<Result>(run: () => Promise<Result>): Promise<Result>
  /** Undefined in a process without the simulated payment provider. */
  readonly checkout: Checkout | undefined
  readonly run: ValidCall['run']
  /** The request body as it was sent. A repeated request is recognised by its body. */
  readonly rawBody: unknown
}

export interface Answered<E> {
  readonly status: StatusOf<E>
  readonly reply: ReplyOf<E>
}

type StatusOf<E> = E extends { reply: { status: infer Status; further: readonly { status: infer Further }[] } }
  ? Status | Further
  : E extends { reply: { status: infer Status } }
    ? Status
    : never

export type PartnerHandler<E> = (
  input: Always<E> & { readonly caller: Caller; readonly call: PartnerCall },
) => Promise<Answered<E>>

type ReplyOf<E> = E extends { reply: { body: infer Body } } ? Output<Body> : never

export type Handler<E> = E extends { access: 'public' }
  ? PublicHandler
  : E extends { kind: 'write' }
    ? E extends { callsPartners: true }
      ? PartnerHandler<E>
      : WriteHandler<E>
    : E extends { kind: 'list' }
      ? ListHandler<E>
      : E extends { kind: 'export' }
        ? ExportHandler<E>
        : ReadHandler<E>

/** Handler of a public operation. Its response depends only on the release, so it is computed once. */
export type PublicHandler = () => Promise<string>

export interface Implementation<Id extends EndpointId> {
  readonly id: Id
  readonly handle: Handler<Endpoints[Id]>
}

export type AllImplemented = { readonly [Id in EndpointId]: Implementation<Id> }

type RecordOf<E> = E extends { kind: 'list'; item: infer Item }
  ? Output<Item>
  : E extends { kind: 'export'; item: infer Item }
    ? Batch<Output<Item>>
    : E extends { callsPartners: true }
      ? Answered<E>
      : ReplyOf<E>

/** Makes undeclared fields of a response a compile error, because the serializer would silently drop them. */
type Declared<E, Given> = [Exclude<KeysOf<Given>, KeysOf<RecordOf<E>>>] extends [never]
  ? unknown
  : { readonly 'a reply has only declared fields': Exclude<KeysOf<Given>, KeysOf<RecordOf<E>>> }

type KeysOf<Value> = Value extends readonly (infer Item)[] ? keyof Item : Value extends object ? keyof Value : never

export function implement<const Id extends EndpointId, Given>(
  id: Id,
  handle: Handler<Endpoints[Id]> &
    ((...input: Parameters<Handler<Endpoints[Id]>>) => Promise<Given>) &
    Declared<Endpoints[Id], Given>,
): Implementation<Id> {
  return { id, handle }
}
