import { quoteShipment } from '../logistics/quotes/quote-shipment.ts'
import { implement } from './execute/implement.ts'
import { refuseShipment } from './shipment-refusals.ts'

export const createQuote = implement('createQuote', async ({ call, body, refuse }) => {
  const outcome = await quoteShipment(call, body)
  return outcome.is === 'quoted' ? { status: 200, reply: outcome.quote } : refuseShipment(refuse, body, outcome)
})
