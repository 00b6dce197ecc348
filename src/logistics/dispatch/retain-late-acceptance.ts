import { isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { nairaText } from '../../base/naira.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import type { CarrierOrder } from '../../partners/carriers/carrier.ts'
import { findShipment, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import { findOrderStatus } from '../../store/orders/order-shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { capabilitiesOf } from '../carriers/capabilities.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { factsOf, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { isMonitored } from './monitored-attempt.ts'
import { unpaidCode } from './unpaid-order.ts'

/**
 * A carrier may accept a shipment after the shipment was cancelled. The carrier's order is then the only one, so it is
 * no duplicate. It is cancelled under the same rule as any other order: only if the fee is not above the accepted fee.
 */

type Amounts = StoredException['amounts'] & object

/**
 * Compares the fee that the carrier would charge for cancelling a late acceptance with the fee that the merchant
 * accepted. Returns both fees if the carrier's fee is higher. Otherwise, or if the shipment was not cancelled, returns
 * undefined.
 */
export async function excessFeeOf(
  { context, tenant, id }: ShipmentCommand,
  late: StoredAttempt,
  { status = 'awaiting_courier' }: CarrierOrder,
): Promise<Amounts | undefined> {
  const capabilities = capabilitiesOf(late.carrier, context.carriers)
  const chargedKobo = isUnfetched(status) ? toKobo(capabilities?.cancellationFeesKobo?.[status] ?? 0) : noKobo
  // The cancellation of an unpaid order is free, and most carriers charge no cancellation fee at all. The fee that the
  // merchant accepted is then not needed, so the shipment is not read.
  if (chargedKobo === 0 || late.outcomeCode === unpaidCode) return undefined
  const whole = await findShipment(context.database, { merchantId: tenant.merchantId, id })
  if (whole === undefined || !(await isCancelled(context.database, whole.shipment))) return undefined
  const allowedKobo = whole.shipment.cancelMaxFeeKobo ?? noKobo
  return chargedKobo <= allowedKobo ? undefined : { allowedKobo, chargedKobo }
}

/**
 * Reports whether the merchant no longer wants the delivery: the shipment was cancelled, or the shipment failed and its
 * order was cancelled.
 */
async function isCancelled(
  database: Parameters<typeof findOrderStatus>[0],
  { merchantId, orderId, status }: StoredShipment,
): Promise<boolean> {
  if (status !== 'failed' || orderId === null) return status === 'cancelled'
  return (await findOrderStatus(database, { merchantId, orderId })) === 'cancelled'
}

/**
 * Leaves the carrier's late-accepted order of a cancelled shipment in place, because cancelling this order costs more
 * than the accepted fee. Adds an exception.
 */
export async function retainLateAcceptance(command: ShipmentCommand, number: number, amounts: Amounts): Promise<void> {
  await changeShipment(command, 'shipment.reconcile_late_acceptance', (work, { shipment, attempts }) => {
    const late = attempts.find((known) => known.number === number)
    if (late === undefined || !isMonitored(late)) return undefined
    const { carrier } = late
    writeAttempt(work.trx, {
      ...late,
      resolvedAt: work.now,
      nextCheckAt: null,
      outcomeCode: 'late_acceptance',
      outcomeMessage: `The carrier accepted the shipment late. Cancelling the order would cost ${nairaText(amounts.chargedKobo)}.`,
      duplicateCostKobo: late.priceKobo,
    })
    const exception = {
      code: 'cancellation_fee_above_accepted',
      cause: 'order_kept',
      carrier,
      attemptNumber: number,
      facts: factsOf(late),
      amounts,
      at: work.now,
    } as const
    work.note({
      attempt: [
        { number, outcomeCode: late.outcomeCode },
        { number, outcomeCode: 'late_acceptance' },
      ],
    })
    return moveShipment(
      work,
      shipment,
      {
        status: null,
        source: 'service',
        description: messageOf(exception),
        attemptNumber: number,
      },
      { exceptions: withException(shipment.exceptions, exception) },
    )
  })
}
