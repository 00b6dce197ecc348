import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Order } from '../../../registry/orders/order.ts'
import type { OrderInput } from '../../../registry/orders/orders.ts'
import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundInput } from '../../../registry/refunds/refunds.ts'
import type { Return } from '../../../registry/returns/return.ts'
import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { Kobo, OrderId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findOrder } from '../../store/orders/orders.ts'
import { listRefundableItems } from '../../store/refunds/refundable-items.ts'
import { touchReturn } from '../../store/returns/return-writes.ts'
import { lockReturn } from '../../store/returns/returns.ts'
import { noKobo, toKobo } from '../money.ts'
import { type CreateOrderOutcome, createOrder } from '../orders/create-order.ts'
import { withReceipt } from '../orders/receipt.ts'
import { recordCredit } from '../orders/record-payment.ts'
import { type CreateRefundOutcome, createRefund, creditRefund } from '../refunds/create-refund.ts'
import { checkItems } from '../refunds/refund-items.ts'
import { returnedUnitsOf } from '../refunds/returned-units.ts'
import { resolveUnsettled } from '../refunds/unsettled-return.ts'

/**
 * Exchanges of returns. The price of the returned units moves from the original order to a new order: a refund of the
 * original order is recorded as a payment of the new order. If the returned units cost more than the new order, the
 * difference is refunded to the customer.
 */

export type ExchangeReturnOutcome = CreateOrderOutcome | { readonly is: 'return_unknown' } | NotExchangeable

export interface NotExchangeable {
  readonly is: 'not_exchangeable'
  readonly reason:
    | 'status'
    | 'exchanged'
    | 'refunded'
    | 'not_received'
    | 'order_not_paid'
    | 'payment_disputed'
    | 'customer'
    | 'amount'
  readonly status: ReturnStatus
  readonly existingId: OrderId | null
}

type ExchangeWork = Work<
  | 'order.created'
  | 'inventory.low_stock'
  | 'order.refunded'
  | 'payment.recorded'
  | 'shipment.exception_raised'
  | OrderMoveEvents
>

/**
 * The statuses in which a return can be exchanged. They include statuses before the receipt, because some shops send
 * the replacement before the units come back.
 */
const exchangeable: readonly ReturnStatus[] = ['approved', 'in_transit', 'received']

/**
 * Creates an order that replaces the units of a return, with the price of these units as its payment. Locks the
 * returned order first, so that only one of several concurrent exchanges of the return creates an order.
 */
export async function exchangeReturn(
  work: ExchangeWork,
  request: OrderInput,
  returnId: ReturnId,
): Promise<ExchangeReturnOutcome> {
  const { trx, merchantId, now } = work
  const found = await lockReturn(trx, merchantId, returnId)
  if (found === undefined) return { is: 'return_unknown' }
  if (found.exchangeOrderId !== null) return refusal(found, 'exchanged')
  if (!exchangeable.includes(found.status)) return refusal(found, 'status')
  if (isRefunded(found)) return refusal(found, 'refunded')
  const priced = await priceOf(work, found)
  if (priced === undefined) return refusal(found, 'not_received')
  const created = await createOrder(work, request)
  if (created.is !== 'created') return created
  const { order } = created
  if (!(await isOfSameCustomer(work, found, order))) return refusal(found, 'customer')
  const reason = await moveMoney(work, found, { ...priced, order })
  if (reason !== undefined) return refusal(found, reason)
  // The version of the return is incremented here, because an exchange of units that cost nothing creates no refund. In
  // any other exchange, the refund increments the version.
  touchReturn(trx, { merchantId, id: returnId, now })
  resolveUnsettled(work, returnId)
  work.note({ exchangeOfReturnId: [null, returnId] })
  const paid = await findOrder(trx, merchantId, order.id)
  if (paid === undefined) throw new Error(`Order ${order.id} was created but not found.`)
  return { is: 'created', order: await withReceipt(work, paid) }
}

/**
 * Whether the new order belongs to the customer who returns the units. An exchange for another customer is rejected,
 * because the money of one customer would pay for the order of another. If the replacement is for another person, such
 * as a gift, the new order can have the shipping address of that person.
 */
async function isOfSameCustomer({ trx, merchantId }: Work, { orderId }: Return, { customer }: Order): Promise<boolean> {
  const returned = (await findOrder(trx, merchantId, orderId))?.customer
  // If a customer record was deleted and the person orders again, the new order has another customer record with the
  // same e-mail address.
  return returned?.id === null ? returned.email === customer.email : returned?.id === customer.id
}

function refusal(found: Return, reason: NotExchangeable['reason']): NotExchangeable {
  return { is: 'not_exchangeable', reason, status: found.status, existingId: found.exchangeOrderId }
}

/** Whether the return counts as refunded: all its units are refunded, or it has only refunds that name no units. */
function isRefunded({ items, refundedKobo }: Return): boolean {
  const isInFull = items.every(({ quantity, refundedQuantity }) => refundedQuantity >= quantity)
  return isInFull || (refundedKobo > 0 && items.every(({ refundedQuantity }) => refundedQuantity === 0))
}

