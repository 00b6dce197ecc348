import { type ChildProcess, fork } from 'node:child_process'
import autocannon from 'autocannon'

export interface Server {
  readonly url: string
  stop(): void
}

/** Starts one of the two servers in a process of its own and waits for its port. */
export async function startServer(script: string, args: readonly string[]): Promise<Server> {
  const child: ChildProcess = fork(new URL(script, import.meta.url), args)
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`)))
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

/** Half of what saturates two cores with a client beside them; more only adds waiting. */
const connections = 8
const turnSeconds = 4
const rounds = 5

export interface Load {
  readonly title: string
  readonly service: () => autocannon.Options
  readonly reference: () => autocannon.Options
  /** What the two are, where they are not the service and the bare reference. */
  readonly names?: readonly [service: string, reference: string]
  /** How long a turn lasts, where it is not the usual. */
  readonly seconds?: number
}

export interface Outcome {
  readonly title: string
  readonly names: readonly [service: string, reference: string]
  readonly servicePerSecond: number
  readonly referencePerSecond: number
  /** The median of the ratios of the turns: both of a pair met the machine in the same mood. */
  readonly ratio: number
}

/** Service and reference in turn, so that a machine that slows down slows both. */
export async function measure(load: Load): Promise<Outcome> {
  const duration = load.seconds ?? turnSeconds
  const turn = (options: autocannon.Options) => run({ duration, ...options })
  await turn(load.service())
  await turn(load.reference())
  const pairs: { service: number; reference: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ service: await turn(load.service()), reference: await turn(load.reference()) })
  }
  return {
    title: load.title,
    names: load.names ?? ['service', 'reference'],
    servicePerSecond: median(pairs.map((pair) => pair.service)),
    referencePerSecond: median(pairs.map((pair) => pair.reference)),
    ratio: median(pairs.map((pair) => pair.service / pair.reference)),
  }
}

/** Requests a second. An answer that is no success would make a fast server of a broken one, so it ends the run. */
async function run(options: autocannon.Options): Promise<number> {
  const result = await autocannon({ connections, ...options })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${options.url}: ${result.non2xx} answers without success, ${result.errors} errors.`)
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
