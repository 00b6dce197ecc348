import { testCarrierCodes } from '../../registry/service/test-carriers.ts'
import { quoteFaultOf } from '../../registry/service/test-phones.ts'
import { answer, type QuoteBody, type Reply, refusal } from './contract.ts'
import { isOutOfArea, offerOf, servicesFor } from './offers.ts'
import type { SimulatedRequest } from './simulation.ts'

/**
 * Returns the response of a simulated carrier to a quote request: offers, or the fault that the recipient's phone
 * number selects.
 */
export function quote({ company, simulation, nowMs }: SimulatedRequest, body: QuoteBody): Reply {
  const fault = quoteFaultOf(body.dropoff.phone, testCarrierCodes.indexOf(company))
  switch (fault) {
    case 'timeout':
      return { is: 'hang' }
    case 'server_error':
      return refusal('server_error', 'Internal error.')
    case 'out_of_area':
      return outOfArea
    case 'no_offers':
      return answer(200, { offers: [] })
    case 'none':
      break
  }
  if (isOutOfArea(company, body)) return outOfArea
  const services = servicesFor(company, body).filter(({ level }) => body.serviceLevels.includes(level))
  const context = { company, seed: simulation.seed, stepMs: simulation.stepMs }
  return answer(200, { offers: services.map((service) => offerOf(context, body, { service, atMs: nowMs })) })
}

const outOfArea = refusal('out_of_area', 'The route is outside our service area.')
