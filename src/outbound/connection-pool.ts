import type { Socket } from 'node:net'
import { Client } from 'undici'

/**
 * Pool of idle connections. A connection carries one request at a time. Each attempt therefore has its own connection
 * and timings, and aborting an attempt closes its socket.
 *
 * Requests never wait for a connection: if none is idle, a new one is opened, so no deadline passes in a hidden queue.
 * Callers limit their concurrency; the delivery engine limits it per endpoint and in total. A limit per origin, which
 * undici offers, would make merchants on a shared host block each other.
 */
export interface ConnectionPool {
  /** Takes the most recently used idle connection to an origin, because the peer is least likely to have closed it. */
  take(origin: string): Connection | undefined
  open(origin: string, socket: Socket): Connection
  /** Returns a connection to the pool of idle connections after a successful request. */
  release(connection: Connection): void
  drop(connection: Connection, reason: Error): void
  dropAll(reason: Error): void
}

export interface Connection {
  readonly origin: string
  readonly client: Client
  readonly socket: Socket
}

/** Idle time in milliseconds before a connection is closed. Common servers close theirs after five seconds. */
const keepAliveMs = 4_000

/**
 * Maximum number of idle connections. It equals the maximum number of concurrent sends of the delivery engine, and is
 * half of the usual limit of 1,024 file handles.
 */
const idleMax = 512

export function openConnectionPool(): ConnectionPool {
  const all = new Set<Connection>()
  const idle = new Map<string, Connection[]>()
  // All idle connections of the pool, in the order in which they became idle.
  const idleInOrder = new Set<Connection>()

  const removeIdle = (connection: Connection) => {
    if (!idleInOrder.delete(connection)) return
    const left = idle.get(connection.origin)?.filter((other) => other !== connection) ?? []
    if (left.length > 0) idle.set(connection.origin, left)
    else idle.delete(connection.origin)
  }

  const drop = (connection: Connection, reason: Error) => {
    removeIdle(connection)
    all.delete(connection)
    // The socket is destroyed explicitly: destroying undici's client leaves the socket open if the client has not used
    // it.
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
        // The socket may already be destroyed although its close event has not been emitted yet.
        if (!connection.socket.destroyed) return connection
      }
    },
    open: (origin, socket) => {
      const client = new Client(origin, {
        connect: handOver(socket),
        pipelining: 1,
        // The attempt's deadline replaces undici's timeouts, which restart with every byte of a slow response.
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

/** Error of a socket that closed before a request was written to it. */
class ConnectionClosed extends Error {
  constructor() {
    super('The connection was closed.')
  }
}

/**
 * Returns undici's connect function. The first call of this function passes the given socket to undici. A later call,
 * with which undici would reconnect, gets an error.
 */
function handOver(socket: Socket): NonNullable<Client.Options['connect']> {
  let isHandedOver = false
  return (_, callback) => {
    // The connect callback runs asynchronously. If the callback ran before `connect` returned, undici would not send
    // the request.
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
