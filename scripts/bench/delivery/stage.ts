import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { type Child, startChild } from './child.ts'
import { type BenchMerchant, merchantCount, openMerchants, pathsAndSecrets } from './merchants.ts'
import type { Arrival, ReceiverAnswer, ReceiverQuestion } from './receiver.ts'

/** The processes that the measurements of deliveries share. */
export interface Stage {
  readonly database: Database
  readonly worker: Child
  readonly receiver: Receiver
  /** Answers without looking. */
  readonly blindReceiver: Receiver
}

export interface Receiver {
  readonly pid: number
  readonly origin: string
  learn(merchants: readonly BenchMerchant[]): Promise<void>
  /** All that has come since it was last asked, once it is so many. */
  arrivals(count: number): Promise<readonly Arrival[]>
  endHanging(): Promise<void>
}

export async function withStage(connectionString: string, run: (stage: Stage) => Promise<void>): Promise<void> {
  const database = openDatabase({ connectionString })
  const children: Child[] = []
  const start = async (script: string, args: readonly string[] = []) => {
    const child = await startChild(script, args)
    children.push(child)
    return child
  }
  try {
    const worker = await start('worker.ts', [connectionString])
    const receiver = await receiverOf(await start('receiver.ts'))
    const blindReceiver = await receiverOf(await start('receiver.ts', ['blind']))
    await run({ database, worker, receiver, blindReceiver })
  } finally {
    // The worker was started first, and ends before those that it sends to.
    for (const child of children) await child.stop()
    await database.close()
  }
}

async function receiverOf(child: Child): Promise<Receiver> {
  const ask = (question: ReceiverQuestion) => child.ask<ReceiverAnswer>(question)
  const { port } = await ask({})
  return {
    pid: child.pid,
    origin: `http://127.0.0.1:${port}`,
    learn: async (merchants) => {
      await ask({ learn: pathsAndSecrets(merchants) })
    },
    arrivals: async (count) => (await ask({ count })).arrivals,
    endHanging: async () => {
      await ask({ endsHanging: true })
    },
  }
}

/** Merchants whom this receiver knows. */
export async function openShops(
  { database }: Pick<Stage, 'database'>,
  receiver: Receiver,
  pathOf: Parameters<typeof openMerchants>[1]['pathOf'] = () => '/hook',
): Promise<readonly BenchMerchant[]> {
  const merchants = await openMerchants(database, { origin: receiver.origin, count: merchantCount, pathOf })
  await receiver.learn(merchants)
  return merchants
}
