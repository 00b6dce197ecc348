import type pg from 'pg'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { EventPayload } from '../../../registry/webhooks/webhooks.ts'
import { type Clock, toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { type Actor, type AuditEntry, insertAudit, insertAuditAndEvent } from './audit.ts'
import type { Database, WriteTrx } from './database.ts'
import { fanOutEvents, findSubscribedKinds, insertEvent, type PendingEvent, pendingEvent } from './outbox.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { openTransaction, type Transaction } from './transaction.ts'

/**
 * mutate() is the one way to change a merchant's records: it opens the transaction, and it cannot commit one without
 * its audit row, its events and their deliveries.
 *
 *   begin ─ guard ─ first reads │ writes ─ audit + events + deliveries ─ commit │
 *   └────── one round trip ─────┘└─────────────── one round trip ───────────────┘
 */

export interface Context {
  readonly database: Database
  readonly clock: Clock
  /** Told after a commit which endpoints have something due. It must not throw, and losing it loses only time. */
  readonly nudge: (merchantId: MerchantId, endpointIds: readonly EndpointId[]) => void
}

export interface Tenant {
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
}

export interface Mutation<Result> {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly action: string
  readonly resourceType: string
  /** May be undefined of an outcome that aborts: any other needs a record to be audited under. */
  readonly resourceId: (result: Result) => string | undefined
  /** The kinds it may emit; its work can emit no others. */
  readonly emits?: readonly EventKind[] | undefined
  /** What the caller takes the record's version to be; undefined where any will do. */
  readonly expectedVersion?: number | undefined
  /** Everything runs and is judged; nothing is kept. */
  readonly isDryRun?: boolean | undefined
  /** Sent ahead of everything else; if it rejects, the mutation ends with that. */
  readonly guard?: ((trx: WriteTrx, now: Timestamp) => Promise<void>) | undefined
  /** Queued with the writes, once the result is known. */
  readonly conclude?: ((trx: WriteTrx, result: Result, now: Timestamp) => void) | undefined
}

/** Who works with events must say which, because only those are looked up in the subscriptions. */
type Emitting<Kinds extends EventKind> = [Kinds] extends [never] ? object : { readonly emits: readonly Kinds[] }

/**
 * What a verb works with. Its events are those the operation declared, so an undeclared one does not compile; `in` keeps
 * a work with fewer kinds from passing for one with more.
 */
export interface Work<in Kinds extends EventKind = never> {
  readonly trx: WriteTrx
  readonly merchantId: MerchantId
  readonly actor: Actor
  /** One moment for the whole mutation. */
  readonly nowMs: number
  readonly now: Timestamp
  emit<Kind extends Kinds>(kind: Kind, resourceId: string, data: EventPayload<Kind>): void
  /**
   * To be called with the version of the record that is changed, once it is locked. Throws VersionConflict when the
   * caller knows another one.
   */
  requireVersion(currentVersion: number): void
  /**
   * Ends the mutation with this outcome and rolls it back: nothing is written, emitted or audited. It is to be returned at
   * once; a write, an event or a note that comes after it throws.
   */
  abort<Outcome>(outcome: Outcome): Outcome
  /** Notes what changed for the audit row. Never personal data. */
  note(changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>): void
}

/** The record is at another version than the caller believes. */
export class VersionConflict extends Error {
  readonly currentVersion: number
  constructor(currentVersion: number) {
    super(`The record is at version ${currentVersion}.`)
    this.currentVersion = currentVersion
  }
}

export function mutate<Result, Kinds extends EventKind = never>(
  context: Context,
  mutation: Mutation<Result> & Emitting<Kinds>,
  run: (work: Work<Kinds>) => Promise<Result>,
): Promise<Result> {
  return retryConflicts(() => attemptMutation(context, mutation, run))
}

async function attemptMutation<Result, Kinds extends EventKind>(
  context: Context,
  mutation: Mutation<Result>,
  run: (work: Work<Kinds>) => Promise<Result>,
): Promise<Result> {
  const { merchantId, mode } = mutation.tenant
  const client: pg.PoolClient = await context.database.connect(merchantId)
  const nowMs = context.clock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs), mode }
  const { guard } = mutation
  const transaction = openTransaction(client, guard && ((trx) => guard(trx, moment.now)))
  const done: Done = { pending: [], changes: {}, isVersionKnown: false, isAborted: false }
  let due: Promise<readonly EndpointId[]> = Promise.resolve([])
  let result: Result
  try {
    const subscribed = subscribedKinds(transaction.trx, mutation)
    result = await run(workOf<Result, Kinds>({ mutation, transaction, moment, done }))
    const wanted = await subscribed
    if (!done.isAborted) {
      requireVersionKnown(mutation, done)
      mutation.conclude?.(transaction.trx, result, moment.now)
      writeRecord(transaction.trx, auditEntryOf(mutation, result, moment, done.changes), done.pending)
      due = fanOut(transaction.trx, merchantId, moment.now, done.pending, wanted)
      // It is awaited below, after the commit that travels with it; a failure must not count as unhandled until then.
      due.catch(() => undefined)
    }
  } catch (error) {
    throw await transaction.abandon(error)
  }
  const isKept = !done.isAborted && mutation.isDryRun !== true
  await transaction.end(isKept ? 'commit' : 'rollback', due)
  const endpointIds = await due
  if (endpointIds.length > 0 && isKept) context.nudge(merchantId, endpointIds)
  return result
}

