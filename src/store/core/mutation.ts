import type { EventKind } from '../../../registry/kit/event.ts'
import type { AuditAction } from '../../../registry/values/audit-actions.ts'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { EventPayload } from '../../../registry/webhooks/webhooks.ts'
import { type Clock, toTimestamp } from '../../base/clock.ts'
import { traceEvent } from '../../base/trace.ts'
import { type Actor, type AuditEntry, auditEntryOf } from './audit.ts'
import { recordChanges } from './changed-records.ts'
import { awaitedLater } from './channel.ts'
import type { Database, ReadDb, WriteTrx } from './database.ts'
import { type KeyedRequest, type KeyedResponse, openingOf, responseRowOf } from './idempotency.ts'
import { recordMutation } from './mutation-record.ts'
import { type PendingEvent, pendingEvent } from './outbox.ts'
import { retryConflicts } from './retry-conflicts.ts'
import { shareTestClock } from './test-clock-lock.ts'
import { openTransaction, type Transaction } from './transaction.ts'

/**
 * mutate() is the only way to change the records of a merchant. It opens the transaction and commits it together with
 * the audit row, the events and their deliveries.
 *
 *   begin ─ locks and reads │ writes ─ audit + events + deliveries ─ commit │
 *   └──── one round trip ───┘└─────────────── one round trip ───────────────┘
 *
 * A mutation may read without a lock instead, outside the transaction, if its writes require the version of the record
 * that it read. After a concurrent change the mutation runs again, with locks.
 */

export interface Context {
  readonly database: Database
  readonly clock: Clock
  /**
   * Wakes the worker after a commit, for endpoints with due deliveries. Must not throw. A lost wake-up only delays the
   * deliveries.
   */
  readonly nudge: (merchantId: MerchantId, endpointIds: readonly EndpointId[]) => void
}

export interface Tenant {
  readonly merchantId: MerchantId
  readonly mode: 'live' | 'test'
}

export interface TestTenant extends Tenant {
  readonly mode: 'test'
}

export function isTestTenant<Of extends Tenant>(tenant: Of): tenant is Of & TestTenant {
  return tenant.mode === 'test'
}

export interface Mutation<Result> {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly action: AuditAction
  readonly resourceType: string
  /**
   * Returns the id of the main record for the audit row. Returns undefined only if the outcome rolls the mutation back.
   */
  readonly resourceId: (result: Result) => string | undefined
  /** The event kinds that the mutation can emit. Emitting any other kind throws. */
  readonly emits?: readonly EventKind[] | undefined
  /** The version that the request sent in `If-Match`. Undefined matches any version. */
  readonly expectedVersion?: number | undefined
  /** Whether this is a dry run: the whole mutation runs, and is then rolled back. */
  readonly isDryRun?: boolean | undefined
  /**
   * The idempotency key of the request. If the key was used, the mutation ends with StoredResponseFound, KeyConflict or
   * KeyInUse. If the key is new, the response is stored in the same transaction.
   */
  readonly keyed?:
    | { readonly request: KeyedRequest; readonly responseOf: (result: Result) => KeyedResponse }
    | undefined
}

/**
 * Requires a mutation that emits events to declare the kinds of these events, as the OpenAPI document does for the
 * operations.
 */
type Emitting<Kinds extends EventKind> = [Kinds] extends [never] ? object : { readonly emits: readonly Kinds[] }

/**
 * The transaction and the context of a mutation. Emitting an event kind that the mutation does not declare is a compile
 * error. Because of the variance annotation `in`, passing a Work to a function that emits further kinds is an error
 * too.
 */
export interface Work<in Kinds extends EventKind = never> {
  readonly trx: WriteTrx
  /**
   * Reads outside the transaction, on connections that are shared with other requests. These reads lock no record. A
   * write that depends on a record read here must require the version that was read. Undefined when the mutation runs a
   * second time after a concurrent change, because the second run must lock its records.
   */
  readonly unlocked: ReadDb | undefined
  readonly merchantId: MerchantId
  readonly actor: Actor
  /** The time of the mutation in epoch milliseconds, the same for all its rows. */
  readonly nowMs: number
  readonly now: Timestamp
  emit<Kind extends Kinds>(kind: Kind, resourceId: string, data: EventPayload<Kind>): void
  /**
   * Checks `If-Match` against the version of the changed record. Must be called once the record is locked. Throws
   * VersionConflict when the versions differ.
   */
  requireVersion(currentVersion: number): void
  /**
   * Rolls back the mutation, so that nothing is written, emitted or audited, and returns the given outcome. The caller
   * must return at once, because any later call that writes, emits an event or adds to the audit row throws.
   */
  abort<Outcome>(outcome: Outcome): Outcome
  /** Adds changed fields to the audit row. Their values must not contain personal data. */
  note(changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>): void
}

