import { z } from 'zod'
import { testCarriers } from '../../registry/service/test-carriers.ts'
import { instant } from '../../registry/values/vocabulary.ts'
import { normaliseInstant, toTimestamp } from '../base/clock.ts'
import { findSimulatedOrder, findSimulatedReference, listSimulatedOrders } from '../store/simulator/simulated-orders.ts'
import { answer, type Reply, refusal } from './contract.ts'
import { isVisible } from './create-order.ts'
import { summaryOf, viewOf } from './order-view.ts'
import type { SimulatedRequest } from './simulation.ts'

/** The simulated carriers differ in the lookups that they support. */

export async function readOrder({ company, simulation, nowMs }: SimulatedRequest, number: string): Promise<Reply> {
  const order = await findSimulatedOrder(simulation.database, { company, number })
  if (order === undefined || !isVisible(order, nowMs)) return refusal('not_found', 'No such order.')
  return answer(200, viewOf(order, nowMs))
}

/** Maximum number of simulated orders per page of a list. A hundred summaries are about 30 KB. */
const pageMax = 100

const ListQuery = z.union([
  z.strictObject({ reference: z.string().max(100) }),
  z.strictObject({ since: instant('Start time.'), after: z.string().max(100).default('') }),
])

export async function listOrders(request: SimulatedRequest, query: URLSearchParams): Promise<Reply> {
  const { company, simulation, nowMs } = request
  const { lookup, listLagSeconds } = testCarriers[company]
  const read = ListQuery.safeParse(Object.fromEntries(query))
  if (!read.success) return refusal('invalid_request', 'Filter by `reference`, or by `since` and `after`.')
  if ('reference' in read.data) {
    if (lookup !== 'reference') return refusal('not_offered', 'Lookup by reference is not supported.')
    const order = await findSimulatedReference(simulation.database, { reference: read.data.reference })
    return answer(200, { orders: order === undefined || !isVisible(order, nowMs) ? [] : [viewOf(order, nowMs)] })
  }
  if (lookup !== 'list') return refusal('not_offered', 'Listing orders is not supported.')
  const { since, after } = read.data
  const orders = await listSimulatedOrders(simulation.database, {
    company,
    since: normaliseInstant(since),
    after,
    acceptedBefore: toTimestamp(nowMs - listLagSeconds * 1_000),
    limit: pageMax,
  })
  return answer(200, {
    orders: orders.map((order) => summaryOf(order, nowMs)),
    next: orders.length < pageMax ? null : (orders.at(-1)?.number ?? null),
  })
}
