import type { Socket } from 'node:net'
import { Client } from 'undici'

/**
 * Connections between their requests. One carries one request at a time, so that each attempt knows its own connection
 * and its phases, and what ends an attempt ends its socket.
 *
 * Nobody waits for a connection here: where none is idle a new one is opened, so no deadline runs in a queue that its
 * owner cannot see. How many requests are under way is for the caller to limit, which the delivery engine does by
 * endpoint and in all; undici's own limit by origin would let merchants who share a host hold up each other.
 */
export interface ConnectionPool {
  /** The connection to this origin that was used last, which is the least likely to have been closed over there. */
  take(origin: string): Connection | undefined
  open(origin: string, socket: Socket): Connection
  /** Its request ended well: another one may follow. */
  release(connection: Connection): void
  drop(connection: Connection, reason: Error): void
  dropAll(reason: Error): void
}

export interface Connection {
  readonly origin: string
  readonly client: Client
  readonly socket: Socket
}

/** Common servers close an idle connection after five seconds; one that is closing must not be used again. */
const keepAliveMs = 4_000

/** As many as the delivery engine has under way at full speed, and half of the 1,024 handles of a common system. */
const idleMax = 512

export function openConnectionPool(): ConnectionPool {
  const all = new Set<Connection>()
  const idle = new Map<string, Connection[]>()
  // The longest idle first.
  const idleInOrder = new Set<Connection>()

  const forget = (connection: Connection) => {
    if (!idleInOrder.delete(connection)) return
    const left = idle.get(connection.origin)?.filter((other) => other !== connection) ?? []
    if (left.length > 0) idle.set(connection.origin, left)
    else idle.delete(connection.origin)
  }

  const drop = (connection: Connection, reason: Error) => {
    forget(connection)
    all.delete(connection)
    // A client that never got as far as its socket would leave it open.
    connection.socket.destroy()
    void connection.client.destroy(reason)
  }

  return {
    drop,
    take: (origin) => {
      for (;;) {
        const others = idle.get(origin)
        const connection = others?.pop()
        if (connection === undefined) return undefined
        if (others?.length === 0) idle.delete(origin)
        idleInOrder.delete(connection)
        // It may be on its way down, and not have said so yet.
        if (!connection.socket.destroyed) return connection
      }
    },
    open: (origin, socket) => {
      const client = new Client(origin, {
        connect: handOver(socket),
        pipelining: 1,
        // The attempt's own deadline is the only clock: undici's miss a head or a body that dribbles.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: keepAliveMs,
      })
      const connection = { origin, client, socket }
      all.add(connection)
      socket.once('close', () => {
        if (idleInOrder.has(connection)) drop(connection, new ConnectionClosed())
        else all.delete(connection)
      })
      return connection
    },
    release: (connection) => {
      if (!all.has(connection)) return
      idleInOrder.add(connection)
      const others = idle.get(connection.origin)
      if (others === undefined) idle.set(connection.origin, [connection])
      else others.push(connection)
      for (const oldest of idleInOrder.size > idleMax ? idleInOrder.keys().take(1) : []) {
        drop(oldest, new ConnectionClosed())
      }
    },
    dropAll: (reason) => {
      for (const connection of all) drop(connection, reason)
    },
  }
}

/** The socket had ended before a request was written to it. */
class ConnectionClosed extends Error {
  constructor() {
    super('The connection was closed.')
  }
}

/** undici asks for a socket when it needs one: the first time it gets ours, and whenever that has ended, an error. */
function handOver(socket: Socket): NonNullable<Client.Options['connect']> {
  let isHandedOver = false
  return (_, callback) => {
    // Never within its call, which would leave the request unsent.
    queueMicrotask(() => {
      if (isHandedOver || socket.destroyed) {
        callback(new ConnectionClosed(), null)
      } else {
        isHandedOver = true
        callback(null, socket)
      }
    })
  }
}
