import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { nodeOptions } from '../../start-command.ts'
import { type Server, startServer } from '../compare.ts'

export const sideNames = ['service', 'fastify', 'bare'] as const

export type SideName = (typeof sideNames)[number]

export interface Side {
  readonly name: SideName
  readonly server: Server
  /** The base URL of the API, to which the path of an operation is appended. */
  readonly base: string
}

export interface Sides {
  readonly sides: readonly Side[]
  stop(): void
}

/**
 * Starts the service, the servers that it is compared with, and the simulated carriers to which these servers send
 * requests. Each of them is a process of its own, and all use the same database. `merchantIds` maps each token to its
 * merchant.
 */
export async function startSides(
  connectionString: string,
  merchantIds: Readonly<Record<string, MerchantId>>,
): Promise<Sides> {
  const carriers = await startServer('peers/carriers.ts', [connectionString])
  const service = await startServer('service.ts', [connectionString, '', carriers.url], nodeOptions)
  const fastify = await startServer('peers/fastify.ts', [connectionString, carriers.url])
  const bare = await startServer('peers/bare.ts', [connectionString, JSON.stringify(merchantIds)])
  const sides: readonly Side[] = [
    { name: 'service', server: service, base: `${service.url}/api/v1` },
    { name: 'fastify', server: fastify, base: fastify.url },
    { name: 'bare', server: bare, base: bare.url },
  ]
  const stop = () => {
    for (const { server } of sides) server.stop()
    carriers.stop()
  }
  return { sides, stop }
}
