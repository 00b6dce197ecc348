import { setTimeout as wait } from 'node:timers/promises'
import { addEndpoint, contextOf, emit, openMerchant } from './merchants.ts'
import { forkWorker } from './processes.ts'
import type { World } from './rounds.ts'

/** As many as one endpoint is sent at once. */
const underWay = 4

/** What the design promises. */
const recoveryMaxMs = 40_000

/** With the machine's own clock: a worker dies with its hands full beside one that lives. How long each delivery stood still. */
export async function measureRecovery(world: World): Promise<number[]> {
  const { database, connectionString, receivers } = world
  const victim = forkWorker()
  const heir = forkWorker()
  try {
    const tenant = await openMerchant(database)
    const path = `/${tenant.merchantId}`
    // The first ones get no answer, so that they are under way when their worker dies.
    receivers.answers.set(path, (response, count) => (count > underWay ? response.end() : undefined))
    await addEndpoint(database, tenant, `${receivers.url}${path}`)
    await emit(contextOf(database), tenant, underWay)
    const arrivals = () => receivers.receipts.filter((receipt) => receipt.path === path)
    await victim.start({ connectionString })
    while (arrivals().length < underWay) await wait(10)
    await heir.start({ connectionString })
    victim.signal('SIGKILL')
    await victim.ended
    const killedMs = Date.now()
    while (arrivals().length < 2 * underWay) {
      if (Date.now() - killedMs > recoveryMaxMs) throw new Error('What a killed worker had stood still for too long.')
      await wait(10)
    }
    return arrivals()
      .slice(underWay)
      .map(({ atMs }) => atMs - killedMs)
  } finally {
    victim.signal('SIGKILL')
    heir.signal('SIGKILL')
  }
}
