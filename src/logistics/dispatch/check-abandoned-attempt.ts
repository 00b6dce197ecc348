import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import { postponeAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { ShipmentCommand } from '../shipments/change-shipment.ts'
import { usableFor } from './begin-attempt.ts'
import { findCarrierOrder, type SearchOutcome } from './find-carrier-order.ts'
import { checkDelayMs, isMonitored, startedAttemptCheckOf } from './monitored-attempt.ts'
import { reconcileLateAcceptance } from './reconcile-late-acceptance.ts'
import { reportPossibleDuplicate } from './report-possible-duplicate.ts'

/**
 * Checks whether the carrier of an abandoned attempt has created an order after all, until the monitoring of the
 * attempt ends. If the carrier has an order, the service chooses between this order and the order of a newer attempt,
 * and cancels the order that it does not choose.
 */
export async function checkAbandonedAttempt(command: ShipmentCommand, number: number): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const attempt = whole?.attempts.find((known) => known.number === number)
  if (whole === undefined || attempt === undefined || !isMonitored(attempt)) return
  const nowMs = context.clock.nowMs()
  const isOver = attempt.monitorUntil === null || toMs(attempt.monitorUntil) <= nowMs
  const { carrierReference } = attempt
  const search =
    carrierReference === null
      ? await findCarrierOrder(command, await usableFor(command, attempt.carrier), whole.shipment, attempt)
      : await readOrder(command, { ...attempt, carrierReference })
  // A carrier may suspend an order until the merchant has paid for it. The service reports such an order once, and then
  // waits until the order is paid.
  const isReported = search.is === 'found' && search.order.isUnpaid === true && attempt.duplicateCostKobo !== null
  if (search.is === 'found' && !isReported) {
    await reconcileLateAcceptance(command, number, search.order)
    return isOver ? endMonitoring(command, number) : undefined
  }
  if (isOver || search.is === 'not_searchable') {
    // No search was conclusive, so the carrier may still have an order for the attempt. This possible duplicate order
    // is reported only once.
    const isCounted = attempt.duplicateCostKobo !== null
    if (attempt.state === 'abandoned' && search.is !== 'absent' && !isCounted)
      await reportPossibleDuplicate(command, number)
    return postponeAttemptCheck(context.database, startedAttemptCheckOf(attempt), null)
  }
  const nextCheckAt = toTimestamp(nowMs + checkDelayMs(attempt))
  return postponeAttemptCheck(context.database, startedAttemptCheckOf(attempt), nextCheckAt)
}

/**
 * Ends the monitoring of a dispatch attempt whose cancellation the carrier neither confirmed nor rejected, and adds the
 * exception `possible_duplicate`, because the carrier may still send a second rider.
 */
async function endMonitoring(command: ShipmentCommand, number: number): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const attempt = whole?.attempts.find((known) => known.number === number)
  if (attempt === undefined || !isMonitored(attempt) || attempt.nextCheckAt === null) return
  if (attempt.duplicateCostKobo === null) await reportPossibleDuplicate(command, number)
  await postponeAttemptCheck(context.database, startedAttemptCheckOf(attempt), null)
}

/** The carrier's order reference is known from the carrier's response or from an earlier check. */
async function readOrder(
  command: ShipmentCommand,
  { carrier: code, carrierReference, reference }: StoredAttempt & { readonly carrierReference: string },
): Promise<SearchOutcome> {
  const noOtherData = { trackingUrl: undefined, labelUrl: undefined }
  const found = ({ status, priceKobo, isUnpaid, dropoffAt }: Partial<Tracking>): SearchOutcome => {
    return { is: 'found', order: { carrierReference, ...noOtherData, priceKobo, status, isUnpaid, dropoffAt } }
  }
  const usable = await usableFor(command, code)
  if (usable === undefined) return found({})
  const { breakers, timeouts } = command.context
  const request = { operation: 'read', timeoutMs: timeouts.readMs } as const
  const outcome = await breakers.run(usable, request, (signal) =>
    usable.carrier.get(usable.account, { carrierReference, reference }, signal),
  )
  return found(outcome.is === 'ok' ? outcome.value : {})
}
