import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import { postponeAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { ShipmentCommand } from '../shipments/change-shipment.ts'
import { usableFor } from './begin-attempt.ts'
import { findCarrierOrder, type SearchOutcome } from './find-carrier-order.ts'
import { isMonitored, startedAttemptCheck } from './monitored-attempt.ts'
import { reconcileLateAcceptance } from './reconcile-late-acceptance.ts'
import { reportPossibleDuplicate } from './report-possible-duplicate.ts'

/** An asking that was given up is looked for as long as its carrier may write it down late (design, logistics 3.5). */

/** Soon at first, because a rider may be on the way; then as often as a day has hours. */
const watchMinutes = [1, 5, 15, 60] as const

export async function checkAbandonedAttempt(command: ShipmentCommand, number: number): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const attempt = whole?.attempts.find((known) => known.number === number)
  if (whole === undefined || attempt === undefined || !isMonitored(attempt)) return
  const nowMs = context.clock.nowMs()
  const isOver = attempt.monitorUntil === null || toMs(attempt.monitorUntil) <= nowMs
  const { carrierReference } = attempt
  const sought =
    carrierReference === null
      ? await findCarrierOrder(command, await usableFor(command, attempt.carrier), whole.shipment, attempt)
      : await askAfter(command, { ...attempt, carrierReference })
  // What stands still for want of money is one order too many only once it is paid for.
  const isToldOf = sought.is === 'found' && sought.order.isUnpaid === true && attempt.duplicateCostKobo !== null
  if (sought.is === 'found' && !isToldOf) {
    await reconcileLateAcceptance(command, number, sought.order)
    return isOver ? giveUpWatch(command, number) : undefined
  }
  if (isOver || sought.is === 'nothing_to_ask') {
    // Whoever was never heard of may have it yet, and nobody will find that out by asking.
    const isSaid = attempt.duplicateCostKobo !== null
    if (attempt.state === 'abandoned' && sought.is !== 'absent' && !isSaid)
      await reportPossibleDuplicate(command, number)
    return postponeAttemptCheck(context.database, startedAttemptCheck(attempt), null)
  }
  const minutes = watchMinutes[Math.min(attempt.checks, watchMinutes.length - 1)] ?? 60
  return postponeAttemptCheck(context.database, startedAttemptCheck(attempt), toTimestamp(nowMs + minutes * 60_000))
}

/** An order that its carrier neither calls off nor keeps in so many words is told of, and asked about no more. */
async function giveUpWatch(command: ShipmentCommand, number: number): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const attempt = whole?.attempts.find((known) => known.number === number)
  if (attempt === undefined || !isMonitored(attempt) || attempt.nextCheckAt === null) return
  if (attempt.duplicateCostKobo === null) await reportPossibleDuplicate(command, number)
  await postponeAttemptCheck(context.database, startedAttemptCheck(attempt), null)
}

/** Known from the carrier’s own word, or from an earlier look that could not call it off. */
async function askAfter(
  command: ShipmentCommand,
  { carrier: code, carrierReference, reference }: StoredAttempt & { readonly carrierReference: string },
): Promise<SearchOutcome> {
  const nothingElse = { trackingUrl: undefined, labelUrl: undefined }
  const found = ({ status, priceKobo, isUnpaid, dropoffAt }: Partial<Tracking>): SearchOutcome => {
    return { is: 'found', order: { carrierReference, ...nothingElse, priceKobo, status, isUnpaid, dropoffAt } }
  }
  const usable = await usableFor(command, code)
  if (usable === undefined) return found({})
  const { breakers, patience } = command.context
  const request = { operation: 'read', timeoutMs: patience.readMs } as const
  const told = await breakers.run(usable, request, (signal) =>
    usable.carrier.get(usable.account, { carrierReference, reference }, signal),
  )
  return found(told.is === 'ok' ? told.value : {})
}
