import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between a program and the service that records every request and response. */
export interface Recorder {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  close(): Promise<void>
}

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly requestHeaders: IncomingMessage['headers']
  readonly status: number
  readonly text: string
}

/** Headers that belong to a single connection, which a proxy must not forward. */
const hopByHop = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'content-encoding']

export async function startRecorder(target: string): Promise<Recorder> {
  const exchanges: Exchange[] = []
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers: requestHeaders } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = Object.entries(requestHeaders).flatMap(([name, value]): [string, string][] =>
      hopByHop.includes(name) || typeof value !== 'string' ? [] : [[name, value]],
    )
    const body = chunks.length === 0 ? null : Buffer.concat(chunks)
    const response = await fetch(`${target}${path}`, { method, headers, body })
    const text = await response.text()
    exchanges.push({ method, path, requestHeaders, status: response.status, text })
    const passed = [...response.headers].filter(([name]) => !hopByHop.includes(name))
    outgoing.writeHead(response.status, Object.fromEntries(passed)).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    exchanges,
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('A server listens on a port.')
  return address.port
}
