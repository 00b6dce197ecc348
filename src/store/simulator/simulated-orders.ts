import { type Selectable, sql } from 'kysely'
import type { TestCarrierCode } from '../../../registry/service/test-carriers.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing, running, runningFirst } from '../core/calls.ts'
import type { Database } from '../core/database.ts'
import { runInBatches } from '../core/run-in-batches.ts'
import { build, writing } from '../core/statement.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * The orders of the simulated carriers. A simulated carrier represents an external company, so its rows belong to no
 * merchant.
 */

type Row = Selectable<Tables['simulated_orders']>

/** The terms of a simulated order, from which every later event of the simulation is derived. */
export type SimulatedOrder = Omit<Row, 'callbackAttempts' | 'nextCallbackAt'>

export interface SimulatedOrderName {
  readonly company: TestCarrierCode
  readonly number: string
}

export type NewSimulatedOrder = Omit<Row, 'callbacksSent' | 'callbackAttempts' | 'cancelledAt' | 'cancellationFeeKobo'>

/**
 * Inserts a simulated order. Returns undefined when the carrier enforces unique references and already has an order
 * with this reference.
 */
export const insertSimulatedOrder = runningFirst<NewSimulatedOrder>()('insert_simulated_order', (p) =>
  build
    .insertInto('simulated_orders')
    .values({
      company: p.company,
      number: p.number,
      reference: p.reference,
      service: p.service,
      vehicle: p.vehicle,
      priceKobo: p.priceKobo,
      pickupLatitude: p.pickupLatitude,
      pickupLongitude: p.pickupLongitude,
      dropoffLatitude: p.dropoffLatitude,
      dropoffLongitude: p.dropoffLongitude,
      hasPin: p.hasPin,
      cashCollectedKobo: p.cashCollectedKobo,
      seed: p.seed,
      stepMs: p.stepMs,
      fault: p.fault,
      callbackUrl: p.callbackUrl,
      callbackSecret: p.callbackSecret,
      callbackDigits: p.callbackDigits,
      nextCallbackAt: p.nextCallbackAt,
      createdAt: p.createdAt,
      acceptedAt: p.acceptedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const findSimulatedOrder = finding<SimulatedOrderName>()('find_simulated_order', (p) =>
  build.selectFrom('simulated_orders').where('company', '=', p.company).where('number', '=', p.number).selectAll(),
)

/** Finds a simulated order by reference. Only one of the simulated carriers supports this. */
export const findSimulatedReference = finding<{ reference: string }>()('find_simulated_reference', (p) =>
  build
    .selectFrom('simulated_orders')
    .where('company', '=', sql.lit('simulator-swift' satisfies TestCarrierCode))
    .where('reference', '=', p.reference)
    .selectAll(),
)

interface SimulatedPage {
  readonly company: TestCarrierCode
  readonly since: Timestamp
  /** The order number after which the page starts. Empty for the first page. */
  readonly after: string
  /** The list contains only orders that were accepted before this time. */
  readonly acceptedBefore: Timestamp
  readonly limit: number
}

/** Oldest first. */
export const listSimulatedOrders = listing<SimulatedPage>()('list_simulated_orders', (p) =>
  build
    .selectFrom('simulated_orders as listed')
    .where('company', '=', p.company)
    .where('acceptedAt', '<=', p.acceptedBefore)
    // A comparison of rows lets PostgreSQL start an index scan at the position of the page. Every order number sorts
    // after '', the position of the first page.
    .where(
      sql<boolean>`(listed.created_at, listed.number) > (
        coalesce(
          (
            select before.created_at
            from simulated_orders before
            where before.company = ${p.company} and before.number = ${p.after}
          ),
          ${p.since}::timestamptz
        ),
        ${p.after}::text
      )`,
    )
    .orderBy('createdAt')
    .orderBy('number')
    .limit(sql<number>`${p.limit}`)
    .selectAll(),
)

interface SimulatedCancellation extends SimulatedOrderName {
  readonly feeKobo: number
  readonly now: Timestamp
}

/** Returns undefined when the order is already cancelled. */
export const cancelSimulatedOrder = runningFirst<SimulatedCancellation>()('cancel_simulated_order', (p) =>
  build
    .updateTable('simulated_orders')
    .set({
      cancelledAt: p.now,
      cancellationFeeKobo: p.feeKobo,
      nextCallbackAt: sql`case when callback_url is null then null else ${p.now}::timestamptz end`,
    })
    .where('company', '=', p.company)
    .where('number', '=', p.number)
    .where('cancelledAt', 'is', null)
    .returningAll(),
)

export interface CallbackOrder extends SimulatedOrder {
  readonly callbackAttempts: number
}

/**
 * Seconds for which a process claims an order. Sending all callbacks of an order takes less time. When the claim
 * expires, another process may claim the order.
 */
const leaseSeconds = 60

/** Maximum number of orders per claim, and of concurrent callback requests to the receiver on the same machine. */
const sendersMax = 20

const claim = writing<{ now: Timestamp }>()(
  'claim_simulated_callbacks',
  (p) => sql<CallbackOrder>`
    with due as (
      select company, number
      from simulated_orders
      where next_callback_at <= ${p.now}::timestamptz
      order by next_callback_at, number
      limit ${sql.lit(sendersMax)}
      for update skip locked
    )
    update simulated_orders claimed
    set next_callback_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)})
    from due
    where claimed.company = due.company and claimed.number = due.number
    returning claimed.*`,
)

export async function claimSimulatedCallbacks(database: Database, now: Timestamp): Promise<readonly CallbackOrder[]> {
  return database.run(claim, { now })
}

interface SentCallbacks extends SimulatedOrderName {
  readonly sent: number
  readonly attempts: number
  readonly nextAt: Timestamp | null
  /** The cancellation time that the order had when its due callbacks were read. */
  readonly cancelledAt: Timestamp | null
}

/**
 * Records that the callbacks of an order were sent. If the order was cancelled while the callbacks were being sent, its
 * callbacks are due again at once.
 */
export const recordSimulatedCallbacks = running<SentCallbacks>()(
  'record_simulated_callbacks',
  (p) => sql<{ number: string }>`
    update simulated_orders
    set
      callbacks_sent = ${p.sent}::smallint,
      callback_attempts = ${p.attempts}::smallint,
      next_callback_at = case
        when cancelled_at is distinct from ${p.cancelledAt}::timestamptz then cancelled_at
        else ${p.nextAt}::timestamptz
      end
    where company = ${p.company} and number = ${p.number}
    returning number`,
)

/**
 * Maximum number of simulated orders deleted per statement. PostgreSQL deletes 1,000 rows in a fraction of a second.
 */
const deleteMax = 1_000

const deletion = writing<{ before: Timestamp }>()(
  'delete_simulated_orders',
  (p) => sql<{ number: string }>`
    delete from simulated_orders
    where (company, number) in (
      select company, number
      from simulated_orders
      where created_at < ${p.before}::timestamptz
      order by created_at
      limit ${sql.lit(deleteMax)}
      for update skip locked
    )
    returning number`,
)

/** Returns the number of deleted orders. */
export function deleteSimulatedOrders(database: Database, before: Timestamp): Promise<number> {
  return runInBatches(database, { statement: deletion, args: { before }, size: deleteMax })
}
