import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { recordCash } from '../../commerce/orders/record-payment.ts'
import { addCollectedCash } from '../../store/logistics/shipments/carrier-cash.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { withException } from './exceptions.ts'
import { putShipment } from './put-shipment.ts'
import type { ShipmentWork } from './shipment-work.ts'

/**
 * Cash on delivery. A rider hands over the parcel only against the cash, so a carrier owes the whole amount from the
 * delivery on, unless it reports another amount. The cash of a shipment is collected once: repeated and later reports
 * of its delivery change nothing.
 */
export interface DeliveryCash {
  readonly carrier: string
  /** The amount that the carrier reports as collected. Undefined if the carrier reports no amount. */
  readonly amountKobo: Kobo | undefined
  /**
   * The amount that the carrier was requested to collect. Null without cash on delivery. Undefined if it is unknown; it
   * is then the cash on delivery of the shipment.
   */
  readonly requestedKobo?: Kobo | null | undefined
}

/**
 * Returns the shipment with the cash that the rider collected at the delivery, and with an exception if the amount
 * differs from the due amount. Returns the same shipment if it has no cash on delivery, or if its cash was collected
 * before.
 */
export function withCash(
  shipment: StoredShipment,
  { carrier, amountKobo, requestedKobo }: DeliveryCash,
  at: Timestamp,
  now: Timestamp,
): StoredShipment {
  const { codCollectedAt, exceptions } = shipment
  const codAmountKobo = requestedKobo === undefined ? shipment.codAmountKobo : requestedKobo
  if (codAmountKobo === null || codCollectedAt !== null) return shipment
  const codCollectedKobo = amountKobo ?? codAmountKobo
  const facts = { dueKobo: String(codAmountKobo), collectedKobo: String(codCollectedKobo) }
  const mismatch = { code: 'cod_amount_mismatch', carrier, facts, at: now } as const
  return {
    ...shipment,
    codAmountKobo,
    codCollectedKobo,
    codCollectedAt: at,
    exceptions: codCollectedKobo === codAmountKobo ? exceptions : withException(exceptions, mismatch),
  }
}

/**
 * Records the cash that the rider collected, if a change of a shipment reports it. The cash is recorded in the sum of
 * the carrier's collected cash, and as a payment of the order. The caller must write the change of the shipment first,
 * because the payment can change the exceptions of the stored shipment. Returns the shipment, with an exception if the
 * cash could not be recorded as a payment.
 */
export async function recordCollection(
  work: ShipmentWork,
  before: StoredShipment,
  shipment: StoredShipment,
  carrier: string,
): Promise<StoredShipment> {
  const { id, orderId, codCollectedKobo, codCollectedAt } = shipment
  if (before.codCollectedAt !== null || codCollectedKobo === null || codCollectedAt === null) return shipment
  work.note({ codCollectedKobo: [null, codCollectedKobo] })
  if (codCollectedKobo === 0) return shipment
  const cash = { amountKobo: codCollectedKobo, reference: id, paidAt: codCollectedAt }
  const recorded = orderId === null ? 'known' : await recordCash(work, orderId, cash)
  const reported = recorded === 'too_large' ? putShipment(work, withUnrecorded(shipment, carrier, work.now)) : shipment
  // Every delivery of the carrier locks the row of the carrier's cash sums, so this row is locked last, after the
  // order.
  addCollectedCash(work.trx, { merchantId: work.merchantId, carrier, amountKobo: codCollectedKobo })
  return reported
}

/** Returns the shipment with the exception that its collected cash is not recorded as a payment of the order. */
function withUnrecorded(shipment: StoredShipment, carrier: string, at: Timestamp): StoredShipment {
  const facts = { reference: shipment.id, collectedKobo: String(shipment.codCollectedKobo) }
  const exception = { code: 'cod_amount_mismatch', cause: 'not_recorded', carrier, facts, at } as const
  return { ...shipment, exceptions: withException(shipment.exceptions, exception) }
}
