import { createRefund as createRefundVerb } from '../commerce/create-refund.ts'
import { findRefund, listRefunds as listRefundRows } from '../store/refunds.ts'
import { implement } from './implement.ts'
import { timeRangeOf } from './time-range.ts'

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
    case 'items_unknown': {
      const { itemIds } = outcome
      return refuse('item_not_found', `The order has no line ${itemIds.join(', ')}.`, { itemIds: [...itemIds] })
    }
    case 'too_many': {
      const message = outcome.items.map((item) => `${item.refundableQuantity} of ${item.itemId} are left.`).join(' ')
      return refuse('refund_quantity_exceeds', message, { items: [...outcome.items] })
    }
  }
})
