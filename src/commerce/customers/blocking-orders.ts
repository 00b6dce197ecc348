import type { OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { type CustomerOrder, listOrdersOf, type Person } from '../../store/customers/redact-customer.ts'
import { listOrdersWithActiveShipments } from '../../store/logistics/shipments/redact-shipments.ts'

/** The open orders of a customer, which prevent the anonymisation of this customer. */
export interface BlockingOrders {
  /** The ids of the first open orders, at most as many as the error message lists. */
  readonly orderIds: readonly OrderId[]
  readonly count: number
}

/** Maximum number of order ids in the error message of a rejected anonymisation. */
const reportedOrdersMax = 20

/**
 * Returns the orders that prevent the anonymisation of a customer now. The orders are not locked, so the anonymisation
 * itself checks them again.
 */
export async function findBlockingOrders(db: ReadDb, person: Person): Promise<BlockingOrders> {
  const [orders, inShipment] = await Promise.all([listOrdersOf(db, person), listOrdersWithActiveShipments(db, person)])
  return blockingOf(orders, inShipment)
}

export function blockingText(count: number): string {
  const orders = count === 1 ? '1 order that is' : `${count} orders that are`
  return `The customer has ${orders} open, or whose refund or shipment is in progress.`
}

export function blockingOf(orders: readonly CustomerOrder[], inShipment: readonly OrderId[]): BlockingOrders {
  const open = orders.filter((order) => isUnderWay(order) || inShipment.includes(order.id)).map((order) => order.id)
  return { orderIds: open.slice(0, reportedOrdersMax), count: open.length }
}

/** Reports whether the order still needs the customer's data, for delivery, a return or a refund. */
function isUnderWay({ status, refundPendingKobo }: CustomerOrder): boolean {
  const isOver = status === 'delivered' || status === 'returned' || status === 'cancelled'
  return !isOver || refundPendingKobo > 0
}
