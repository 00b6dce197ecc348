import { quoteShipment } from '../logistics/quotes/quote-shipment.ts'
import { implement } from './execute/implement.ts'
import { refuseCash, refuseShipment } from './shipment-refusals.ts'

export const createQuote = implement('createQuote', async ({ call, body, refuse }) => {
  const outcome = await quoteShipment(call, body)
  if (outcome.is === 'quoted') return { status: 200, reply: outcome.quote }
  return outcome.is === 'cod_exceeds_due' ? refuseCash(refuse, outcome) : refuseShipment(refuse, body, outcome)
})
