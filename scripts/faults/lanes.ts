import type { EndpointId } from '../../registry/values/vocabulary.ts'
import type { Random } from '../../src/demo/random.ts'
import type { Database } from '../../src/store/core/database.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import type { Death } from './deaths.ts'
import { expectEqual } from './expect-equal.ts'
import { addEndpoint } from './merchants.ts'
import type { World } from './world.ts'

/**
 * The webhook endpoints of a round. The behaviour of an endpoint's receiver determines the expected state of the
 * endpoint and its deliveries.
 */

/** How a webhook receiver responds: always with success, always with failure, or with success after two failures. */
type Behaviour = 'good' | 'failing' | 'recovering'

export interface Lane {
  readonly endpointId: EndpointId
  readonly path: string
  readonly behaviour: Behaviour
  readonly events: number
}

/**
 * Creates webhook endpoints whose receivers fit the kill point. If the worker is killed while it stores a single
 * result, at least one receiver must fail, because workers store only failures one by one.
 */
export async function openLanes(world: World, tenant: Tenant, random: Random, death: Death): Promise<Lane[]> {
  const sorts: readonly Behaviour[][] =
    death === 'result_not_committed'
      ? [['failing'], ['recovering'], ['failing', 'good'], ['recovering', 'failing']]
      : death === 'success_not_written'
        ? [['good'], ['good', 'recovering'], ['good', 'failing']]
        : [['good'], ['good', 'good'], ['good', 'failing'], ['recovering']]
  const lanes: Lane[] = []
  for (const behaviour of random.pick(sorts)) {
    const path = `/${tenant.merchantId}/${lanes.length}`
    world.receivers.answers.set(path, (response, count) => {
      const isFailing = behaviour === 'failing' || (behaviour === 'recovering' && count <= 2)
      response.writeHead(isFailing ? 500 : 200).end()
    })
    const endpointId = await addEndpoint(world.database, tenant, `${world.receivers.url}${path}`)
    lanes.push({ endpointId, path, behaviour, events: 0 })
  }
  return lanes
}

/**
 * Checks the statuses of the webhook deliveries and the failure count of each endpoint against the behaviour of its
 * receiver.
 */
export async function expectOutcomes(
  { database }: World,
  { merchantId }: Tenant,
  lanes: readonly Lane[],
): Promise<void> {
  for (const { endpointId, behaviour } of lanes) {
    const { rows: deliveries } = await database.pool.query(
      'select status, count(*)::integer as count from webhook_deliveries where merchant_id = $1 and endpoint_id = $2 group by 1',
      [merchantId, endpointId],
    )
    const { rows: endpoints } = await database.pool.query(
      'select status, consecutive_failures from webhook_endpoints where merchant_id = $1 and id = $2',
      [merchantId, endpointId],
    )
    const count = Object.fromEntries(deliveries.map((row) => [row.status, row.count]))
    const all = deliveries.reduce((sum, row) => sum + row.count, 0)
    const expectedCount = await failuresOf(database, { merchantId, endpointId })
    const failing = {
      deliveries: expectedCount === 6 ? { held: all } : { failed: all },
      endpoint: { status: expectedCount === 6 ? 'disabled' : 'enabled', consecutive_failures: expectedCount },
    }
    const well = { deliveries: count, endpoint: { status: 'enabled', consecutive_failures: 0 } }
    const expected = behaviour === 'failing' ? failing : well
    expectEqual(
      { deliveries: count, endpoint: endpoints[0] },
      expected,
      `The ${behaviour} endpoint has an unexpected result.`,
    )
    // The recovering receiver fails its first two requests, so at most two deliveries have failed. The number may be
    // lower, because the killed worker may not have recorded its last failure.
    const failed = behaviour === 'recovering' ? (count.failed ?? 0) : 0
    const isComplete = behaviour === 'failing' || (failed <= 2 && (count.succeeded ?? 0) + failed === all)
    if (!isComplete) throw new Error(`Wrong counts for the ${behaviour} endpoint: ${JSON.stringify(count)}.`)
  }
}

/**
 * Returns the expected number of consecutive failures of an endpoint that never succeeded: the number of its failed
 * attempts, but at most six, because six failures disable the endpoint.
 */
async function failuresOf(database: Database, endpoint: { merchantId: string; endpointId: string }): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select least(6, count(*))::integer as count
     from webhook_attempts attempt
     join webhook_deliveries delivery
       on delivery.merchant_id = attempt.merchant_id and delivery.id = attempt.delivery_id
     where delivery.merchant_id = $1 and delivery.endpoint_id = $2 and attempt.outcome = 'failed'`,
    [endpoint.merchantId, endpoint.endpointId],
  )
  return rows[0]?.count ?? 0
}
