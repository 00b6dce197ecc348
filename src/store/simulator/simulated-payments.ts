import { type Selectable, sql } from 'kysely'
import type { TestPaymentBehaviourName } from '../../../registry/service/test-payments.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing, running, runningFirst } from '../core/calls.ts'
import type { Database } from '../core/database.ts'
import { build, writing } from '../core/statement.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * The records of the simulated payment provider. The simulated provider represents an external company, so these rows
 * belong to no merchant.
 */

export type SimulatedPayment = Selectable<Tables['simulated_payments']>
export type SimulatedRefund = Selectable<Tables['simulated_refunds']>

interface NewSimulatedPayment {
  readonly account: string
  readonly reference: string
  readonly amountKobo: number
  readonly behaviour: TestPaymentBehaviourName
  readonly now: Timestamp
}

/** Returns undefined when the merchant's account already has this payment. */
export const insertSimulatedPayment = runningFirst<NewSimulatedPayment>()('insert_simulated_payment', (p) =>
  build
    .insertInto('simulated_payments')
    .values({
      account: p.account,
      reference: p.reference,
      amountKobo: p.amountKobo,
      behaviour: p.behaviour,
      paidAt: p.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const findSimulatedPayment = finding<{ account: string; reference: string }>()('find_simulated_payment', (p) =>
  build
    .selectFrom('simulated_payments')
    .where('account', '=', p.account)
    .where('reference', '=', p.reference)
    .selectAll(),
)

interface NewSimulatedRefund {
  readonly account: string
  readonly reference: string
  readonly amountKobo: number
  readonly note: string
  readonly behaviour: TestPaymentBehaviourName
  readonly stepMs: number
  readonly now: Timestamp
}

export const insertSimulatedRefund = runningFirst<NewSimulatedRefund>()('insert_simulated_refund', (p) =>
  build
    .insertInto('simulated_refunds')
    .values({
      account: p.account,
      reference: p.reference,
      amountKobo: p.amountKobo,
      note: p.note,
      behaviour: p.behaviour,
      stepMs: p.stepMs,
      createdAt: p.now,
    })
    .returningAll(),
)

/** Newest first. */
export const listSimulatedRefunds = listing<{ account: string; limit: number; offset: number }>()(
  'list_simulated_refunds',
  (p) =>
    build
      .selectFrom('simulated_refunds')
      .where('account', '=', p.account)
      .orderBy('id', 'desc')
      .limit(sql<number>`${p.limit}`)
      .offset(sql<number>`${p.offset}`)
      .selectAll(),
)

export const findSimulatedRefund = finding<{ account: string; id: number }>()('find_simulated_refund', (p) =>
  build.selectFrom('simulated_refunds').where('account', '=', p.account).where('id', '=', p.id).selectAll(),
)

/** Returns undefined when the refund already has a bank account. */
export const setSimulatedDetails = runningFirst<{ account: string; id: number; now: Timestamp }>()(
  'set_simulated_details',
  (p) =>
    build
      .updateTable('simulated_refunds')
      .set({ detailsAt: p.now })
      .where('account', '=', p.account)
      .where('id', '=', p.id)
      .where('detailsAt', 'is', null)
      .returningAll(),
)

export interface NewSimulatedCallback {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly dueAt: Timestamp
}

export const insertSimulatedCallback = running<NewSimulatedCallback>()('insert_simulated_callback', (p) =>
  build.insertInto('simulated_payment_callbacks').values({ url: p.url, key: p.key, body: p.body, dueAt: p.dueAt }),
)

export interface DueSimulatedCallback {
  readonly id: number
  readonly url: string
  readonly key: string
  readonly body: string
  readonly attempts: number
}

/**
 * Seconds for which a process claims a callback. Sending one callback takes less time. When the claim expires, another
 * process may claim the callback.
 */
const leaseSeconds = 60

/** The maximum number of concurrent requests to a receiver on the same machine. */
const callersMax = 20

const claim = writing<{ now: Timestamp }>()(
  'claim_simulated_payment_callbacks',
  (p) => sql<DueSimulatedCallback>`
    with due as (
      select id
      from simulated_payment_callbacks
      where due_at <= ${p.now}::timestamptz
      order by due_at, id
      limit ${sql.lit(callersMax)}
      for update skip locked
    )
    update simulated_payment_callbacks callback
    set due_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}), attempts = attempts + 1
    from due
    where callback.id = due.id
    returning callback.id, callback.url, callback.key, callback.body, callback.attempts`,
)

/** Returns the callbacks in the order in which they must be sent. */
export async function claimSimulatedPaymentCallbacks(
  database: Database,
  now: Timestamp,
): Promise<readonly DueSimulatedCallback[]> {
  return (await database.run(claim, { now })).toSorted((one, other) => one.id - other.id)
}

/**
 * Ends an attempt to send a callback. If `retryAt` is null, because the receiver accepted the callback or no retry is
 * left, the callback is deleted. Otherwise, the callback is postponed to `retryAt`.
 */
export const finishSimulatedCallback = running<{ id: number; retryAt: Timestamp | null }>()(
  'finish_simulated_callback',
  (p) => sql<{ id: number }>`
    with gone as (
      delete from simulated_payment_callbacks where id = ${p.id} and ${p.retryAt}::timestamptz is null
    )
    update simulated_payment_callbacks
    set due_at = ${p.retryAt}::timestamptz
    where id = ${p.id} and ${p.retryAt}::timestamptz is not null
    returning id`,
)

/** Also deletes simulated refunds. */
export const deleteSimulatedPayments = running<{ before: Timestamp }>()(
  'delete_simulated_payments',
  (p) => sql<{ id: number }>`
    with payments as (delete from simulated_payments where paid_at < ${p.before}::timestamptz)
    delete from simulated_refunds where created_at < ${p.before}::timestamptz returning id`,
)
