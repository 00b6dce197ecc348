import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy between node-postgres and PostgreSQL that counts round trips. */
export interface RoundTripCounter {
  readonly connectionString: string
  /**
   * Returns the number of PostgreSQL's ReadyForQuery messages. The server sends one of them for each sequence of
   * messages, which is one round trip.
   */
  roundTrips(): number
  close(): Promise<void>
}

export async function openRoundTripCounter(connectionString: string): Promise<RoundTripCounter> {
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
  if (address === null || typeof address === 'string') throw new Error('The proxy listens on a port.')
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
 * Calls `onReady` for each ReadyForQuery in a stream of PostgreSQL messages. Each message starts with one byte for the
 * type and four bytes for the length, which includes these four. Messages arrive in chunks of any size.
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
