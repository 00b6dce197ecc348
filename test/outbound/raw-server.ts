import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { portOf } from '../webhooks/receiver.ts'

export interface RawServer {
  readonly url: string
  readonly port: number
  /** In the order they were opened. */
  readonly sockets: Socket[]
  /** Requests of all of them. */
  readonly requests: () => number
  /** Aborts once so many requests have arrived: a deadline that passes exactly then, however busy the machine is. */
  readonly giveUpAfter: (requests: number) => AbortSignal
}

/** Hears each request, the first as number 1 whichever socket it came by, and says or does what it likes. */
export type OnRequest = (socket: Socket, number: number) => void

interface RawOptions {
  readonly host?: string
  readonly onConnection?: (socket: Socket) => void
}

/** A server that speaks bytes: it does not answer, close or send errors unless it is told to. */
export async function openRawServer(onRequest: OnRequest, options: RawOptions = {}): Promise<RawServer> {
  const sockets: Socket[] = []
  let requests = 0
  const deadlines: { readonly requests: number; readonly controller: AbortController }[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    // A client that ends a connection in the middle is what these tests are about.
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
  const giveUpAfter = (count: number) => {
    const controller = new AbortController()
    deadlines.push({ requests: count, controller })
    return controller.signal
  }
  return { url: `http://${host}:${port}/hook`, port, sockets, requests: () => requests, giveUpAfter }
}

/** Writes a beginning, and then a little at a time until nobody reads any more. */
export function trickle(socket: Socket, beginning: string | Buffer, piece: string): void {
  socket.write(beginning)
  const timer = setInterval(() => socket.writable && socket.write(piece), 5)
  onTestFinished(() => clearInterval(timer))
}

/** Holds until the other side has closed or reset the socket, which it must. */
export function closed(socket: Socket | undefined): Promise<unknown> {
  if (socket === undefined) throw new Error('There was no connection.')
  if (socket.closed || socket.readableEnded) return Promise.resolve()
  socket.resume()
  return new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
}

export const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
