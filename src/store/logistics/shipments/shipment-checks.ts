import { sql } from 'kysely'
import { isShipmentOver, shipmentStatuses } from '../../../../registry/logistics/shipment-states.ts'
import type { MerchantId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { searchingAll } from '../../core/calls.ts'
import { inTurn, openClaims } from '../../core/claims.ts'
import type { Database, SearchDb } from '../../core/database.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { build, searching, writing } from '../../core/statement.ts'
import { checkedStates, type StoredAttempt } from '../../tables/shipment.ts'
import type { ShipmentKey } from './shipments.ts'

/**
 * Stores the checks of shipments and of ended dispatch attempts at their carriers: when each check is due, and until
 * when a worker has claimed the check. An abandoned attempt is checked because its carrier may have an order for it. A
 * cancelled attempt is checked after an unsigned callback about its order.
 */

/**
 * Duration of the claim of a check, in seconds. If the check has not ended when the claim expires, the worker that
 * claimed it is assumed to have crashed, and another worker repeats the check.
 */
const checkLeaseSeconds = 60

export const isChecked = sql<boolean>`state in (${sql.join(checkedStates.map((state) => sql.lit(state)))})`

const anyDue = searching<{ now: Timestamp }>()('any_shipment_due', (p, isReachable) =>
  build.selectNoFrom([
    sql<boolean>`(
        exists (select 1 from shipments where ${isReachable('merchantId')} and next_check_at <= ${p.now}::timestamptz)
        or exists (
          select 1
          from dispatch_attempts
          where ${isReachable('merchantId')}
            and next_check_at <= ${p.now}::timestamptz and ${isChecked}
        )
      )`.as('isDue'),
  ]),
)

export async function isAnyShipmentDue(db: SearchDb, now: Timestamp): Promise<boolean> {
  return (await db.search(anyDue, { now }))[0]?.isDue === true
}

const findShipments = searchingAll<{ now: Timestamp }>()('find_due_shipments', (p, isReachable) =>
  inTurn<ShipmentKey>(
    ['id'],
    sql`
      select merchant_id, id, next_check_at as due_at
      from shipments
      where ${isReachable('merchantId')} and next_check_at <= ${p.now}::timestamptz`,
  ),
)

interface Claim {
  readonly merchantId: MerchantId
  readonly ids: readonly string[]
  readonly now: Timestamp
}

const claimShipments = writing<Claim>()(
  'claim_due_shipments',
  (p) => sql<ShipmentKey>`
    with due as (
      select id
      from shipments
      where merchant_id = ${p.merchantId} and id = any(${p.ids}::text[]) and next_check_at <= ${p.now}::timestamptz
      for update skip locked
    )
    update shipments
    set next_check_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(checkLeaseSeconds)}), checks = checks + 1
    where merchant_id = ${p.merchantId} and id in (select id from due)
    returning merchant_id, id`,
)

export interface AttemptKey extends ShipmentKey {
  readonly number: number
}

const findAttempts = searchingAll<{ now: Timestamp }>()('find_due_attempts', (p, isReachable) =>
  inTurn<AttemptKey>(
    ['id', 'number'],
    sql`
      select merchant_id, shipment_id as id, number, next_check_at as due_at
      from dispatch_attempts
      where ${isReachable('merchantId')}
        and next_check_at <= ${p.now}::timestamptz and ${isChecked}`,
  ),
)

const claimAttempts = writing<Claim & { numbers: readonly number[] }>()(
  'claim_due_attempts',
  (p) => sql<AttemptKey>`
    with due as (
      select shipment_id, number
      from dispatch_attempts
      where merchant_id = ${p.merchantId}
        and (shipment_id, number) in (select * from unnest(${p.ids}::text[], ${p.numbers}::integer[]))
        and next_check_at <= ${p.now}::timestamptz
        and ${isChecked}
      for update skip locked
    )
    update dispatch_attempts
    set next_check_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(checkLeaseSeconds)}), checks = checks + 1
    where merchant_id = ${p.merchantId} and (shipment_id, number) in (select shipment_id, number from due)
    returning merchant_id, shipment_id as id, number`,
)

/**
 * A started check of a dispatch attempt at its carrier. `seenCheckAt` is the due time that was stored when the check
 * started. If the stored due time has changed since then, a process with newer data has set it.
 */
export interface StartedAttemptCheck extends AttemptKey {
  readonly seenCheckAt: Timestamp | null
}

const postponeAttempt = writing<StartedAttemptCheck & { nextCheckAt: Timestamp | null }>()(
  'postpone_attempt_check',
  (p) => sql`
    update dispatch_attempts
    set next_check_at = ${p.nextCheckAt}::timestamptz
    where merchant_id = ${p.merchantId}
      and shipment_id = ${p.id}
      and number = ${p.number}
      and ${isChecked}
      and next_check_at is not distinct from ${p.seenCheckAt}::timestamptz`,
)

/**
 * A check of a shipment at its carrier. It contains the due time that was stored for the check when the check started.
 */
export interface StartedCheck extends ShipmentKey {
  readonly seenCheckAt: Timestamp | null
}

const overStatuses = shipmentStatuses.filter(isShipmentOver)

const postpone = writing<StartedCheck & { nextCheckAt: Timestamp | null; overStatuses: readonly string[] }>()(
  'postpone_shipment_check',
  (p) => sql`
    update shipments
    set next_check_at = ${p.nextCheckAt}::timestamptz
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and next_check_at is not distinct from ${p.seenCheckAt}::timestamptz
      -- A shipment cancelled by its order keeps the due time that the cancellation set, even if it equals the one that
      -- was read.
      and not (cancel_requested_at is not null and status in ('scheduled', 'dispatching'))
      -- An active shipment always has another check: without a due time, the lease of the claim applies.
      and (${p.nextCheckAt}::timestamptz is not null or status = any(${p.overStatuses}::text[]))`,
)

const postponeUnknown = writing<StoredAttempt & { seenCheckAt: Timestamp | null }>()(
  'postpone_unknown_check',
  (p) => sql`
    with checked as (
      update dispatch_attempts
      set
        checks = ${p.checks}, not_found_count = ${p.notFoundCount}, not_found_since = ${p.notFoundSince}::timestamptz,
        next_check_at = ${p.nextCheckAt}::timestamptz
      where merchant_id = ${p.merchantId} and shipment_id = ${p.shipmentId} and number = ${p.number}
        -- Another process that checked the attempt or stored its order reference has set the next check.
        and state = 'unknown' and checks = ${p.checks} - 1
        and carrier_reference is not distinct from ${p.carrierReference}
      returning shipment_id, next_check_at
    )
    update shipments
    set next_check_at = checked.next_check_at
    from checked
    where shipments.merchant_id = ${p.merchantId}
      and shipments.id = checked.shipment_id
      -- An earlier due time, such as that of a cancelled order, stays.
      and coalesce(shipments.next_check_at >= ${p.seenCheckAt}::timestamptz, true)`,
)

const postponeAssign = writing<ShipmentKey & { number: number; assignDeadline: Timestamp }>()(
  'postpone_assign_deadline',
  (p) => sql`
    update dispatch_attempts
    set assign_deadline = ${p.assignDeadline}::timestamptz
    where merchant_id = ${p.merchantId} and shipment_id = ${p.id} and number = ${p.number} and state = 'accepted'`,
)

export async function postponeAssignDeadline(
  database: Database,
  { merchantId, shipmentId: id, number }: Pick<StoredAttempt, 'merchantId' | 'shipmentId' | 'number'>,
  assignDeadline: Timestamp,
): Promise<void> {
  await retryConflicts(() => database.run(postponeAssign, { merchantId, id, number, assignDeadline }))
}

/**
 * Records that a check did not determine the outcome of an attempt, and schedules the next check of the attempt and its
 * shipment.
 */
export async function postponeReconciliation(
  database: Database,
  attempt: StoredAttempt,
  seenCheckAt: Timestamp | null,
): Promise<void> {
  await retryConflicts(() => database.run(postponeUnknown, { ...attempt, seenCheckAt }))
}

/** Each claim has an expiry time. */
export function openShipmentClaims(database: Database) {
  return openClaims<ShipmentKey, ShipmentKey>({
    find: (now) => findShipments(database, { now }),
    claim: ({ merchantId, keys, now }) => {
      const ids = keys.map(({ id }) => id)
      return retryConflicts(() => database.run(claimShipments, { merchantId, ids, now }))
    },
  })
}

/** Returns a function that claims ended attempts that are due for a check. Each claim has an expiry time. */
export function openAttemptClaims(database: Database) {
  return openClaims<AttemptKey, AttemptKey>({
    find: (now) => findAttempts(database, { now }),
    claim: ({ merchantId, keys, now }) => {
      const [ids, numbers] = [keys.map(({ id }) => id), keys.map(({ number }) => number)]
      return retryConflicts(() => database.run(claimAttempts, { merchantId, ids, numbers, now }))
    },
  })
}

/** Sets the time of the next check of an ended attempt; null ends the checks of the attempt. */
export async function postponeAttemptCheck(
  database: Database,
  key: StartedAttemptCheck,
  nextCheckAt: Timestamp | null,
): Promise<void> {
  await retryConflicts(() => database.run(postponeAttempt, { ...key, nextCheckAt }))
}

/**
 * Sets the time of the next check of a shipment. Null ends the checks of a shipment that has ended. For an active
 * shipment, null has no effect.
 */
export async function postponeShipmentCheck(
  database: Database,
  key: StartedCheck,
  nextCheckAt: Timestamp | null,
): Promise<void> {
  await retryConflicts(() => database.run(postpone, { ...key, nextCheckAt, overStatuses }))
}
