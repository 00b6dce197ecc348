import { cancelRefund as cancelRefundVerb } from '../commerce/refunds/cancel-refund.ts'
import { createRefund as createRefundVerb } from '../commerce/refunds/create-refund.ts'
import { setBankDetails } from '../commerce/refunds/set-bank-details.ts'
import { findRefund, listRefunds as listRefundRows } from '../store/refunds/refunds.ts'
import { implement } from './pipeline/implement.ts'
import { timeRangeOf } from './pipeline/time-range.ts'

export const listRefunds = implement('listRefunds', async ({ db, caller, filters, page }) => {
  return listRefundRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters) }, page)
})

export const getRefund = implement('getRefund', async ({ db, caller, params, refuse }) => {
  const refund = await findRefund(db, caller.merchantId, params.id)
  return refund ?? refuse('refund_not_found', `No refund ${params.id}.`)
})

export const createRefund = implement('createRefund', async ({ work, body, refuse }) => {
  const outcome = await createRefundVerb(work, body)
  switch (outcome.is) {
    case 'refunded':
      return outcome.refund
    case 'order_unknown':
      return refuse('order_not_found', `No order ${body.orderId}.`)
    case 'order_not_paid':
      return refuse('order_not_paid', `Nothing was paid for order ${body.orderId}.`)
    case 'order_fully_refunded':
      return refuse('order_fully_refunded', `Nothing is left to refund of order ${body.orderId}.`)
    case 'too_much': {
      const { refundableKobo } = outcome
      return refuse('refund_exceeds_refundable', `${refundableKobo} kobo is left to refund.`, { refundableKobo })
    }
    case 'too_much_for_one': {
      const { mostKobo } = outcome
      const message = `One refund gives back one payment, and ${mostKobo} kobo is the most that is left of one.`
      return refuse('refund_exceeds_refundable', message, { refundableKobo: mostKobo })
    }
    case 'disputed':
      return refuse('payment_disputed', `The payment of order ${body.orderId} is disputed.`)
    case 'items_unknown': {
      const { itemIds } = outcome
      return refuse('item_not_found', `The order has no line ${itemIds.join(', ')}.`, { itemIds: [...itemIds] })
    }
    case 'too_many': {
      const message = outcome.items.map((item) => `${item.refundableQuantity} of ${item.itemId} are left.`).join(' ')
      return refuse('refund_quantity_exceeds', message, { items: [...outcome.items] })
    }
    case 'items_carried': {
      const { items } = outcome
      const message = items.map(({ itemId, available }) => `${available} of ${itemId} can be restocked.`).join(' ')
      return refuse('order_items_unavailable', `An active shipment has the others: ${message}`, { items: [...items] })
    }
  }
})

export const setRefundBankDetails = implement('setRefundBankDetails', async ({ work, params, body, refuse }) => {
  const outcome = await setBankDetails(work, params.id, body)
  switch (outcome.is) {
    case 'taken':
      return outcome.refund
    case 'refund_unknown':
      return refuse('refund_not_found', `No refund ${params.id}.`)
    case 'not_awaited': {
      const { status } = outcome
      return refuse('refund_not_awaiting_details', `Refund ${params.id} is ${status} and waits for no account.`, {
        status,
      })
    }
    case 'lost': {
      const message = `A lost dispute left too little of the payment for refund ${params.id}. End it at the payment provider.`
      return refuse('payment_disputed', message)
    }
  }
})

export const cancelRefund = implement('cancelRefund', async ({ work, params, refuse }) => {
  const outcome = await cancelRefundVerb(work, params.id)
  switch (outcome.is) {
    case 'cancelled':
      return outcome.refund
    case 'refund_unknown':
      return refuse('refund_not_found', `No refund ${params.id}.`)
    case 'not_cancellable': {
      const { status } = outcome
      return refuse('refund_not_cancellable', `Refund ${params.id} is ${status}; it is too late.`, { status })
    }
  }
})
