import { nextStepOf } from '../../registry/returns/return-states.ts'
import { counted } from '../base/counted.ts'
import { createReturn as createReturnVerb, type ReturnableUnits } from '../commerce/returns/create-return.ts'
import { receiveReturn as receiveReturnVerb } from '../commerce/returns/receive-return.ts'
import { type NotAllowed, transitionReturn as transitionReturnVerb } from '../commerce/returns/transition-return.ts'
import { findReturn, listReturns as listReturnRows } from '../store/returns/returns.ts'
import { implement } from './execute/implement.ts'
import type { Refuse } from './execute/refusal.ts'
import { timeRangeOf } from './execute/time-range.ts'
import { refuseCarriedItems, refuseUnknownItems } from './item-refusals.ts'

export const listReturns = implement('listReturns', async ({ db, caller, filters, page }) => {
  return listReturnRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters) }, page)
})

export const getReturn = implement('getReturn', async ({ db, caller, params, refuse }) => {
  const found = await findReturn(db, caller.merchantId, params.id)
  return found ?? refuse('return_not_found', `No return has the id ${params.id}.`)
})

export const createReturn = implement('createReturn', async ({ work, params, body, refuse }) => {
  const outcome = await createReturnVerb(work, params.id, body)
  switch (outcome.is) {
    case 'created':
      return outcome.return
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${params.id}.`)
    case 'customer_anonymised':
      return refuse('customer_anonymised', `The customer of order ${params.id} is anonymised.`)
    case 'items_unknown':
      return refuseUnknownItems(refuse, outcome)
    case 'too_many':
      return refuseTooMany(refuse, outcome)
  }
})

export const transitionReturn = implement('transitionReturn', async ({ work, params, body, refuse }) => {
  const outcome = await transitionReturnVerb(work, params.id, body)
  switch (outcome.is) {
    case 'return':
      return outcome.return
    case 'return_unknown':
      return refuse('return_not_found', `No return has the id ${params.id}.`)
    case 'not_allowed':
      return refuseTransition(refuse, outcome, body.to)
  }
})

export const receiveReturn = implement('receiveReturn', async ({ work, params, body, refuse }) => {
  const outcome = await receiveReturnVerb(work, params.id, body)
  switch (outcome.is) {
    case 'received':
      return outcome.return
    case 'return_unknown':
      return refuse('return_not_found', `No return has the id ${params.id}.`)
    case 'not_allowed':
      return refuseTransition(refuse, outcome, 'received')
    case 'items_unknown':
      return refuseUnknownItems(refuse, outcome)
    case 'too_many':
      return refuseTooMany(refuse, outcome)
    case 'items_carried':
      return refuseCarriedItems(refuse, outcome)
  }
})

function refuseTooMany(
  refuse: Refuse<'return_quantity_exceeds'>,
  outcome: { readonly items: readonly ReturnableUnits[] },
): never {
  const items = [...outcome.items]
  const message = items
    .map(({ itemId, returnableQuantity }) => `${counted(returnableQuantity, 'unit')} of ${itemId} can be returned.`)
    .join(' ')
  return refuse('return_quantity_exceeds', message, { items })
}

function refuseTransition(
  refuse: Refuse<'invalid_transition'>,
  { from, allowed, shipment }: NotAllowed,
  to: string,
): never {
  const cause =
    shipment === undefined
      ? ''
      : ` Its shipment ${shipment.id} is ${shipment.status} and decides the status. ${nextStepOf(shipment)}`
  const message = `The return is ${from}.${cause} Allowed statuses: ${allowed.join(', ') || 'none'}.`
  return refuse('invalid_transition', message, { from, to, allowed: [...allowed] })
}