/** The version of the record differs from the version in `If-Match`. */
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
  return retryConflicts(async (isRetry) => {
    const { merchantId, mode } = mutation.tenant
    const nowMs = context.clock.nowMs()
    const moment = { nowMs, now: toTimestamp(nowMs), mode }
    const { keyed, expectedVersion } = mutation
    const { database } = context
    const opening = keyed && openingOf(keyed.request, moment.now, isRetry)
    const first = async (opened: WriteTrx) => {
      await Promise.all([
        isTestTenant(mutation.tenant) ? shareTestClock(opened, { merchantId }) : undefined,
        opening?.first?.(opened),
      ])
    }
    const transaction = openTransaction(database, { merchantId, ...opening, first })
    const { trx, ids, settled } = recordChanges(transaction.trx)
    const done: Done = { pending: [], changes: {}, ids, isVersionKnown: false, isAborted: false }
    let due: Promise<readonly EndpointId[]> = Promise.resolve([])
    let result: Result
    try {
      const unlocked = isRetry ? undefined : database
      result = await run(workOf<Result, Kinds>({ trx, unlocked, mutation, transaction, moment, done }))
      await settled()
      if (!done.isAborted) {
        if (expectedVersion !== undefined && !done.isVersionKnown)
          throw new Error(`${mutation.action} honours If-Match but did not call requireVersion().`)
        const entry = entryOf(mutation, result, moment, done)
        const response = keyed && responseRowOf(keyed.request, keyed.responseOf(result), moment.now)
        due = awaitedLater(recordMutation(transaction.trx, { entry, events: done.pending, response }))
      }
    } catch (error) {
      throw await transaction.abandon(error)
    }
    const isCommitted = !done.isAborted && mutation.isDryRun !== true
    await transaction.end(isCommitted ? 'commit' : 'rollback', due)
    const endpointIds = await due
    if (endpointIds.length > 0 && isCommitted) {
      for (const { id: eventId, kind } of done.pending) traceEvent({ eventId, kind })
      context.nudge(merchantId, endpointIds)
    }
    return result
  })
}

/** The events and changed fields that a mutation has recorded so far. */
interface Done {
  readonly pending: PendingEvent[]
  readonly changes: Record<string, readonly [before: unknown, after: unknown]>
  /** The ids of the changed records. */
  readonly ids: Set<string>
  isVersionKnown: boolean
  isAborted: boolean
}

interface Opened<Result> {
  readonly trx: WriteTrx
  readonly unlocked: ReadDb | undefined
  readonly mutation: Mutation<Result>
  readonly transaction: Transaction
  readonly moment: { readonly nowMs: number; readonly now: Timestamp; readonly mode: Tenant['mode'] }
  readonly done: Done
}

function workOf<Result, Kinds extends EventKind>(opened: Opened<Result>): Work<Kinds> {
  const { trx, unlocked, mutation, transaction, moment, done } = opened
  const requireOpen = () => {
    if (done.isAborted) throw new Error(`The mutation ${mutation.action} continued after abort().`)
  }
  return {
    trx,
    unlocked,
    merchantId: mutation.tenant.merchantId,
    actor: mutation.actor,
    nowMs: moment.nowMs,
    now: moment.now,
    requireVersion: (currentVersion) => {
      done.isVersionKnown = true
      if ((mutation.expectedVersion ?? currentVersion) !== currentVersion) throw new VersionConflict(currentVersion)
    },
    abort: (outcome) => {
      if (mutation.keyed !== undefined)
        throw new Error(`The mutation ${mutation.action} stores its response and cannot abort.`)
      done.isAborted = true
      transaction.refuseWrites()
      return outcome
    },
    emit: (kind, resourceId, data) => {
      requireOpen()
      if (!mutation.emits?.includes(kind)) throw new Error(`${mutation.action} does not declare the event ${kind}.`)
      done.ids.add(resourceId)
      done.pending.push(pendingEvent(kind, resourceId, data, moment))
    },
    note: (noted) => {
      requireOpen()
      Object.assign(done.changes, noted)
    },
  }
}

function entryOf<Result>(
  { actor, tenant: { merchantId }, action, resourceType, resourceId: idOf }: Mutation<Result>,
  result: Result,
  moment: { nowMs: number; now: Timestamp },
  { changes, ids }: Done,
): AuditEntry {
  const resourceId = idOf(result)
  if (resourceId === undefined) throw new Error(`${action} returned no resource id for the audit row.`)
  return auditEntryOf(actor, { merchantId, action, resourceType, resourceId, otherIds: ids, changes }, moment)
}
