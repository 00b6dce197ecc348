import type { TemporaryPostgres } from '../../temporary-postgres.ts'
import { startServer } from '../compare.ts'
import type { OrderTarget } from '../order-targets.ts'
import type { Script } from './client.ts'
import { orderRequest } from './order-request.ts'
import { openRecorder, type Pipeline, type Recorder } from './recorder.ts'

/**
 * Number of orders before the recording: enough that the service has cached the token and prepared its SQL statements.
 */
const unrecorded = 500

/**
 * Maximum number of attempts to record an order. A recording that contains a statement of the request log or of the
 * rate limits is repeated.
 */
const triesMax = 20

export const itemsPerOrder = 3

/**
 * Records the messages that the service sends to PostgreSQL for one order. From the rows of the orders created before
 * it, PostgreSQL computes planner statistics.
 */
export async function recordScript(
  { connectionString }: TemporaryPostgres,
  targets: readonly OrderTarget[],
): Promise<Omit<Script, 'connections'>> {
  const url = new URL(connectionString)
  const recorder = await openRecorder(Number(url.port))
  url.port = String(recorder.port)
  const service = await startServer('service.ts', [url.href, 'unlogged'])
  const order = (start: number) => sendOrder(`${service.url}/api/v1/orders`, orderedFrom(targets, start))
  try {
    for (let start = 0; start < unrecorded; start++) await order(start)
    const [first, second] = [await recordOne(recorder, () => order(0)), await recordOne(recorder, () => order(0))]
    const names = first.flatMap((pipeline) => pipeline.names)
    return {
      statements: [...new Set(names)].map((name) => base64Of(recorder.statements.get(name))),
      pipelines: first.map(({ bytes }) => base64Of(bytes)),
      other: second.map(({ bytes }) => base64Of(bytes)),
      orderedIds: orderedFrom(targets, 0).map(({ variantId }) => variantId),
      variantIds: targets.map(({ variantId }) => variantId),
    }
  } finally {
    service.stop()
    recorder.close()
  }
}

/** Returns the product variants of one order: consecutive ones, starting at an index. */
export function orderedFrom(targets: readonly OrderTarget[], start: number): readonly OrderTarget[] {
  return Array.from({ length: itemsPerOrder }, (_, item) => targets[(start + item) % targets.length]).filter(
    (target) => target !== undefined,
  )
}

async function sendOrder(url: string, targets: readonly OrderTarget[]): Promise<void> {
  const response = await fetch(url, { method: 'POST', ...orderRequest(targets) })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`POST ${url} returned ${response.status}: ${text}`)
}

/** Repeats the recording until it consists of a single transaction with prepared statements. */
async function recordOne(recorder: Recorder, order: () => Promise<void>): Promise<readonly Pipeline[]> {
  for (let turn = 0; turn < triesMax; turn++) {
    const pipelines = await recorder.record(order)
    if (isOneTransaction(pipelines)) return pipelines
  }
  throw new Error(`None of ${triesMax} recordings was a single transaction.`)
}

function isOneTransaction(pipelines: readonly Pipeline[]): boolean {
  const names = pipelines.flatMap((pipeline) => pipeline.names)
  return (
    new Set(pipelines.map(({ connection }) => connection)).size === 1 &&
    pipelines.every(({ isPrepared }) => isPrepared) &&
    names[0] === 'begin' &&
    names.at(-1) === 'commit' &&
    names.filter((name) => name === 'begin').length === 1
  )
}

function base64Of(bytes: Buffer | undefined): string {
  if (bytes === undefined) throw new Error('A statement was not prepared.')
  return bytes.toString('base64')
}
