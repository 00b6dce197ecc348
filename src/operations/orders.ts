import type { OrderInput } from '../../registry/orders/orders.ts'
import { normaliseInstant } from '../base/clock.ts'
import { createOrder as createOrderVerb } from '../commerce/orders/create-order.ts'
import type { ContentBlock } from '../commerce/orders/edit-content.ts'
import { updateOrder as updateOrderVerb } from '../commerce/orders/update-order.ts'
import { exchangeReturn, type NotExchangeable } from '../commerce/returns/exchange-return.ts'
import { listOrders as listOrderRows } from '../store/orders/order-list.ts'
import { findOrder } from '../store/orders/orders.ts'
import { authorize, type Caller } from './execute/caller.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'
import { authorizePrices, refuseContent, refuseLines, refusePricing } from './order-pricing.ts'

export const listOrders = implement('listOrders', async ({ db, caller, filters, page }) => {
  const updatedFrom = filters.updatedFrom === undefined ? undefined : normaliseInstant(filters.updatedFrom)
  return listOrderRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters), updatedFrom }, page)
})

export const getOrder = implement('getOrder', async ({ db, caller, params, refuse }) => {
  const order = await findOrder(db, caller.merchantId, params.id)
  return order ?? refuse('order_not_found', `No order has the id ${params.id}.`)
})

export const updateOrder = implement('updateOrder', async ({ work, caller, params, body, refuse }) => {
  authorizePrices(caller, body)
  const outcome = await updateOrderVerb(work, params.id, body)
  switch (outcome.is) {
    case 'updated':
      return outcome.order
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${params.id}.`)
    case 'not_editable': {
      const { status, reason } = outcome
      const message =
        reason === 'in_shipment'
          ? 'A shipment of the order is in progress and goes to another address or recipient.'
          : `The order is ${status}, so its customer and address cannot change.`
      return refuse('order_not_editable', message, { status, reason })
    }
    case 'content_not_editable': {
      const { status, reason } = outcome
      return refuse('order_content_not_editable', `${contentBlocks[reason]} The order is ${status}.`, {
        status,
        reason,
      })
    }
    case 'variants_unknown':
    case 'not_available':
    case 'too_large':
      return refuseLines(refuse, outcome)
    case 'short':
    case 'code_rejected':
    case 'total_differs':
      return refuseContent(refuse, outcome)
  }
})

const contentBlocks: Readonly<Record<ContentBlock, string>> = {
  ended: 'The order has ended.',
  handed_over: 'Units of the order were handed over.',
  in_shipment: 'A shipment contains units of the order.',
  refunded: 'The order has a refund.',
  item_in_use: 'A failed or cancelled refund, or a return, names an item that the edit removes.',
}

export const createOrder = implement('createOrder', async ({ work, caller, body, refuse }) => {
  authorizePrices(caller, body)
  const outcome = await create(work, caller, body)
  switch (outcome.is) {
    case 'created':
      return outcome.order
    case 'customer_unknown':
    case 'customer_anonymised':
    case 'variants_unknown':
    case 'not_available':
    case 'too_large':
      return refusePricing(refuse, body, outcome)
    case 'short':
    case 'code_rejected':
    case 'total_differs':
      return refuseContent(refuse, outcome)
    case 'return_unknown':
      return refuse('return_not_found', `No return has the id ${body.exchangeOfReturnId}.`)
    case 'not_exchangeable': {
      const { reason, status, existingId } = outcome
      const message = `Return ${body.exchangeOfReturnId} cannot be exchanged: ${notExchangeable[reason]}.`
      return refuse('return_not_exchangeable', message, { reason, status, existingId })
    }
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('external_reference_in_use', `Order ${existingId} already has this reference.`, { existingId })
    }
  }
})

/**
 * An order that is an exchange also refunds returned units of an earlier order, so its creation requires the scope
 * refunds:write.
 */
function create(work: Parameters<typeof exchangeReturn>[0], caller: Caller, body: OrderInput) {
  if (body.exchangeOfReturnId === undefined) return createOrderVerb(work, body)
  authorize(caller, 'refunds:write')
  return exchangeReturn(work, body, body.exchangeOfReturnId)
}

const notExchangeable = {
  status: 'its status does not allow it',
  exchanged: 'another order already replaces its units',
  refunded: 'its units are already refunded',
  not_received: 'other units of its items were not sent, so the return must be received first',
  order_not_paid: 'its order has no payment',
  payment_disputed: 'the payment of its order is disputed',
  customer: 'the new order is of another customer',
  amount: 'the refundable amount of its order is too low',
} as const satisfies Record<NotExchangeable['reason'], string>
