import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Database, SearchDb, WriteTrx } from '../core/database.ts'
import { updatingExpired } from '../core/expired-rows.ts'
import type { MerchantJobName } from '../core/jobs.ts'
import { retryConflicts } from '../core/retry-conflicts.ts'
import { searching, writing } from '../core/statement.ts'

/**
 * The SQL statements of a table that stores inbound callbacks. Each callback is stored when it arrives, and processed
 * once.
 */

/** The properties in which the tables of callbacks differ from each other. */
interface CallbackTable<Content extends object> {
  readonly table: 'provider_callbacks' | 'carrier_callbacks'
  readonly senderColumn: 'provider' | 'carrier'
  readonly hashColumn: 'bodyHash' | 'dedupeHash'
  /** The name of the unique constraint that prevents the same callback from being stored twice. */
  readonly once: string
  /** Returns the values of the columns that exist only in this table of callbacks. */
  readonly content: (callback: Content) => Readonly<Record<string, unknown>>
  /** The columns with the values that are needed to apply a callback. */
  readonly applied: RawBuilder<unknown>
  /** SQL condition under which a repeated callback is processed again. */
  readonly reopens: (callback: { readonly hintsBefore: Timestamp }) => RawBuilder<unknown>
  /** SQL of the value of the column `body` after a callback was processed. */
  readonly processedBody: (resolved: Resolved) => RawBuilder<unknown>
  /** The `set` assignments with which an `update` statement redacts a callback. */
  readonly redacted: RawBuilder<unknown>
  readonly idPrefix: string
  /** The job that applies the due callbacks of a merchant. */
  readonly job: MerchantJobName
  /** The kind of sender of these callbacks, for log lines: `carrier` or `payment provider`. */
  readonly senderKind: string
}

interface CallbackKey {
  readonly merchantId: MerchantId
  readonly id: string
}

interface NewCallback extends CallbackKey {
  /** The name of the carrier or payment provider that sent the callback. */
  readonly sender: string
  /** SHA-256 by which a repeated callback is recognised. */
  readonly hash: Buffer
  readonly body: Buffer
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
  readonly now: Timestamp
}

/** A callback that a worker has claimed. */
export interface DueCallback extends CallbackKey {
  readonly sender: string
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
  readonly receivedAt: Timestamp
  /**
   * Number of failed attempts to apply the callback. An attempt fails because of a fault of this service, or because of
   * a fault of the provider while it confirms the callback.
   */
  readonly failures: number
}

export interface Resolution {
  readonly outcome: 'applied' | 'ignored' | 'hint'
  readonly reason: string | null
  /** The order that the callback names, if the payment in the callback is not recorded. */
  readonly orderId?: OrderId | null
}

interface Resolved extends CallbackKey, Resolution {
  readonly now: Timestamp
}

interface Due {
  readonly merchantId: MerchantId
  readonly now: Timestamp
  /**
   * The senders whose callbacks are claimed. If `areExcluded` is set, the callbacks of all other senders are claimed
   * instead. By default, the callbacks of all senders are claimed.
   */
  readonly senders?: readonly string[]
  readonly areExcluded?: boolean
  /** Seconds for which the worker claims the callbacks. Processing the callbacks must take less time. */
  readonly leaseSeconds?: number
}

interface Delay {
  readonly merchantId: MerchantId
  readonly sender: string
  /** The id of the callback that the worker has claimed. Null if the worker has claimed none. */
  readonly id: string | null
  /** Whether the delay also applies to all other callbacks of the sender that are due. */
  readonly delaysDue: boolean
  /**
   * Reason why the sender did not confirm the callback. Null if no confirmation was requested; no failure is counted in
   * this case.
   */
  readonly error: string | null
  readonly now: Timestamp
}

interface Postponement extends CallbackKey {
  /**
   * The time of the next attempt to process the callback. Null if no further attempt is made; the callback stays
   * stored.
   */
  readonly nextAttemptAt: Timestamp | null
  /** The reason why the callback cannot be applied yet. Undefined if a fault of this service is the reason. */
  readonly reason?: string
  /** The internal error that prevented the processing of the callback. */
  readonly error?: string
  readonly now: Timestamp
}

/**
 * Declares the statements of one table of callbacks. The type `Content` has the values that only this table stores, and
 * `Applied` has the values that are needed to apply its callbacks.
 */
