import { connect } from 'node:net'
import type pg from 'pg'

/**
 * Requests that the server cancel the statement that a connection runs, so that a request past its deadline leaves no
 * work behind. The cancel request is sent on a connection of its own, and the server does not respond to it. It may
 * arrive after the statement has ended, so the connection of the statement must not be used for another request.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { processID, secretKey, host, port, connection } = asCancellable(client)
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const { remoteAddress, remotePort } = connection.stream
  const isLocal = remoteAddress === undefined || remotePort === undefined
  // Without a remote address, the connection uses a Unix socket, and `host` is the folder of the socket.
  const socket = isLocal ? connect(`${host}/.s.PGSQL.${port}`) : connect(remotePort, remoteAddress)
  // An error of the cancel request is ignored: the server is unreachable or has already ended the statement. In both
  // cases, the response limit of the connection ends the wait for the statement.
  socket.on('error', () => undefined)
  socket.setTimeout(connectTimeoutMs, () => socket.destroy())
  socket.on('connect', () => socket.end(cancelRequest(processID, secretKey)))
  socket.unref()
}

/**
 * Timeout for opening the connection of a cancel request. A healthy server accepts a connection within milliseconds.
 */
const connectTimeoutMs = 1_000

/** The code that a cancel request contains in place of a protocol version (PostgreSQL manual, Message Formats). */
const cancelRequestCode = 80_877_102

/** Returns a cancel request: length, code, process and key, each of four bytes. */
function cancelRequest(processId: number, secretKey: number): Buffer {
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(cancelRequestCode, 4)
  message.writeInt32BE(processId, 8)
  message.writeInt32BE(secretKey, 12)
  return message
}

interface Cancellable {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly host: string
  readonly port: number
  readonly connection: { readonly stream: { readonly remoteAddress?: string; readonly remotePort?: number } }
}

/** The published types of node-postgres lack the fields that it sets from the BackendKeyData message of the server. */
function asCancellable(client: pg.ClientBase): Cancellable {
  return client as unknown as Cancellable
}
