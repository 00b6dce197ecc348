import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { nodeOptions } from '../../start-command.ts'
import { type Child, startChild } from './child.ts'
import { type BenchMerchant, merchantCount, openMerchants, pathsAndSecrets } from './merchants.ts'
import type { Arrival, ReceiverReply, ReceiverRequest } from './receiver.ts'

export interface Stage {
  readonly database: Database
  readonly worker: Child
  readonly receiver: Receiver
  readonly unverifyingReceiver: Receiver
}

export interface Receiver {
  readonly pid: number
  readonly origin: string
  learn(merchants: readonly BenchMerchant[]): Promise<void>
  /**
   * Returns all webhook deliveries that arrived at the receiver since the last call. Waits until at least `count` have
   * arrived.
   */
  arrivals(count: number): Promise<readonly Arrival[]>
  closeHanging(): Promise<void>
}

export async function withStage(connectionString: string, run: (stage: Stage) => Promise<void>): Promise<void> {
  const database = openDatabase({ connectionString })
  const children: Child[] = []
  const start = async (script: string, args: readonly string[] = [], options: readonly string[] = []) => {
    const child = await startChild(script, args, options)
    children.push(child)
    return child
  }
  try {
    const worker = await start('worker.ts', [connectionString], nodeOptions)
    const receiver = await receiverOf(await start('receiver.ts'))
    const unverifyingReceiver = await receiverOf(await start('receiver.ts', ['unverified']))
    await run({ database, worker, receiver, unverifyingReceiver })
  } finally {
    // The worker process is the first child, so it is ended before the receivers of its deliveries.
    for (const child of children) await child.stop()
    await database.close()
  }
}

async function receiverOf(child: Child): Promise<Receiver> {
  const send = (message: ReceiverRequest) => child.request<ReceiverReply>(message)
  const { port } = await send({})
  return {
    pid: child.pid,
    origin: `http://127.0.0.1:${port}`,
    learn: async (merchants) => {
      await send({ learn: pathsAndSecrets(merchants) })
    },
    arrivals: async (count) => (await send({ count })).arrivals,
    closeHanging: async () => {
      await send({ closesHanging: true })
    },
  }
}

export async function openShops(
  { database }: Pick<Stage, 'database'>,
  receiver: Receiver,
  pathOf: Parameters<typeof openMerchants>[1]['pathOf'] = () => '/hook',
): Promise<readonly BenchMerchant[]> {
  const merchants = await openMerchants(database, { origin: receiver.origin, count: merchantCount, pathOf })
  await receiver.learn(merchants)
  return merchants
}
