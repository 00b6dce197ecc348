import { connect, type Socket } from 'node:net'

/**
 * HTTP/1.1 connections that send prepared requests and read only those parts of a response that the benchmark measures.
 * The load generator shares the machine with the service, so it must use little CPU time per response.
 */
export interface RawConnections {
  /** Sends a request on an idle connection, or waits until one is idle. Rejects with the error of the connection. */
  send(request: Buffer): Promise<RawResponse>
  /** Closes the idle connections of the load. Must be called after the last response. */
  close(): void
}

export interface RawResponse {
  readonly status: number
  readonly hasRetryAfter: boolean
}

/**
 * Timeout of a connection: longer than any request takes, so that a server that stops responding ends the measurement
 * with an error.
 */
const responseTimeoutMs = 60_000

interface Exchange {
  readonly request: Buffer
  resolve(response: RawResponse): void
  reject(error: Error): void
}

/**
 * Opens at most `max` connections to a port of this machine. A connection is opened when a request needs one and none
 * is idle.
 */
export function openRawConnections(port: number, max: number): RawConnections {
  const idle: RawConnection[] = []
  const waiting: Exchange[] = []
  let opened = 0

  const open = (): RawConnection => {
    opened += 1
    const connection = new RawConnection(connect({ port, host: '127.0.0.1', noDelay: true }), {
      ready: () => {
        const next = waiting.shift()
        if (next === undefined) idle.push(connection)
        else connection.start(next)
      },
      closed: () => {
        opened -= 1
        const index = idle.indexOf(connection)
        if (index >= 0) idle.splice(index, 1)
        const next = waiting.shift()
        if (next !== undefined) open().start(next)
      },
    })
    return connection
  }
  const start = (exchange: Exchange) => {
    const connection = idle.shift() ?? (opened < max ? open() : undefined)
    if (connection === undefined) waiting.push(exchange)
    else connection.start(exchange)
  }
  return {
    send: (request) => new Promise((resolve, reject) => start({ request, resolve, reject })),
    close: () => {
      for (const connection of [...idle]) connection.end()
    },
  }
}

const headEnd = '\r\n\r\n'

interface Listeners {
  /** Callback that runs when the response on the connection has arrived completely. */
  ready(): void
  closed(): void
}

/** This is a class, because its methods share the state of the HTTP response that is being read. */
class RawConnection {
  readonly #socket: Socket
  readonly #listeners: Listeners
  #exchange: Exchange | undefined
  #head = ''
  #response: RawResponse | undefined
  /** Bytes of the response body that have not arrived yet. */
  #missingBytes = 0

  constructor(socket: Socket, listeners: Listeners) {
    this.#socket = socket
    this.#listeners = listeners
    socket.on('data', (bytes) => this.#read(bytes))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => {
      this.#fail(failure('ECONNRESET', 'The server closed the connection.'))
      listeners.closed()
    })
    socket.setTimeout(responseTimeoutMs, () => socket.destroy(failure('ETIMEDOUT', 'No response arrived in time.')))
  }

  start(exchange: Exchange): void {
    this.#exchange = exchange
    this.#socket.write(exchange.request)
  }

  end(): void {
    this.#socket.end()
  }

  #read(bytes: Buffer): void {
    if (this.#response !== undefined) this.#missingBytes -= bytes.length
    else this.#readHead(bytes)
    if (this.#response === undefined || this.#missingBytes > 0) return
    const exchange = this.#exchange
    const response = this.#response
    this.#exchange = undefined
    this.#response = undefined
    if (exchange === undefined) {
      this.#socket.destroy(failure('UNEXPECTED_RESPONSE', 'A response arrived without a request.'))
      return
    }
    exchange.resolve(response)
    this.#listeners.ready()
  }

  #readHead(bytes: Buffer): void {
    const before = this.#head.length
    // The encoding Latin-1 decodes each byte of the response head to one character.
    this.#head += bytes.toString('latin1')
    const end = this.#head.indexOf(headEnd)
    if (end === -1) return
    const head = this.#head.slice(0, end)
    this.#head = ''
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      this.#socket.destroy(failure('NO_CONTENT_LENGTH', 'A response has no Content-Length.'))
      return
    }
    this.#missingBytes = Number(length) - (before + bytes.length - end - headEnd.length)
    this.#response = { status: Number(head.slice(9, 12)), hasRetryAfter: /\r\nretry-after: /i.test(head) }
  }

  #fail(error: Error): void {
    this.#exchange?.reject(error)
    this.#exchange = undefined
  }
}

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
