import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/**
 * Ends a server without resetting a connection that is in use. A client that keeps its connection alive may have sent its
 * next request already when the server closes it, and then cannot know whether it was done. So each connection ends with an
 * answer that says `Connection: close`, or when nothing has come over it for a while.
 */
export interface Connections {
  /** Resolves when the last connection is closed. */
  drain(): Promise<void>
}

interface Use {
  readonly answering: Set<ServerResponse>
  /** What had come when the last answer was finished: more than that is the beginning of a request. */
  bytesRead: number
  idleSinceMs: number
}

/** A client that goes on sends its next request within this time of the last answer; one that does not may be left. */
const idleMs = 1000

/** How often connections are looked at while the server drains. */
const checkMs = 50

/** A request may take 15 seconds to arrive; whatever takes longer to answer is cut. */
const drainMs = 20_000

/** Watches the connections of a server, from before it listens. */
export function watchConnections(server: Server): Connections {
  const uses = new Map<Socket, Use>()
  let isDraining = false
  server.on('connection', (socket: Socket) => {
    uses.set(socket, { answering: new Set(), bytesRead: socket.bytesRead, idleSinceMs: performance.now() })
    socket.once('close', () => uses.delete(socket))
  })
  // Ahead of whoever answers, so that the header is there before the answer is.
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    const use = uses.get(socket)
    if (isDraining) outgoing.setHeader('Connection', 'close')
    use?.answering.add(outgoing)
    outgoing.once('close', () => {
      if (use === undefined) return
      use.answering.delete(outgoing)
      use.bytesRead = socket.bytesRead
      use.idleSinceMs = performance.now()
    })
  })
  return {
    drain: () => {
      isDraining = true
      for (const { answering } of uses.values()) announceEnd(answering)
      return drained(server, uses)
    },
  }
}

/** An answer whose head is sent already cannot say it; its connection is left when it is idle. */
function announceEnd(answering: Iterable<ServerResponse>): void {
  for (const outgoing of answering) if (!outgoing.headersSent) outgoing.setHeader('Connection', 'close')
}

async function drained(server: Server, uses: ReadonlyMap<Socket, Use>): Promise<void> {
  const check = setInterval(() => closeIdle(uses), checkMs)
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  try {
    // An HTTP server’s own close() also ends connections that have been idle for an instant only.
    await new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve())
      closeIdle(uses)
    })
  } finally {
    clearInterval(check)
    clearTimeout(cut)
  }
  // For what else an HTTP server does as it ends; that it no longer listens is no error here.
  server.close(() => undefined)
}

function closeIdle(uses: ReadonlyMap<Socket, Use>): void {
  const nowMs = performance.now()
  for (const [socket, { answering, bytesRead, idleSinceMs }] of uses) {
    const isIdle = answering.size === 0 && socket.bytesRead === bytesRead && nowMs - idleSinceMs >= idleMs
    if (isIdle) socket.destroySoon()
  }
}
