import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import { postponeAttemptCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { findShipment } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import { isAccountReplaced } from '../carriers/accounts.ts'
import { usableFor } from '../dispatch/begin-attempt.ts'
import { checkDelayMs, isCancelledAtCarrier, startedAttemptCheckOf } from '../dispatch/monitored-attempt.ts'
import type { ShipmentCommand } from '../shipments/change-shipment.ts'
import { applyTracking } from './apply-tracking.ts'
import { tracker } from './poll-shipment.ts'

/**
 * Polls the order of a dispatch attempt that the carrier has cancelled, because an unsigned callback mentions the order.
 * If the order continues, the response is applied like a signed callback about a late acceptance. If the carrier confirms
 * the cancellation, nothing changes. If the carrier does not respond, the poll is repeated for a limited time.
 */
export async function checkCancelledAttempt(command: ShipmentCommand, number: number): Promise<void> {
  const { context, tenant, id } = command
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  const attempt = whole?.attempts.find((known) => known.number === number)
  if (attempt === undefined || !isCancelledAtCarrier(attempt)) return
  const polledAt = toTimestamp(context.clock.nowMs())
  const polled = await pollOrder(command, attempt)
  if (polled.is === 'continues') {
    const { tracking } = polled
    const shipment = { merchantId: tenant.merchantId, id }
    const update = { shipment, attemptNumber: number, tracking, source: 'poll', polledAt, actor: tracker } as const
    await applyTracking(context, tenant, update)
  }
  const nextCheckAt = polled.is === 'no_response' ? retryAt(command, attempt) : null
  await postponeAttemptCheck(context.database, startedAttemptCheckOf(attempt), nextCheckAt)
}

type PolledOrder =
  | { readonly is: 'continues'; readonly tracking: Tracking }
  /** The carrier confirms the cancellation, or has no such order any more. */
  | { readonly is: 'ended' }
  | { readonly is: 'no_response' }

async function pollOrder(command: ShipmentCommand, attempt: StoredAttempt): Promise<PolledOrder> {
  const { carrier: code, carrierReference, reference } = attempt
  if (carrierReference === null) return { is: 'ended' }
  const usable = await usableFor(command, code)
  if (usable === undefined) return { is: 'no_response' }
  const { carrier, account } = usable
  const { breakers, timeouts } = command.context
  const request = { operation: 'read', timeoutMs: timeouts.readMs } as const
  const response = await breakers.run({ carrier, account }, request, (signal) =>
    carrier.get(account, { carrierReference, reference }, signal),
  )
  // A replaced account does not have the orders of the earlier account, so a missing order proves nothing.
  if (response.is === 'refused' && response.code === 'not_found' && !isAccountReplaced(usable, attempt))
    return { is: 'ended' }
  if (response.is !== 'ok') return { is: 'no_response' }
  const { status } = response.value
  return status === 'cancelled' || status === 'failed' ? { is: 'ended' } : { is: 'continues', tracking: response.value }
}

/** Null when the time for repetitions has passed. */
function retryAt({ context: { clock, log } }: ShipmentCommand, attempt: StoredAttempt) {
  const { merchantId, shipmentId, number, monitorUntil } = attempt
  const nowMs = clock.nowMs()
  if (monitorUntil !== null && toMs(monitorUntil) > nowMs) return toTimestamp(nowMs + checkDelayMs(attempt))
  log.warn({ merchantId, shipmentId, attempt: number }, 'A carrier did not respond to polls of a cancelled order.')
  return null
}
