import { normaliseInstant } from '../base/clock.ts'
import { createOrder as createOrderVerb } from '../commerce/orders/create-order.ts'
import type { ContentBlock } from '../commerce/orders/edit-content.ts'
import { updateOrder as updateOrderVerb } from '../commerce/orders/update-order.ts'
import { listOrders as listOrderRows } from '../store/orders/order-list.ts'
import { findOrder } from '../store/orders/orders.ts'
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
      const { status } = outcome
      return refuse('order_not_editable', `The order is ${status}, so its customer and address cannot change.`, {
        status,
      })
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
}

export const createOrder = implement('createOrder', async ({ work, caller, body, refuse }) => {
  authorizePrices(caller, body)
  const outcome = await createOrderVerb(work, body)
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
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('external_reference_in_use', `Order ${existingId} already has this reference.`, { existingId })
    }
  }
})
