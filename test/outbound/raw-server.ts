import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { portOf } from '../webhooks/receiver.ts'

export interface RawServer {
  readonly url: string
  readonly port: number
  /** The connections that the server has accepted, oldest first. */
  readonly sockets: Socket[]
  /** Returns the number of requests that the server has received over all connections. */
  readonly requests: () => number
  /**
   * Returns a signal that aborts after the given number of requests. It serves as a deadline that does not depend on
   * the load of the machine.
   */
  readonly abortAfter: (requests: number) => AbortSignal
}

/** Handles a request. `number` is the number of the request over all connections, counted from 1. */
export type OnRequest = (socket: Socket, number: number) => void

interface RawOptions {
  readonly host?: string
  readonly onConnection?: (socket: Socket) => void
}

/**
 * Starts a TCP server that counts requests and does nothing else: the function `onRequest` sends every byte and closes
 * every connection.
 */
export async function openRawServer(onRequest: OnRequest, options: RawOptions = {}): Promise<RawServer> {
  const sockets: Socket[] = []
  let requests = 0
  const deadlines: { readonly requests: number; readonly controller: AbortController }[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    // In the tests of this server, clients reset connections, which raises an error on the server's socket.
    socket.on('error', () => undefined)
    options.onConnection?.(socket)
    socket.on('data', (bytes) => {
      for (const _ of bytes.toString('latin1').matchAll(/ HTTP\/1\.1\r\n/g)) {
        requests += 1
        onRequest(socket, requests)
      }
      for (const deadline of deadlines) if (requests >= deadline.requests) deadline.controller.abort()
    })
  })
  const { host = '127.0.0.1' } = options
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const port = portOf(server.address())
  const abortAfter = (count: number) => {
    const controller = new AbortController()
    deadlines.push({ requests: count, controller })
    return controller.signal
  }
  return { url: `http://${host}:${port}/hook`, port, sockets, requests: () => requests, abortAfter }
}

/** Writes `start`, then `chunk` every 5 ms, until the socket is closed or the test ends. */
export function trickle(socket: Socket, start: string | Buffer, chunk: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.writable && socket.write(chunk), 5)
  onTestFinished(() => clearInterval(timer))
}

/** Resolves when the client has closed or reset the connection. */
export function closed(socket: Socket | undefined): Promise<unknown> {
  if (socket === undefined) throw new Error('There was no connection.')
  if (socket.closed || socket.readableEnded) return Promise.resolve()
  socket.resume()
  return new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
}

export const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
