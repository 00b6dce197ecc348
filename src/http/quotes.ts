import { quoteShipment } from '../logistics/quote/quote-shipment.ts'
import { implement } from './implement.ts'

export const createQuote = implement('createQuote', async ({ call, body, refuse }) => {
  const outcome = await quoteShipment(call, body)
  switch (outcome.is) {
    case 'quoted':
      return { status: 200, reply: outcome.quote }
    case 'customer_anonymised':
      return refuse('customer_anonymised', 'The customer of the order was anonymised.')
    case 'order_unknown':
      return refuse('order_not_found', `No order ${body.orderId}.`)
    case 'order_says_too_little': {
      const { missing } = outcome
      return refuse('order_not_shippable', `Say ${missing.join(' and ')}: the order does not.`, {
        missing: [...missing],
      })
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
