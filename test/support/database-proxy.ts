import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { addressOf } from './api.ts'

/** A proxy in front of PostgreSQL that can simulate an unavailable server and a frozen server. */
export interface DatabaseProxy {
  readonly connectionString: string
  /** Cuts all open database connections and every new connection, as if the server were unavailable. */
  cut(): void
  /** Accepts database connections but forwards no bytes, as if the server were frozen. */
  freeze(): void
  /**
   * Ends the simulated fault: the proxy forwards new connections again, and cuts those that were open during the fault.
   */
  restore(): void
  close(): Promise<void>
}

/**
 * Opens a proxy in front of a database server. The function `rewrite` may change the bytes that the server sends, but
 * not their number.
 */
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