/** The units of a return that are not part of a refund yet, and the amount that was charged for them. */
interface PricedUnits {
  readonly items: Refund['items']
  readonly valueKobo: Kobo
}

/**
 * Returns the units of a return and their price. The price can be credited to the order of an exchange. Undefined if
 * some of the units can be refunded only after they have come back.
 */
async function priceOf({ trx, merchantId }: Work, found: Return): Promise<PricedUnits | undefined> {
  const lines = await listRefundableItems(trx, merchantId, found.orderId)
  const units = returnedUnitsOf(found, lines)
  const isBlocked = found.items.some((item) => item.refundedQuantity < item.quantity && units.get(item.itemId) === 0)
  if (isBlocked && found.status !== 'received') return undefined
  const checked = checkItems({}, lines, units)
  switch (checked.is) {
    case 'fine':
      return { items: checked.items, valueKobo: checked.amountKobo }
    case 'above_price':
      return { items: [], valueKobo: noKobo }
    case 'too_many':
      return undefined
    case 'items_unknown':
      throw new Error(`Return ${found.id} has an item of another order.`)
  }
}

/**
 * Credits the price of the returned units to the new order, and refunds the rest. If a refund is rejected, returns the
 * reason.
 */
async function moveMoney(
  work: ExchangeWork,
  { id: returnId, orderId }: Return,
  { order, items, valueKobo }: PricedUnits & { readonly order: Order },
): Promise<NotExchangeable['reason'] | undefined> {
  const creditKobo = toKobo(Math.min(valueKobo, order.totalKobo))
  const restKobo = toKobo(valueKobo - creditKobo)
  const units = { items: items.map(({ itemId, quantity }) => ({ itemId, quantity })) }
  const request = { orderId, returnId, reason: 'exchange' } satisfies RefundInput
  const credit = (part: RefundInput) => creditPart(work, part, order.id)
  const pay = (part: RefundInput) => createRefund(work, part)
  const rejected = await refundInParts({ ...request, ...units, amountKobo: creditKobo }, credit)
  if (rejected !== undefined) return reasonOf(rejected)
  // Each unit may be in one refund only. If there is a credit, the refund that becomes the credit lists the units, and
  // the refund of the difference has only an amount. Otherwise, the refund of the difference lists the units.
  const rest = { ...request, ...(creditKobo === 0 ? units : {}), amountKobo: restKobo }
  const unpaid = await refundInParts(rest, pay)
  return unpaid && reasonOf(unpaid)
}

/**
 * Refunds a part of the price of the returned units without paying it to the customer, and records this part as a
 * payment of the new order.
 */
async function creditPart(work: ExchangeWork, part: RefundInput, orderId: OrderId): Promise<CreateRefundOutcome> {
  const credited = await creditRefund(work, part, orderId)
  if (credited.is !== 'refunded') return credited
  await recordCredit(work, orderId, { refundId: credited.refund.id, amountKobo: toKobo(credited.refund.amountKobo) })
  return credited
}

/**
 * Maximum number of partial refunds of one amount; one further refund may cover the rest. The number is limited,
 * because each of the refunds reads all payments of the order. Few orders were paid with more payments than this.
 */
const partsMax = 10

type Rejected = Exclude<CreateRefundOutcome, { is: 'refunded' }>

/**
 * Refunds an amount with as many refunds as needed, because each refund can be taken from only one payment. The first
 * refund lists the units. If the payments do not suffice, returns the rejection.
 */
async function refundInParts(
  { items, ...request }: RefundInput & { readonly amountKobo: Kobo },
  refund: (part: RefundInput) => Promise<CreateRefundOutcome>,
): Promise<Rejected | undefined> {
  let leftKobo = request.amountKobo
  for (let parts = 0; leftKobo > 0; parts++) {
    const part = { ...request, ...(parts === 0 ? { items } : {}) }
    const whole = await refund({ ...part, amountKobo: leftKobo })
    if (whole.is === 'refunded') return undefined
    if (whole.is !== 'too_much_for_one' || parts === partsMax) return whole
    const { mostKobo } = whole
    const outcome = await refund({ ...part, amountKobo: mostKobo })
    if (outcome.is !== 'refunded') return outcome
    leftKobo = toKobo(leftKobo - mostKobo)
  }
  return undefined
}

function reasonOf(outcome: Rejected): NotExchangeable['reason'] {
  switch (outcome.is) {
    case 'order_not_paid':
      return 'order_not_paid'
    case 'disputed':
      return 'payment_disputed'
    case 'order_fully_refunded':
    case 'too_much':
    case 'too_much_for_one':
      return 'amount'
    case 'order_unknown':
    case 'changed':
    case 'return_unknown':
    case 'return_rejected':
    case 'items_unknown':
    case 'too_many':
    case 'above_price':
    case 'items_carried':
      throw new Error(`The refund of units of a locked return was rejected: ${outcome.is}.`)
  }
}
