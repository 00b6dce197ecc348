import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../../src/store/core/database.ts'
import { freePort } from '../../../src/store/embedded/server.ts'
import type { Haproxy } from '../haproxy.ts'
import { addEndpoint, contextOf, emit, encryptionKey, openMerchant } from '../merchants.ts'
import { openReceivers } from '../receivers.ts'
import { startServiceProcess } from '../service-process.ts'
import type { Fleet } from './fleet.ts'
import { startLoad } from './load.ts'

export interface Rotation {
  readonly fleet: Fleet
  readonly haproxy: Pick<Haproxy, 'url' | 'until'>
  readonly token: string
  readonly connectionString: string
  readonly clients: number
}

const newKey = Buffer.alloc(32, 12)

/** The service encrypts with the first key. */
const settingsOf = (...keys: readonly Buffer[]) => ({
  ENCRYPTION_KEY: keys.map((key) => key.toString('base64')).join(','),
})

/** Interval between two emitted events: short enough that each process sends deliveries during each restart. */
const emitEveryMs = 50

/**
 * Rotates the encryption key by the steps of the Operations guide. Returns true if every request succeeded, each
 * webhook delivery succeeded at its first attempt, the audit logs verify with the new key alone, and no process with a
 * wrong key ever reported that it was ready.
 */
export async function rotateUnderLoad(rotation: Rotation): Promise<boolean> {
  const { fleet, haproxy, token, connectionString, clients } = rotation
  const database = openDatabase({ connectionString, maxConnections: 4 })
  const receivers = await openReceivers()
  try {
    for (const index of fleet.urls.keys()) await haproxy.until(index, 'UP')
    const tenant = await openMerchant(database)
    await addEndpoint(database, tenant, receivers.url)
    const load = startLoad({ url: haproxy.url, token, clients })
    const emitter = startEmitter(() => emit(contextOf(database), tenant, 1))
    const restartAll = async (step: string, keys: readonly Buffer[]) => {
      for (const index of fleet.urls.keys()) {
        await fleet.restart(index, settingsOf(...keys))
        await haproxy.until(index, 'UP')
      }
      console.log(`${step}: ${load.completed()} requests and ${receivers.receipts.length} deliveries so far`)
    }
    const problems: string[] = []
    const wrong = await readinessOf(connectionString, newKey)
    if (wrong.includes(200)) problems.push('A process with a wrong key was ready.')
    await restartAll('old,new', [encryptionKey, newKey])
    await restartAll('new,old', [newKey, encryptionKey])
    problems.push(...(await run(connectionString, [newKey, encryptionKey], 'secrets', 'reseal')))
    await restartAll('new', [newKey])
    const late = await readinessOf(connectionString, encryptionKey)
    if (late.includes(200)) problems.push('A process with the retired key alone was ready.')
    const emitted = await emitter.stop()
    problems.push(...(await load.stop()))
    problems.push(...(await deliveryProblems(database, tenant.merchantId, emitted)))
    problems.push(...(await run(connectionString, [newKey], 'audit', 'verify', '--merchant', tenant.merchantId)))
    problems.push(...(await run(connectionString, [newKey], 'audit', 'verify', '--shared')))
    for (const problem of problems) console.error(problem)
    console.log(`requests: ${load.completed()} deliveries: ${emitted} problems: ${problems.length}`)
    return problems.length === 0
  } finally {
    await database.close()
    receivers.close()
  }
}

/** Emits one event after another until it is stopped. Returns the number of emitted events. */
function startEmitter(emitOne: () => Promise<void>) {
  let isStopping = false
  const running = (async () => {
    let emitted = 0
    for (; !isStopping; emitted++) {
      await emitOne()
      await wait(emitEveryMs)
    }
    return emitted
  })()
  return {
    stop: () => {
      isStopping = true
      return running
    },
  }
}

/** Maximum wait until the webhook deliveries end, far longer than a delivery takes. */
const deliveredWithinMs = 60_000

/** Waits until all webhook deliveries have ended. Returns those that did not succeed at their first attempt. */
async function deliveryProblems(
  database: ReturnType<typeof openDatabase>,
  merchantId: string,
  emitted: number,
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + deliveredWithinMs
  for (;;) {
    const { rows } = await database.pool.query<{ status: string; attempts: number; count: number }>(
      `select status, attempt_count as attempts, count(*)::int as count
       from webhook_deliveries where merchant_id = $1 group by 1, 2`,
      [merchantId],
    )
    const succeeded = rows.find(({ status, attempts }) => status === 'succeeded' && attempts === 1)?.count ?? 0
    if (succeeded === emitted) return []
    if (performance.now() > deadlineMs) return [`${emitted} deliveries, of which: ${JSON.stringify(rows)}`]
    await wait(emitEveryMs)
  }
}

/** Runs a command of the service with the given encryption keys. Returns the command's error if it fails. */
async function run(connectionString: string, keys: readonly Buffer[], ...words: string[]): Promise<readonly string[]> {
  const env = { ...process.env, NODE_ENV: 'development', DATABASE_URL: connectionString, ...settingsOf(...keys) }
  const child = spawn(process.execPath, ['src/cli.ts', ...words], { env, stdio: ['ignore', 'inherit', 'pipe'] })
  const closed = once(child, 'close')
  const errors = await textOf(child.stderr)
  const [code] = await closed
  return code === 0 ? [] : [`commerce ${words.join(' ')} ended with ${code}: ${errors}`]
}

/**
 * Starts a process with one encryption key and waits until it ends. Returns the statuses of the readiness probes that
 * it answered before its end.
 */
async function readinessOf(connectionString: string, key: Buffer): Promise<readonly number[]> {
  const port = await freePort()
  let hasEnded = false
  const starting = startServiceProcess(connectionString, { MANAGEMENT_PORT: String(port), ...settingsOf(key) })
  const ended = starting.then(
    ({ kill }) => {
      kill('SIGKILL')
      throw new Error('A process with a wrong key started.')
    },
    () => {
      hasEnded = true
    },
  )
  const statuses: number[] = []
  while (!hasEnded) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response !== undefined) statuses.push(response.status)
    await Promise.race([ended, wait(emitEveryMs)])
  }
  return statuses
}