/** What the work of one mutation has done so far. */
interface Done {
  readonly pending: PendingEvent[]
  readonly changes: Record<string, readonly [before: unknown, after: unknown]>
  isVersionKnown: boolean
  isAborted: boolean
}

interface Opened<Result> {
  readonly mutation: Mutation<Result>
  readonly transaction: Transaction
  readonly moment: { readonly nowMs: number; readonly now: Timestamp; readonly mode: Tenant['mode'] }
  readonly done: Done
}

function workOf<Result, Kinds extends EventKind>(opened: Opened<Result>): Work<Kinds> {
  const { mutation, transaction, moment, done } = opened
  const requireOpen = () => {
    if (done.isAborted) throw new Error(`${mutation.action} goes on after it was aborted.`)
  }
  return {
    trx: transaction.trx,
    merchantId: mutation.tenant.merchantId,
    actor: mutation.actor,
    nowMs: moment.nowMs,
    now: moment.now,
    requireVersion: (currentVersion) => {
      done.isVersionKnown = true
      if ((mutation.expectedVersion ?? currentVersion) !== currentVersion) throw new VersionConflict(currentVersion)
    },
    abort: (outcome) => {
      if (mutation.conclude !== undefined) throw new Error(`${mutation.action} stores its answer and cannot abort.`)
      done.isAborted = true
      transaction.refuseWrites()
      return outcome
    },
    emit: (kind, resourceId, data) => {
      requireOpen()
      done.pending.push(pendingEvent(kind, resourceId, data, moment))
    },
    note: (noted) => {
      requireOpen()
      Object.assign(done.changes, noted)
    },
  }
}

function requireVersionKnown<Result>({ expectedVersion, action }: Mutation<Result>, { isVersionKnown }: Done): void {
  if (expectedVersion !== undefined && !isVersionKnown) {
    throw new Error(`${action} promises to honour If-Match and never looked at the version.`)
  }
}

const nothing: ReadonlySet<EventKind> = new Set()

function subscribedKinds<Result>(
  trx: WriteTrx,
  { emits = [], tenant }: Mutation<Result>,
): Promise<ReadonlySet<EventKind>> {
  if (emits.length === 0) return Promise.resolve(nothing)
  const subscribed = findSubscribedKinds(trx, tenant.merchantId, emits)
  subscribed.catch(() => undefined)
  return subscribed
}

async function fanOut(
  trx: WriteTrx,
  merchantId: MerchantId,
  now: Timestamp,
  pending: readonly PendingEvent[],
  wanted: ReadonlySet<EventKind>,
): Promise<readonly EndpointId[]> {
  const delivered = pending.filter((event) => wanted.has(event.kind))
  return delivered.length === 0 ? [] : fanOutEvents(trx, merchantId, now, delivered)
}

function writeRecord(trx: WriteTrx, entry: AuditEntry, pending: readonly PendingEvent[]): void {
  const [only, ...others] = pending
  if (only !== undefined && others.length === 0) {
    const { id: eventId, kind: eventKind, resourceId: eventResourceId, body: eventBody } = only
    insertAuditAndEvent(trx, entry, { eventId, eventKind, eventResourceId, eventBody })
    return
  }
  insertAudit(trx, entry)
  for (const event of pending) insertEvent(trx, entry.merchantId, entry.now, event)
}

function auditEntryOf<Result>(
  mutation: Mutation<Result>,
  result: Result,
  moment: { nowMs: number; now: Timestamp },
  changes: object,
): AuditEntry {
  const { actor } = mutation
  const resourceId = mutation.resourceId(result)
  if (resourceId === undefined) throw new Error(`${mutation.action} names no record to be audited under.`)
  return {
    merchantId: mutation.tenant.merchantId,
    auditId: newId('aud', moment.nowMs),
    now: moment.now,
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    action: mutation.action,
    resourceType: mutation.resourceType,
    resourceId,
    requestId: actor.requestId,
    sourceIp: actor.sourceIp,
    userAgent: actor.userAgent,
    changes: JSON.stringify(changes),
  }
}