export function openInbox<Content extends object, Applied extends object>(of: CallbackTable<Content>) {
  const [insert, claim] = [insertInto(of), claimFrom<Content, Applied>(of)]
  const [markProcessed, postpone, delay] = [markProcessedIn(of), postponeIn(of), delayIn(of)]
  const [merchants, redaction] = [merchantsOf(of), redactionOf(of)]
  const { idPrefix, job, senderKind } = of
  return {
    ...{ idPrefix, job, senderKind, claim, merchants, redaction },

    /** Returns false if the callback is already stored: senders repeat a callback whose response they missed. */
    store: async (database: Database, callback: NewCallback & Content) =>
      (await database.run(insert, { ...callback, hintsBefore: hintsBefore(callback.now) })).length > 0,

    /**
     * Claims the oldest due callback of a merchant. A process claims callbacks one at a time to preserve their order.
     * Another process may claim a later callback in the meantime.
     */
    claimOldest: async (database: Database, due: Due) =>
      (await retryConflicts(() => database.run(claim, { ...ofAllSenders, ...due })))[0],

    /** Returns false if the callback was processed before: the caller must then change nothing. */
    resolve: async (trx: WriteTrx, resolved: Resolved) => (await trx.write(markProcessed, resolved)).length > 0,

    /** Marks a callback as processed, without any other change in the transaction. */
    close: (database: Database, resolved: Resolved) => retryConflicts(() => database.run(markProcessed, resolved)),

    postpone: (database: Database, postponement: Postponement) =>
      retryConflicts(() => database.run(postpone, postponement)),

    /**
     * Postpones callbacks that are not confirmed yet. The API of the sender must confirm such a callback before it is
     * applied. Each failed attempt to confirm a callback makes its delay longer.
     */
    delay: (database: Database, delayed: Delay) => retryConflicts(() => database.run(delay, delayed)),

    /** Returns the merchants with a callback that is due. */
    listMerchants: async (db: SearchDb, now: Timestamp) =>
      (await db.search(merchants, { now })).map(({ merchantId }) => merchantId),

    /** Returns the number of redacted callbacks. */
    redact: (database: Database, processedBefore: Timestamp) => redaction.run(database, { processedBefore }),
  }
}

export type Inbox<Content extends object, Applied extends object> = ReturnType<typeof openInbox<Content, Applied>>

function insertInto<Content extends object>({ table, content: contentOf, ...of }: CallbackTable<Content>) {
  return writing<NewCallback & Content & { readonly hintsBefore: Timestamp }>()(`insert_${table}`, (p) => {
    const content = contentOf(p)
    const columns = Object.keys(content).map((column) => sql.ref(column))
    return sql<{ id: string }>`
      insert into ${sql.table(table)} (
        merchant_id, id, ${sql.ref(of.senderColumn)}, ${sql.ref(of.hashColumn)}, body, ${sql.join(columns)}, source_ip,
        request_id, user_agent, received_at, next_attempt_at
      )
      values (
        ${p.merchantId}, ${p.id}, ${p.sender}, ${p.hash}, ${p.body}, ${sql.join(Object.values(content))},
        ${p.sourceIp}::inet, ${p.requestId}, ${p.userAgent}, ${p.now}::timestamptz, ${p.now}::timestamptz
      )
      on conflict on constraint ${sql.ref(of.once)} do update
      set
        body = excluded.body, ${sql.join(columns.map((column) => sql`${column} = excluded.${column}`))},
        received_at = excluded.received_at, next_attempt_at = excluded.next_attempt_at, outcome = null, reason = null,
        processed_at = null,
        -- An earlier failure does not concern the repeated callback.
        failures = 0, error = null
      where ${of.reopens(p)}
      returning id`
  })
}

/**
 * Milliseconds after which an unsigned callback that is identical to an earlier one is treated as new. It may then
 * announce a new update.
 */
const hintPauseMs = 30_000

/**
 * A callback that repeats a hint (an unsigned callback) is treated as new if the hint was processed before the returned
 * time.
 */
function hintsBefore(now: Timestamp): Timestamp {
  return toTimestamp(toMs(now) - hintPauseMs)
}

/**
 * Time in seconds for which a worker claims a callback that is applied without a request to a carrier or provider.
 * Applying the callback then takes milliseconds, so a worker that has not finished after a minute has crashed.
 */
const applySeconds = 60

const ofAllSenders = { senders: [], areExcluded: true, leaseSeconds: applySeconds }

