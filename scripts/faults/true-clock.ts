import { setTimeout as wait } from 'node:timers/promises'
import { addEndpoint, contextOf, emit, openMerchant } from './merchants.ts'
import { forkWorker } from './processes.ts'
import type { World } from './world.ts'

/** Maximum number of concurrent webhook deliveries to one endpoint. */
const underWay = 4

/**
 * Maximum time until another worker takes over the deliveries of a killed worker: the lease duration plus one sweep
 * interval, rounded up.
 */
const recoveryMaxMs = 40_000

/**
 * Kills a worker with webhook deliveries in progress while another worker runs, both with the system clock. Returns the
 * recovery time of each delivery.
 */
export async function measureRecovery(world: World): Promise<number[]> {
  const { database, connectionString, receivers } = world
  const victim = forkWorker()
  const successor = forkWorker()
  try {
    const tenant = await openMerchant(database)
    const path = `/${tenant.merchantId}`
    // The receivers do not respond to the first requests, so that the deliveries of these requests are in progress when
    // their worker is killed.
    receivers.answers.set(path, (response, count) => (count > underWay ? response.end() : undefined))
    await addEndpoint(database, tenant, `${receivers.url}${path}`)
    await emit(contextOf(database), tenant, underWay)
    const arrivals = () => receivers.receipts.filter((receipt) => receipt.path === path)
    await victim.start({ connectionString })
    while (arrivals().length < underWay) await wait(10)
    await successor.start({ connectionString })
    victim.signal('SIGKILL')
    await victim.ended
    const killedMs = Date.now()
    while (arrivals().length < 2 * underWay) {
      if (Date.now() - killedMs > recoveryMaxMs)
        throw new Error(`The deliveries of the killed worker did not resume within ${recoveryMaxMs} ms.`)
      await wait(10)
    }
    return arrivals()
      .slice(underWay)
      .map(({ atMs }) => atMs - killedMs)
  } finally {
    victim.signal('SIGKILL')
    successor.signal('SIGKILL')
  }
}
