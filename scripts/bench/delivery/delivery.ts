import type { DatabaseRoles } from '../../../src/store/server/service-role.ts'
import { measureFanOut } from './fan-out.ts'
import { measureRates } from './rates.ts'
import { withStage } from './stage.ts'
import { measureStarvation } from './starvation.ts'
import { measureThroughput } from './throughput.ts'

/**
 * Measures webhook deliveries: their throughput, their latency, the effect of endpoints that never respond, and the
 * cost that deliveries add to a mutation.
 */
export async function benchDelivery(roles: DatabaseRoles): Promise<void> {
  await withStage(roles.connectionString, async (stage) => {
    await measureThroughput(stage)
    // The load is half of the sustainable rate, so that deliveries do not queue for lack of capacity.
    const sustainable = await measureRates(stage, roles.connectionString)
    await measureStarvation(stage, sustainable / 2)
  })
  // The worker is already stopped here, because the deliveries of this measurement must not be sent.
  await measureFanOut(roles)
}
