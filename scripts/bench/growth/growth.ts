import type { TemporaryPostgres } from '../../temporary-postgres.ts'
import { postmasterOf } from '../cpu-time.ts'
import { measureClaims } from './claims.ts'
import { measureClaimsAfterCompletion } from './completed.ts'
import { openPlaces, smallOrders } from './places.ts'
import { measureRequests } from './requests.ts'

/**
 * Number of orders in the large database, as in the benchmark `api`: inserting them takes minutes. Ten million orders
 * show more, but take an hour and about 60 GB of disk space.
 */
const ordersOfLarge = 1_000_000

/**
 * Number of deliveries per order in the large database. Half of the deliveries were queued during a sale for an
 * endpoint that was disabled. The other half are completed.
 */
const deliveriesPerOrder = 0.1

export async function benchGrowth(postgres: TemporaryPostgres, orders = ordersOfLarge): Promise<void> {
  if (orders < smallOrders) throw new Error(`--rows must be at least ${smallOrders}, but is ${orders}.`)
  const { small, large } = await openPlaces(postgres, orders)
  try {
    await measureRequests({ small, large }, postmasterOf(postgres.dataDirectory))
  } finally {
    small.server.stop()
    large.server.stop()
  }
  const deliveries = Math.ceil(orders * deliveriesPerOrder)
  await measureClaims({ without: small.roles, with: large.roles, backlog: deliveries })
  await measureClaimsAfterCompletion({ without: small.roles, with: large.roles, completed: deliveries })
}
