import { sql } from 'kysely'
import { isShipmentOver, shipmentStatuses } from '../../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { retryConflicts } from '../../core/retry-conflicts.ts'
import { build, reading, writing } from '../../core/statement.ts'
import type { StoredAttempt } from '../../tables/shipment.ts'
import type { ShipmentKey } from './shipments.ts'

/** When shipments, and askings that were given up, are looked at next, and by whom. */

/** A look that was begun and never ended, because its worker is gone, is begun again after this long. */
const checkLeaseSeconds = 60

const findDue = reading<{ now: Timestamp }>()('any_shipment_due', (p) =>
  build.selectNoFrom([
    sql<boolean>`(
        exists (select from shipments where next_check_at <= ${p.now}::timestamptz)
        or exists (
          select from dispatch_attempts
          where next_check_at <= ${p.now}::timestamptz and state in ('not_found_at_carrier', 'abandoned')
        )
      )`.as('isDue'),
  ]),
)

export async function isAnyShipmentDue(db: ReadDb, now: Timestamp): Promise<boolean> {
  return (await db.read(findDue, { now }))[0]?.isDue === true
}

interface Claim {
  readonly now: Timestamp
  /** How many at most. */
  readonly limit: number
}

const claimShipments = writing<Claim>()(
  'claim_due_shipments',
  (p) => sql<ShipmentKey>`
    with due as (
      select merchant_id, id
      from shipments
      where next_check_at <= ${p.now}::timestamptz
      order by next_check_at
      limit ${p.limit}::integer
      for update skip locked
    )
    update shipments
    set next_check_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(checkLeaseSeconds)}), checks = checks + 1
    from due
    where shipments.merchant_id = due.merchant_id and shipments.id = due.id
    returning shipments.merchant_id as "merchantId", shipments.id`,
)

/** An asking that was given up and may turn up yet. */
export interface AttemptKey extends ShipmentKey {
  readonly number: number
}

const claimAttempts = writing<Claim>()(
  'claim_due_attempts',
  (p) => sql<AttemptKey>`
    with due as (
      select merchant_id, shipment_id, number
      from dispatch_attempts
      where next_check_at <= ${p.now}::timestamptz and state in ('not_found_at_carrier', 'abandoned')
      order by next_check_at
      limit ${p.limit}::integer
      for update skip locked
    )
    update dispatch_attempts attempt
    set next_check_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(checkLeaseSeconds)}), checks = checks + 1
    from due
    where attempt.merchant_id = due.merchant_id
      and attempt.shipment_id = due.shipment_id
      and attempt.number = due.number
    returning attempt.merchant_id as "merchantId", attempt.shipment_id as id, attempt.number`,
)

/** A look, as it was read when it began: whoever has set another since has news that it did not see. */
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
      and state in ('not_found_at_carrier', 'abandoned')
      and next_check_at is not distinct from ${p.seenCheckAt}::timestamptz`,
)

/** The same of a look at a shipment. */
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
      -- What its order has called off meanwhile is looked at when that said, were it the very moment that was seen.
      and not (cancel_requested_at is not null and status in ('scheduled', 'dispatching'))
      -- Of one that goes on there is always something left to do: its claim runs out, and somebody looks again.
      and (${p.nextCheckAt}::timestamptz is not null or status = any(${p.overStatuses}::text[]))`,
)

const postponeUnknown = writing<StoredAttempt & { seenCheckAt: Timestamp | null }>()(
  'postpone_unknown_look',
  (p) => sql`
    with looked as (
      update dispatch_attempts
      set
        checks = ${p.checks}, not_found_count = ${p.notFoundCount}, not_found_since = ${p.notFoundSince}::timestamptz,
        next_check_at = ${p.nextCheckAt}::timestamptz
      where merchant_id = ${p.merchantId} and shipment_id = ${p.shipmentId} and number = ${p.number}
        -- Whoever looked or learnt of its order meanwhile has said when the next look is.
        and state = 'unknown' and checks = ${p.checks} - 1
        and carrier_reference is not distinct from ${p.carrierReference}
      returning merchant_id, shipment_id, next_check_at
    )
    update shipments
    set next_check_at = looked.next_check_at
    from looked
    where shipments.merchant_id = looked.merchant_id
      and shipments.id = looked.shipment_id
      -- Whoever brought it forward meanwhile, as the end of its order does, is not to wait.
      and coalesce(shipments.next_check_at >= ${p.seenCheckAt}::timestamptz, true)`,
)

const postponeAssign = writing<ShipmentKey & { number: number; assignDeadline: Timestamp }>()(
  'postpone_assign_deadline',
  (p) => sql`
    update dispatch_attempts
    set assign_deadline = ${p.assignDeadline}::timestamptz
    where merchant_id = ${p.merchantId} and shipment_id = ${p.id} and number = ${p.number} and state = 'accepted'`,
)

/** Gives a carrier longer to name a rider. */
export async function postponeAssignDeadline(
  database: Database,
  { merchantId, shipmentId: id, number }: Pick<StoredAttempt, 'merchantId' | 'shipmentId' | 'number'>,
  assignDeadline: Timestamp,
): Promise<void> {
  await retryConflicts(() => database.run(postponeAssign, { merchantId, id, number, assignDeadline }))
}

/** Counts a look at an asking whose outcome is unknown, which brought nothing new since the shipment was read. */
export async function postponeReconciliation(
  database: Database,
  attempt: StoredAttempt,
  seenCheckAt: Timestamp | null,
): Promise<void> {
  await retryConflicts(() => database.run(postponeUnknown, { ...attempt, seenCheckAt }))
}

/** Shipments that are due to be looked at, of any merchant. Nobody else gets them until the lease is over. */
export function claimDueShipments(database: Database, claim: Claim): Promise<readonly ShipmentKey[]> {
  return retryConflicts(() => database.run(claimShipments, claim))
}

/** Given up askings that are due to be looked for. */
export function claimDueAttempts(database: Database, claim: Claim): Promise<readonly AttemptKey[]> {
  return retryConflicts(() => database.run(claimAttempts, claim))
}

/** Null ends the watch. */
export async function postponeAttemptCheck(
  database: Database,
  key: StartedAttemptCheck,
  nextCheckAt: Timestamp | null,
): Promise<void> {
  await retryConflicts(() => database.run(postponeAttempt, { ...key, nextCheckAt }))
}

/** When nothing came of a look; null ends the looks at a shipment that is over, and does nothing to another. */
export async function postponeShipmentCheck(
  database: Database,
  key: StartedCheck,
  nextCheckAt: Timestamp | null,
): Promise<void> {
  await retryConflicts(() => database.run(postpone, { ...key, nextCheckAt, overStatuses }))
}
