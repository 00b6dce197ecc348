import { measureFanOut } from './fan-out.ts'
import { measureRates } from './rates.ts'
import { withStage } from './stage.ts'
import { measureStarvation } from './starvation.ts'
import { measureThroughput } from './throughput.ts'

/** Webhooks: how many, how soon, what one that hangs costs the others, and what they cost a mutation. */
export async function benchDelivery(connectionString: string): Promise<void> {
  await withStage(connectionString, async (stage) => {
    await measureThroughput(stage)
    // Half of what is possible: a load under which the machine has time to spare, and no wait is that for its turn.
    const sustainable = await measureRates(stage, connectionString)
    await measureStarvation(stage, sustainable / 2)
  })
  // Once the worker has gone, because nobody is to deliver what this queues.
  await measureFanOut(connectionString)
}
