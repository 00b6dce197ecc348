import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A wire between node-postgres and PostgreSQL that counts what the server says. */
export interface Wire {
  readonly connectionString: string
  /** How often the server has said that it is ready for more: once for each message train, which is one round trip. */
  roundTrips(): number
  close(): Promise<void>
}

export async function openWire(connectionString: string): Promise<Wire> {
  const url = new URL(connectionString)
  const { hostname, port } = url
  let readies = 0
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    sockets.push(client, upstream)
    const count = counter(() => {
      readies += 1
    })
    client.pipe(upstream)
    upstream.on('data', (bytes) => {
      count(bytes)
      client.write(bytes)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The wire listens on a port.')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    connectionString: url.href,
    roundTrips: () => readies,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Calls back for each ReadyForQuery in a stream of PostgreSQL's messages: a type of one byte, then a length of four that
 * counts itself. Messages arrive in any pieces.
 */
function counter(onReady: () => void): (bytes: Buffer) => void {
  const readyForQuery = 'Z'.charCodeAt(0)
  let rest = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const size = 1 + rest.readUInt32BE(1)
      if (rest.length < size) return
      if (rest[0] === readyForQuery) onReady()
      rest = rest.subarray(size)
    }
  }
}
