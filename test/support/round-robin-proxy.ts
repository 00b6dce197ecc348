import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { addressOf } from './api.ts'

/**
 * A proxy that sends each request, over a keep-alive connection, to the next backend in turn that was ready at its last
 * readiness check. It retries nothing: a request to which a backend does not respond fails with 502.
 */
export interface RoundRobinProxy {
  readonly url: string
  /** Resolves when a readiness check has found the backend ready. */
  untilReady(url: string): Promise<void>
  close(): Promise<void>
}

/** Interval at which the readiness of each backend is checked. It is short, so that the test is short. */
const checkMs = 100

export async function openRoundRobinProxy(backends: readonly string[]): Promise<RoundRobinProxy> {
  const ready = new Set<string>()
  const agent = new Agent({ keepAlive: true })
  let isClosing = false
  let turn = 0
  const check = async (backend: string) => {
    while (!isClosing) {
      const response = await fetch(`${backend}/readyz`).catch(() => undefined)
      await response?.arrayBuffer().catch(() => undefined)
      if (response?.status === 200) ready.add(backend)
      else ready.delete(backend)
      await wait(checkMs)
    }
  }
  const checking = Promise.all(backends.map(check))
  const server = createServer((incoming, outgoing) => {
    const open = backends.filter((backend) => ready.has(backend))
    const backend = open[turn++ % Math.max(1, open.length)]
    if (backend === undefined) outgoing.writeHead(502).end()
    else forward({ incoming, outgoing, backend, agent })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${addressOf(server.address()).port}`,
    untilReady: async (url) => {
      while (!ready.has(url)) await wait(checkMs)
    },
    close: async () => {
      isClosing = true
      await checking
      agent.destroy()
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
    },
  }
}

interface Forwarded {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly backend: string
  readonly agent: Agent
}

function forward({ incoming, outgoing, backend, agent }: Forwarded): void {
  const { method = 'GET', headers, url = '/' } = incoming
  const upstream = request(backend + url, { method, headers, agent }, (response) => {
    const { connection: _, ...passed } = response.headers
    outgoing.writeHead(response.statusCode ?? 502, passed)
    response.on('error', () => outgoing.destroy()).pipe(outgoing)
  })
  upstream.on('error', (error) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(error.message)
  })
  incoming.pipe(upstream)
}
