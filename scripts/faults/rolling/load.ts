import { Agent, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

/** Clients with keep-alive connections. Each client sends one request after another, and repeats no request. */
export interface Load {
  completed(): number
  /** Stops each client after its current request. Returns the requests that failed. */
  stop(): Promise<readonly string[]>
}

export interface LoadOptions {
  /** The address of a proxy or of a service, without a path. */
  readonly url: string
  readonly token: string
  readonly clients: number
  /**
   * Whether a client connects again after a refused connection instead of counting a failed request. Without a proxy, a
   * client cannot connect to a process between its stop and its next start. The client has then not sent its request.
   */
  readonly waitsForListener?: boolean
}

/** Delay between a refused connection and the client's next attempt to connect. */
const refusedDelayMs = 50

/** Maximum number of failed requests that are recorded: enough to see their causes. */
const failuresMax = 100

const readsPerWrite = 2

export function startLoad(options: LoadOptions): Load {
  const failures: string[] = []
  let completed = 0
  let isStopping = false
  const run = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; !isStopping && failures.length < failuresMax; number++) {
      const isWrite = number % (readsPerWrite + 1) === 0
      const outcome = await send(agent, options, isWrite)
      if (outcome === (isWrite ? 201 : 200)) completed++
      else if (outcome === 'ECONNREFUSED' && options.waitsForListener === true) await wait(refusedDelayMs)
      else failures.push(`${isWrite ? 'POST' : 'GET'}: ${outcome}`)
    }
    agent.destroy()
  }
  const running = Promise.all(Array.from({ length: options.clients }, run))
  return {
    completed: () => completed,
    stop: async () => {
      isStopping = true
      await running
      return failures
    },
  }
}

/**
 * Returns the status of a successful response, the status and the body of any other response, or the error code of a
 * broken connection.
 */
function send(agent: Agent, { url, token }: LoadOptions, isWrite: boolean): Promise<number | string> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const method = isWrite ? 'POST' : 'GET'
    const outgoing = request(`${url}/api/v1/customers`, { agent, method, headers }, (response) => {
      const { statusCode = 0 } = response
      textOf(response).then((body) => resolve(statusCode < 300 ? statusCode : `${statusCode} ${body}`), onError)
    })
    outgoing.on('error', onError)
    outgoing.end(isWrite ? JSON.stringify({ name: 'Ada Obi', email: `${crypto.randomUUID()}@example.com` }) : undefined)
  })
}
