import { measureFanOut } from './fan-out.ts'
import { measureLatencies } from './latency.ts'
import { withStage } from './stage.ts'
import { measureStarvation } from './starvation.ts'
import { measureThroughput } from './throughput.ts'

/** Webhooks: how many, how soon, what one that hangs costs the others, and what they cost a mutation. */
export async function benchDelivery(connectionString: string): Promise<void> {
  await withStage(connectionString, async (stage) => {
    const throughputPerSecond = await measureThroughput(stage)
    await measureLatencies(stage, connectionString, throughputPerSecond)
    await measureStarvation(stage, throughputPerSecond)
  })
  // Once the worker has gone, because nobody is to deliver what this queues.
  await measureFanOut(connectionString)
}
