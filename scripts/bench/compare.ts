import { type ChildProcess, fork } from 'node:child_process'
import autocannon from 'autocannon'

export interface Server {
  readonly url: string
  readonly pid: number
  /** Returns the resident memory of the server in bytes. The server must answer the message `memory`. */
  memory(): Promise<number>
  stop(): void
}

/** Starts a server in a separate process and waits for its port. */
export async function startServer(
  script: string,
  args: readonly string[],
  execArgv: readonly string[] = [],
): Promise<Server> {
  const child: ChildProcess = fork(new URL(script, import.meta.url), args, { execArgv: [...execArgv] })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`)))
  })
  const memory = () => {
    const answer = new Promise<number>((resolve) => {
      child.once('message', (message: { memory: number }) => resolve(message.memory))
    })
    child.send('memory')
    return answer
  }
  const { pid = 0 } = child
  return { url: `http://127.0.0.1:${port}`, pid, memory, stop: () => child.kill() }
}

/**
 * Number of connections of the load. It is half of the number at which the server and the client saturate two cores;
 * more connections would only add waiting time.
 */
const connections = 8
const runSeconds = 4
const rounds = 5

export interface Load {
  readonly title: string
  readonly service: () => autocannon.Options
  readonly reference: () => autocannon.Options
  /** Names of the two servers that are compared. They default to "service" and "reference". */
  readonly names?: readonly [service: string, reference: string]
  /** Duration of one benchmark run of a server. Defaults to 4. */
  readonly seconds?: number
}

export interface Outcome {
  readonly title: string
  readonly names: readonly [service: string, reference: string]
  readonly servicePerSecond: number
  readonly referencePerSecond: number
  /**
   * Median of the ratios of the two servers' request rates. Each ratio compares two adjacent runs, because adjacent
   * runs have similar conditions.
   */
  readonly ratio: number
}

/** Measures the service and the reference server in alternating runs, so that a slow machine affects both. */
export async function measure(load: Load): Promise<Outcome> {
  const duration = load.seconds ?? runSeconds
  const runLoad = (options: autocannon.Options) => requestsPerSecond({ duration, ...options })
  await runLoad(load.service())
  await runLoad(load.reference())
  const pairs: { service: number; reference: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ service: await runLoad(load.service()), reference: await runLoad(load.reference()) })
  }
  return {
    title: load.title,
    names: load.names ?? ['service', 'reference'],
    servicePerSecond: median(pairs.map((pair) => pair.service)),
    referencePerSecond: median(pairs.map((pair) => pair.reference)),
    ratio: median(pairs.map((pair) => pair.service / pair.reference)),
  }
}

/**
 * Returns the number of requests that a server answered per second. Throws on any unsuccessful response, because error
 * responses take less time than real work.
 */
export async function requestsPerSecond(options: autocannon.Options): Promise<number> {
  const result = await autocannon({ connections, ...options })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${options.url}: ${result.non2xx} unsuccessful responses, ${result.errors} connection errors.`)
  }
  return result['2xx'] / result.duration
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return below === undefined || above === undefined ? Number.NaN : (below + above) / 2
}

export function perSecond(value: number): string {
  return `${value.toFixed(0).padStart(6)}/s`
}