function claimFrom<Content extends object, Applied extends object>({ table, ...of }: CallbackTable<Content>) {
  const sender = sql.ref(of.senderColumn)
  return writing<Required<Due>>()(
    `claim_${table}`,
    (p) => sql<DueCallback & Applied>`
      with due as (
        select id
        from ${sql.table(table)}
        where merchant_id = ${p.merchantId}
          and next_attempt_at <= ${p.now}::timestamptz
          and (${sender} = any(${p.senders}::text[])) <> ${p.areExcluded}::boolean
        order by next_attempt_at, id
        limit 1
        for update skip locked
      )
      update ${sql.table(table)} callback
      set next_attempt_at = ${p.now}::timestamptz + make_interval(secs => ${p.leaseSeconds}::integer)
      from due
      where callback.merchant_id = ${p.merchantId} and callback.id = due.id
      returning
        callback.merchant_id, callback.id, callback.${sender} as sender, ${of.applied},
        host(callback.source_ip) as source_ip, callback.request_id, callback.user_agent,
        callback.received_at, callback.failures`,
  )
}

function markProcessedIn<Content extends object>({ table, processedBody }: CallbackTable<Content>) {
  return writing<Resolved>()(
    `mark_processed_${table}`,
    (p) => sql<{ id: string }>`
      update ${sql.table(table)} callback
      set
        outcome = ${p.outcome}, reason = ${p.reason}, processed_at = ${p.now}::timestamptz, next_attempt_at = null,
        body = ${processedBody(p)}
      where merchant_id = ${p.merchantId} and id = ${p.id} and processed_at is null
      returning id`,
  )
}

function postponeIn<Content extends object>({ table }: CallbackTable<Content>) {
  return writing<Postponement>()(
    `postpone_${table}`,
    (p) => sql`
      update ${sql.table(table)}
      set
        next_attempt_at = ${p.nextAttemptAt}::timestamptz,
        reason = coalesce(${p.reason}::text, reason),
        error = coalesce(${p.error}::text, error),
        failures = failures + case when ${p.error}::text is null then 0 else 1 end,
        outcome = case when ${p.nextAttemptAt}::timestamptz is null then 'failed' end,
        processed_at = case when ${p.nextAttemptAt}::timestamptz is null then ${p.now}::timestamptz end
      where merchant_id = ${p.merchantId} and id = ${p.id} and processed_at is null`,
  )
}

/**
 * Minutes from a failed attempt to confirm a callback to the next attempt, by the number of failures. The last delay
 * applies to all further attempts.
 */
const delayMinutes = [1, 5, 15, 60]

function delayIn<Content extends object>({ table, senderColumn }: CallbackTable<Content>) {
  return writing<Delay>()(
    `delay_${table}`,
    (p) => sql`
      update ${sql.table(table)}
      set
        next_attempt_at = ${p.now}::timestamptz + make_interval(mins => (${sql.lit(`{${delayMinutes.join(',')}}`)}::integer[])[
          case when ${p.error}::text is null then 1 else least(failures + 1, ${sql.lit(delayMinutes.length)}) end
        ]),
        error = coalesce(${p.error}::text, error),
        failures = failures + case when ${p.error}::text is null then 0 else 1 end
      where merchant_id = ${p.merchantId}
        and ${sql.ref(senderColumn)} = ${p.sender}
        and processed_at is null
        and (id = ${p.id}::text or (${p.delaysDue}::boolean and next_attempt_at <= ${p.now}::timestamptz))`,
  )
}

function merchantsOf<Content extends object>({ table }: CallbackTable<Content>) {
  return searching<{ now: Timestamp }>()(
    `merchants_with_${table}`,
    (p, isReachable) => sql<{ merchantId: MerchantId }>`
      select distinct merchant_id
      from ${sql.table(table)}
      where ${isReachable('merchantId')} and next_attempt_at <= ${p.now}`,
  )
}

/**
 * Maximum number of callbacks that one batch redacts. An update of 1,000 rows takes a fraction of a second, because
 * the bodies are not read.
 */
const redactMax = 1000

function redactionOf<Content extends object>({ table, redacted }: CallbackTable<Content>) {
  return updatingExpired<{ processedBefore: Timestamp }>()(
    {
      label: `redact_${table}`,
      table,
      key: ['id'],
      age: 'processed_at',
      hasEnded: (p) => sql`processed_at < ${p.processedBefore}::timestamptz and octet_length(body) > 0`,
      size: redactMax,
    },
    (p, expired) => sql`
      with expired as (${expired})
      update ${sql.table(table)}
      set ${redacted}
      where merchant_id = ${p.merchantId} and id in (select id from expired)
      returning id`,
  )
}
