import { quoteShipment } from '../logistics/quotes/quote-shipment.ts'
import { refuseWanted } from './parcel-refusals.ts'
import { implement } from './pipeline/implement.ts'

export const createQuote = implement('createQuote', async ({ call, body, refuse }) => {
  const outcome = await quoteShipment(call, body)
  return outcome.is === 'quoted' ? { status: 200, reply: outcome.quote } : refuseWanted(refuse, body, outcome)
})
