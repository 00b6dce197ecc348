import { cancelOrder as cancelOrderVerb } from '../commerce/orders/cancel-order.ts'
import { transitionOrder as transitionOrderVerb } from '../commerce/orders/transition-order.ts'
import { implement } from './execute/implement.ts'
import { refuseCarriedItems, refuseUnknownItems } from './item-refusals.ts'

export const transitionOrder = implement('transitionOrder', async ({ work, params, body, refuse }) => {
  const outcome = await transitionOrderVerb(work, params.id, body)
  switch (outcome.is) {
    case 'order':
      return outcome.order
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${params.id}.`)
    case 'items_unknown':
      return refuseUnknownItems(refuse, outcome)
    case 'items_carried':
      return refuseCarriedItems(refuse, outcome)
    case 'not_allowed': {
      const { from, allowed } = outcome
      const message = `The order is ${from}. Allowed statuses: ${allowed.join(', ') || 'none'}.`
      return refuse('invalid_transition', message, { from, to: body.to, allowed: [...allowed] })
    }
    case 'short': {
      const message = outcome.items.map((item) => `The quantity of ${item.sku} on hand is ${item.available}.`).join(' ')
      return refuse('insufficient_stock', message, { items: [...outcome.items] })
    }
  }
})

export const cancelOrder = implement('cancelOrder', async ({ work, params, body, refuse }) => {
  const outcome = await cancelOrderVerb(work, params.id, body)
  switch (outcome.is) {
    case 'order':
      return outcome.order
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${params.id}.`)
    case 'not_cancellable': {
      const { status } = outcome
      return refuse('order_not_cancellable', `The order is ${status} and cannot be cancelled.`, { status })
    }
  }
})
