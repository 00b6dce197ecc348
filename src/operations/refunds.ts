import { counted } from '../base/counted.ts'
import { nairaText } from '../base/naira.ts'
import { cancelRefund as cancelRefundVerb } from '../commerce/refunds/cancel-refund.ts'
import { createRefund as createRefundVerb } from '../commerce/refunds/create-refund.ts'
import { setBankDetails } from '../commerce/refunds/set-bank-details.ts'
import { findRefund, listRefunds as listRefundRows } from '../store/refunds/refunds.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'
import { refuseCarriedItems, refuseUnknownItems } from './item-refusals.ts'

export const listRefunds = implement('listRefunds', async ({ db, caller, filters, page }) => {
  return listRefundRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters) }, page)
})

export const getRefund = implement('getRefund', async ({ db, caller, params, refuse }) => {
  const refund = await findRefund(db, caller.merchantId, params.id)
  return refund ?? refuse('refund_not_found', `No refund has the id ${params.id}.`)
})

export const createRefund = implement('createRefund', async ({ work, body, refuse }) => {
  const outcome = await createRefundVerb(work, body)
  switch (outcome.is) {
    case 'refunded':
      return outcome.refund
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${body.orderId}.`)
    case 'return_unknown':
      return refuse('return_not_found', `Order ${body.orderId} has no return ${body.returnId}.`)
    case 'return_rejected':
      return refuse('return_not_refundable', `Return ${body.returnId} was rejected.`, { status: 'rejected' })
    case 'order_not_paid':
      return refuse('order_not_paid', `Order ${body.orderId} has no payment.`)
    case 'order_fully_refunded': {
      const message = `The whole paid amount of order ${body.orderId} is refunded, or is part of pending refunds.`
      return refuse('order_fully_refunded', message)
    }
    case 'changed': {
      const { refundableKobo } = outcome
      const message = `The refundable amount of the order is now ${nairaText(refundableKobo)}. Check whether the order was already refunded.`
      return refuse('refundable_changed', message, { refundableKobo })
    }
    case 'too_much': {
      const { refundableKobo } = outcome
      const message = `At most ${nairaText(refundableKobo)} can be refunded.`
      return refuse('refund_exceeds_refundable', message, { refundableKobo })
    }
    case 'too_much_for_one': {
      const { mostKobo } = outcome
      const message = `A refund returns part of one payment. The largest refundable amount of one payment is ${nairaText(mostKobo)}.`
      return refuse('refund_exceeds_refundable', message, { refundableKobo: mostKobo })
    }
    case 'disputed':
      return refuse('payment_disputed', `The payment of order ${body.orderId} is disputed.`)
    case 'items_unknown':
      return refuseUnknownItems(refuse, outcome)
    case 'too_many': {
      const items = [...outcome.items]
      const left = items.map((item) => `${counted(item.refundableQuantity, 'unit')} of ${item.itemId} can be refunded.`)
      return refuse('refund_quantity_exceeds', left.join(' '), { items })
    }
    case 'above_price': {
      const { mostKobo } = outcome
      const message = `At most ${nairaText(mostKobo)} can be refunded for these units. Refund the shipping price in a refund without items.`
      return refuse('refund_exceeds_refundable', message, { refundableKobo: mostKobo })
    }
    case 'items_carried':
      return refuseCarriedItems(refuse, outcome)
  }
})

export const setRefundBankDetails = implement('setRefundBankDetails', async ({ work, params, body, refuse }) => {
  const outcome = await setBankDetails(work, params.id, body)
  switch (outcome.is) {
    case 'taken':
      return outcome.refund
    case 'refund_unknown':
      return refuse('refund_not_found', `No refund has the id ${params.id}.`)
    case 'not_awaited': {
      const { status } = outcome
      return refuse('refund_not_awaiting_details', `Refund ${params.id} is ${status} and does not need bank details.`, {
        status,
      })
    }
    case 'lost': {
      const message = `A lost dispute left too little of the payment for refund ${params.id}. Cancel the refund at the payment provider.`
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
      return refuse('refund_not_found', `No refund has the id ${params.id}.`)
    case 'not_cancellable': {
      const { status } = outcome
      return refuse('refund_not_cancellable', `Refund ${params.id} is ${status} and can no longer be cancelled.`, {
        status,
      })
    }
  }
})
