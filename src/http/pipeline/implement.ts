import type { z } from 'zod'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { EndpointId, Endpoints } from '../../../registry/index.ts'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { SerializedRecord, SerializedText } from '../../../registry/kit/serialized-record.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { LogisticsContext } from '../../logistics/carriers/context.ts'
import type { OnGone, Subscription } from '../../logistics/tracking/shipment-subscriptions.ts'
import type { Carriers } from '../../partners/carriers/carrier.ts'
import type { VerifyContext } from '../../payments/verify-payment.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { Tenant, Work } from '../../store/core/mutation.ts'
import type { PageRequest } from '../../store/core/page.ts'
import type { Caller } from './caller.ts'
import type { Refuse } from './refusal.ts'

/**
 * The bond between the contract and the code. An operation without a handler, a handler for no operation, one filed under
 * another's name, a reply with a missing or wrong field, a refusal or an event that is not declared: each is a
 * compile error, and test/registry/implement.test-d.ts keeps it so.
 */

type Output<Schema> = Schema extends SerializedRecord
  ? SerializedText
  : Schema extends z.ZodType
    ? z.output<Schema>
    : undefined

/** An operation may refuse with the codes it declares; those that follow from its shape are given before it runs. */
export type RefusalCode<E> = E extends { refusals: readonly (infer Code extends ErrorCode)[] } ? Code : never

export type EmittedKind<E> = E extends { emits: readonly (infer Kind extends EventKind)[] } ? Kind : never

interface Always<E> {
  readonly params: E extends { params: infer Params } ? Output<Params> : undefined
  readonly body: E extends { body: { schema: infer Body } } ? Output<Body> : undefined
  readonly refuse: Refuse<RefusalCode<E>>
}

interface Reads {
  readonly caller: Caller
  /** One moment for the whole question. */
  readonly now: Timestamp
  /** Has no way to insert, update or delete. */
  readonly db: ReadDb
}

export type ReadHandler<E> = (
  input: Always<E> &
    Reads & {
      readonly query: E extends { query: infer Query } ? Output<Query> : undefined
      /** Undefined where no carrier is spoken to. */
      readonly carriers: Carriers | undefined
      readonly waiting: Waiting
    },
) => Promise<ReplyOf<E>>

/** For an answer that may be worth waiting for. No connection of the pool may be held meanwhile. */
export interface Waiting {
  readonly watch: Subscription
  /** Whether the caller has this very answer already, by the ETag it sent. */
  readonly knows: (reply: object) => boolean
  readonly onGone: OnGone
  /** The moment it is now: after a wait it is another one than that of the question. */
  readonly now: () => Timestamp
}

/** Answers with the records from `page.after` on, newest first, up to `page.limit`. */
export type ListHandler<E> = (
  input: Always<E> &
    Reads & {
      readonly page: PageRequest
      readonly filters: E extends { filters: infer F } ? Output<F> : never
      /** Undefined where no carrier is spoken to. */
      readonly carriers: Carriers | undefined
    },
) => Promise<readonly (E extends { item: infer Item } ? Output<Item> : never)[]>

export type WriteHandler<E> = (
  input: Always<E> & {
    readonly caller: Caller
    /** The one transaction, with the events this operation declares. */
    readonly work: Work<EmittedKind<E>>
  },
) => Promise<ReplyOf<E>>

/** What an operation that asks partners works with: transactions of its own, and the partners between them. */
export interface PartnerCall {
  readonly context: LogisticsContext
  /** Undefined where no payment provider is spoken to. */
  readonly payments: VerifyContext | undefined
  readonly tenant: Tenant
  readonly actor: Actor
  readonly isDryRun: boolean
  /** To be held to by the first transaction. */
  readonly expectedVersion: number | undefined
  /** Waits for the turn of the record that the request names; for a change that asks no partner. */
  inTurn<Result>(run: () => Promise<Result>): Promise<Result>
  /** The body as it was sent, for whoever has to tell the same request from another. */
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
      : ReadHandler<E>

/** What is open to everybody depends on nothing but the release: it is made once and its bytes are served. */
export type PublicHandler = () => Promise<string>

export interface Implementation<Id extends EndpointId> {
  readonly id: Id
  readonly handle: Handler<Endpoints[Id]>
}

export type AllImplemented = { readonly [Id in EndpointId]: Implementation<Id> }

/** What a handler gives back for one record or page of records. */
type RecordOf<E> = E extends { kind: 'list'; item: infer Item }
  ? Output<Item>
  : E extends { callsPartners: true }
    ? Answered<E>
    : ReplyOf<E>

/** A field the contract does not declare would be dropped on the way out, so it is refused where it is written. */
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
