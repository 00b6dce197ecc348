import { normaliseInstant } from '../base/clock.ts'
import { createOrder as createOrderVerb } from '../commerce/orders/create-order.ts'
import { updateOrder as updateOrderVerb } from '../commerce/orders/update-order.ts'
import { listOrders as listOrderRows } from '../store/orders/order-list.ts'
import { findOrder } from '../store/orders/orders.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'
import { authorizePrices, refusePricing } from './order-pricing.ts'

export const listOrders = implement('listOrders', async ({ db, caller, filters, page }) => {
  const updatedFrom = filters.updatedFrom === undefined ? undefined : normaliseInstant(filters.updatedFrom)
  return listOrderRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters), updatedFrom }, page)
})

export const getOrder = implement('getOrder', async ({ db, caller, params, refuse }) => {
  const order = await findOrder(db, caller.merchantId, params.id)
  return order ?? refuse('order_not_found', `No order has the id ${params.id}.`)
})

export const updateOrder = implement('updateOrder', async ({ work, params, body, refuse }) => {
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
  }
})

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
    case 'short': {
      const message = outcome.items.map((item) => `${item.available} units of ${item.sku} are available.`).join(' ')
      return refuse('insufficient_stock', message, { items: [...outcome.items] })
    }
    case 'code_rejected': {
      const { code, reason } = outcome.rejected
      return refuse('discount_not_applicable', `The code ${code} is not applicable: ${reason}.`, { code, reason })
    }
    case 'total_differs': {
      const { expectedKobo, actualKobo } = outcome
      return refuse('total_mismatch', `The total is ${actualKobo} kobo instead of ${expectedKobo} kobo.`, {
        expectedKobo,
        actualKobo,
      })
    }
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('external_reference_in_use', `Order ${existingId} already has this reference.`, { existingId })
    }
  }
})
