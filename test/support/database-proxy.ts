import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { addressOf } from './api.ts'

/** A proxy in front of PostgreSQL that simulates an unavailable and a frozen server. */
export interface DatabaseProxy {
  readonly connectionString: string
  /** Cuts all open connections and every new connection, like an unavailable server. */
  cut(): void
  /** Accepts connections but forwards no bytes, like a frozen server. */
  freeze(): void
  /** Forwards new connections again. Cuts the connections that were open during the fault. */
  restore(): void
  close(): Promise<void>
}

/** `rewrite` changes the bytes that the server sends, without changing their number. */
export async function openDatabaseProxy(
  connectionString: string,
  rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<DatabaseProxy> {
  const url = new URL(connectionString)
  const target = { port: Number(url.port), host: url.hostname }
  const sockets = new Set<Socket>()
  let mode: 'forward' | 'cut' | 'freeze' = 'forward'
  const server = createServer((near) => {
    if (mode === 'cut') {
      near.destroy()
      return
    }
    const far = connect(target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => mode === 'freeze' || other.write(socket === far ? rewrite(bytes) : bytes))
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String(addressOf(server.address()).port)
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    connectionString: url.href,
    cut: () => {
      mode = 'cut'
      destroyAll()
    },
    freeze: () => {
      mode = 'freeze'
    },
    restore: () => {
      mode = 'forward'
      destroyAll()
    },
    close: async () => {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
