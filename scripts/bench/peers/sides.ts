import { type Server, startServer } from '../compare.ts'
import { nodeOptions } from '../start-command.ts'

/** The servers of a comparison. */
export const sideNames = ['service', 'fastify', 'bare'] as const

export type SideName = (typeof sideNames)[number]

export interface Side {
  readonly name: SideName
  readonly server: Server
  /** The part of the URL before the path of an operation. */
  readonly base: string
}

/** Starts the service and its peers, each in a process of its own on the same database. */
export async function startSides(connectionString: string, merchantId: string): Promise<readonly Side[]> {
  const service = await startServer('service.ts', [connectionString], nodeOptions)
  const fastify = await startServer('peers/fastify.ts', [connectionString])
  const bare = await startServer('peers/bare.ts', [connectionString, merchantId])
  return [
    { name: 'service', server: service, base: `${service.url}/api/v1` },
    { name: 'fastify', server: fastify, base: fastify.url },
    { name: 'bare', server: bare, base: bare.url },
  ]
}
