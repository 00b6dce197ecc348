import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Closes a server without resetting connections in use. A keep-alive client may already have sent its next request when
 * the server closes the connection, and then cannot know whether the request was processed. Therefore each connection
 * closes after a response with `Connection: close`, or after an idle period.
 */
export interface Connections {
  /**
   * Stops listening, and closes the connections after `mayClose` has resolved. The clients of closed connections
   * connect again. `mayClose` must therefore wait until all stopping processes on the port have stopped listening, so
   * that no client connects to another stopping process. Resolves when the last connection is closed.
   */
  drain(mayClose?: () => Promise<void>): Promise<void>
}

interface ConnectionState {
  /** Responses that the server has not finished on this connection. */
  readonly responses: Set<ServerResponse>
  /**
   * Number of bytes that the connection had received when its last response finished. A higher number now means that
   * the client has started to send the next request.
   */
  bytesRead: number
  idleSinceMs: number
}

/** Idle milliseconds after which a connection is closed. An active client sends its next request sooner. */
const idleMs = 1000

/** Interval in milliseconds at which the server checks for idle connections while it closes its connections. */
const checkMs = 50

/**
 * Time limit for closing all connections: a request may take 15 seconds to arrive. Connections that are still open then
 * are cut.
 */
const drainMs = 20_000

/**
 * Maximum number of connections that are accepted during the stop: about twice the number that wait in the kernel by
 * default. Without this limit, new connections could delay the stop forever.
 */
const acceptMax = 1_000

/** Tracks the connections of a server. Must be called before the server starts to listen. */
export function trackConnections(server: Server): Connections {
  const states = new Map<Socket, ConnectionState>()
  let isDraining = false
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted += 1
    states.set(socket, { responses: new Set(), bytesRead: socket.bytesRead, idleSinceMs: performance.now() })
    socket.once('close', () => states.delete(socket))
  })
  // This listener runs before the request handler. The handler may send the response headers at once, and the header
  // `Connection` cannot be added afterwards.
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    const state = states.get(socket)
    if (isDraining) outgoing.setHeader('Connection', 'close')
    state?.responses.add(outgoing)
    outgoing.once('close', () => {
      if (state === undefined) return
      state.responses.delete(outgoing)
      state.bytesRead = socket.bytesRead
      state.idleSinceMs = performance.now()
    })
  })
  /**
   * Accepts the connections that wait in the kernel. Their clients may have sent a request already, and the kernel
   * resets waiting connections when the server stops listening. Node.js accepts one connection in each turn of the
   * event loop, so a turn without a new connection shows that none waits.
   */
  const acceptWaiting = async () => {
    for (let seen = -1, checks = 0; accepted !== seen && checks < acceptMax; checks++) {
      seen = accepted
      // Waits for two iterations of the event loop, because the current one may already have polled for connections.
      await nextTurn()
      await nextTurn()
    }
  }
  return {
    drain: async (mayClose) => {
      await acceptWaiting()
      // The HTTP server’s own close() is not used, because it would also end connections that have just become idle.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      await mayClose?.()
      isDraining = true
      for (const { responses } of states.values()) announceClose(responses)
      return drained(server, closed, states)
    },
  }
}

/**
 * Sets `Connection: close` on responses whose headers are not sent yet. The other connections close when they are idle.
 */
function announceClose(responses: Iterable<ServerResponse>): void {
  for (const outgoing of responses) if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close')
}

async function drained(
  server: Server,
  closed: Promise<void>,
  states: ReadonlyMap<Socket, ConnectionState>,
): Promise<void> {
  const check = setInterval(() => closeIdle(states), checkMs)
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  try {
    closeIdle(states)
    await closed
  } finally {
    clearInterval(check)
    clearTimeout(cut)
  }
  // The server no longer listens, but close() also ends its internal timers. The resulting error, that the server is
  // already closed, is ignored.
  server.close(() => undefined)
}

function closeIdle(states: ReadonlyMap<Socket, ConnectionState>): void {
  const nowMs = performance.now()
  for (const [socket, { responses, bytesRead, idleSinceMs }] of states) {
    const isIdle = responses.size === 0 && socket.bytesRead === bytesRead && nowMs - idleSinceMs >= idleMs
    if (isIdle) socket.destroySoon()
  }
}
