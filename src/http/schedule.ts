import { scheduleRider } from '../logistics/schedule/schedule-rider.ts'
import { fingerprintOf } from './idempotency.ts'
import { implement } from './implement.ts'

export const schedulePredictively = implement('schedulePredictively', async ({ call, body, refuse }) => {
  const outcome = await scheduleRider(call, body, fingerprintOf(call.rawBody).toString('hex'))
  switch (outcome.is) {
    case 'schedule':
      return { status: outcome.how === 'made' ? 201 : 200, reply: outcome.schedule }
    case 'reference_conflict': {
      const { shipmentId } = outcome
      return refuse('reference_conflict', `Another request made ${shipmentId} with ${body.reference}.`, { shipmentId })
    }
    case 'order_already_dispatched': {
      const { shipmentId } = outcome
      return refuse('order_already_dispatched', `${shipmentId} is under way with the order.`, { shipmentId })
    }
    case 'contact_incomplete': {
      const missing = [...outcome.missing]
      return refuse('contact_incomplete', `Say ${missing.join(', ')}: the rider has to find somebody.`, { missing })
    }
    case 'customer_anonymised':
      return refuse('customer_anonymised', 'The customer of the order was anonymised.')
    case 'order_unknown':
      return refuse('order_not_found', `No order ${body.orderId}.`)
    case 'order_says_too_little': {
      const missing = [...outcome.missing]
      return refuse('order_not_shippable', `Say ${missing.join(' and ')}: the order does not.`, { missing })
    }
    case 'outside_coverage': {
      const { place } = outcome
      return refuse('outside_coverage', `No carrier reaches the ${place}.`, { place })
    }
    case 'time_in_past': {
      const { field } = outcome
      return refuse('time_in_past', `${field} has passed, or is more than 30 days ahead.`, { field })
    }
  }
})
