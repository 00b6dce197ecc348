import { setTimeout as wait } from 'node:timers/promises'
import { parcelInputExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { createToken } from '../../../src/access/create-token.ts'
import { randomOf } from '../../../src/demo/random.ts'
import { contextOf, operator } from '../merchants.ts'
import { findBrokenNow, findBrokenOnceSettled } from './invariants.ts'
import { parcelsOf } from './parcels.ts'
import { type DispatchWorld, isSettled, waitForIdleServer } from './rounds.ts'
import { type Service, startService } from './service.ts'

/**
 * Kills the whole service while a merchant dispatches over HTTP, restarts it and repeats the requests that got no
 * response. Unlike the rounds with simulated time, this test uses the system clock and random times, so that it
 * includes the job queue, the worker and the start of the service.
 *
 * start ── dispatches ── SIGKILL ── start ── repeats, new dispatches ── SIGKILL … ── start ── settled ── invariants
 */
export interface ServiceKillsReport {
  readonly kills: number
  readonly shipments: number
  /** Number of dispatches whose response was lost when the service was killed. */
  readonly withoutResponse: number
  /** Number of dispatch attempts in progress when the process was killed. */
  readonly open: number
  /**
   * Time from the last start of the service until every shipment was accepted, failed, or had an open shipment
   * exception.
   */
  readonly settledMs: number
}

/**
 * Maximum time from the start of the dispatches to the kill: a kill may come before the first shipment is stored or
 * after the last carrier request.
 */
const lifeMaxMs = 1_500

/** Number of concurrent dispatches: enough that some wait for a database connection while others wait for a carrier. */
const parcelsPerLife = 6

/**
 * Maximum wait for the end of the run: the service checks unknown outcomes and late acceptances for up to fifteen
 * minutes.
 */
const settledMaxMs = 35 * 60_000
const pollMs = 5_000

/** Timeout of a dispatch request. A dispatch responds within 25 s, so a service that needs twice as long is stuck. */
const responseMaxMs = 50_000

interface Dispatched {
  readonly reference: string
  readonly body: object
  /** Id of the dispatched shipment. Undefined until a response with the id has arrived. */
  shipmentId: string | undefined
}

export async function killService(world: DispatchWorld, kills: number): Promise<ServiceKillsReport> {
  const { database, connectionString, seed } = world
  const { pool } = database
  const context = contextOf(database)
  const { testId: merchantId } = await createMerchant(context, operator, 'Adire Lagos')
  const token = await createToken(context, operator, { merchantId, mode: 'test' }, tokenRequest)
  if (token.is !== 'created') throw new Error(`No token: ${token.is}.`)
  const dispatched: Dispatched[] = []
  const counts = { withoutResponse: 0, open: 0 }
  for (let life = 0; life < kills; life++) {
    const random = randomOf(seed, 'service', life)
    const lost = dispatched.filter(({ shipmentId }) => shipmentId === undefined)
    const fresh = parcelsOf(random, parcelsPerLife).map((parcel, place) => dispatchOf(parcel, `LIFE-${life}-${place}`))
    dispatched.push(...fresh)
    const service = await startService(connectionString)
    const requests = [...lost, ...fresh].map((one) => send(service, token.token, one))
    await wait(random.between(0, lifeMaxMs))
    service.kill()
    await service.ended
    await Promise.all(requests)
    await waitForIdleServer(pool)
    expectNone(await findBrokenNow(pool, merchantId))
    counts.withoutResponse += dispatched.filter(({ shipmentId }) => shipmentId === undefined).length
    counts.open += await countOpen(world, merchantId)
  }
  const service = await startService(connectionString)
  try {
    // Sends the dispatches one by one, because the test checks whether each repeated dispatch returns its first
    // shipment.
    for (const one of dispatched) await send(service, token.token, one)
    const withoutResponse = dispatched.filter(({ shipmentId }) => shipmentId === undefined)
    if (withoutResponse.length > 0)
      throw new Error(`${withoutResponse.length} dispatches got no response.\n${service.log()}`)
    const settledMs = await settle(world, merchantId)
    return { kills, shipments: dispatched.length, ...counts, settledMs }
  } finally {
    service.kill()
    await service.ended
  }
}

const tokenRequest = { name: 'faults', scopes: ['logistics:dispatch'], expiresAt: null, ipAllowlist: [] } as const

function dispatchOf({ phone, carriers }: ReturnType<typeof parcelsOf>[number], reference: string): Dispatched {
  const body = {
    reference,
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, phone },
    parcels: [parcelInputExample],
    failover: { strategy: 'preferred', carriers, maxPriceKobo: 10_000_000 },
  }
  return { reference, body, shipmentId: undefined }
}

/**
 * Sends a dispatch request and stores the shipment id from its response. If the request is repeated, the id must be the
 * same. A missing response is ignored.
 */
async function send({ url }: Service, token: string, one: Dispatched): Promise<void> {
  const response = await fetch(`${url}/api/v1/logistics/dispatch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(one.body),
    signal: AbortSignal.timeout(responseMaxMs),
  }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (response === undefined || text === undefined) return
  const shipmentId = shipmentIdIn(JSON.parse(text))
  if (shipmentId === undefined && response.status < 500) throw new Error(`${one.reference}: ${response.status} ${text}`)
  // A response without a shipment id means that the service was busy or that the outcome is unknown: the request is
  // repeated later.
  if (shipmentId === undefined) return
  if (one.shipmentId !== undefined && one.shipmentId !== shipmentId) {
    throw new Error(`${one.reference} has two shipments: ${one.shipmentId} and ${shipmentId}.`)
  }
  one.shipmentId = shipmentId
}

/** Returns the shipment id of a response, or of the error when no carrier accepted the shipment. */
function shipmentIdIn(body: { id?: string; error?: { details?: { shipmentId?: string } } }): string | undefined {
  return body.id ?? body.error?.details?.shipmentId
}

/**
 * Waits until the outcome of every shipment is certain or reported by an exception, and no invariant is violated.
 * Returns the duration.
 */
async function settle(world: DispatchWorld, merchantId: MerchantId): Promise<number> {
  const { pool } = world.database
  const startedMs = performance.now()
  for (;;) {
    expectNone(await findBrokenNow(pool, merchantId))
    const broken = (await isSettled(pool, merchantId)) ? await findBrokenOnceSettled(pool, merchantId) : undefined
    const ms = Math.round(performance.now() - startedMs)
    if (broken?.length === 0) return ms
    if (ms > settledMaxMs) throw new Error(broken?.join('\n') ?? `Not every shipment was settled after ${ms} ms.`)
    await wait(pollMs)
  }
}

async function countOpen({ database: { pool } }: DispatchWorld, merchantId: MerchantId): Promise<number> {
  const { rows } = await pool.query(
    "select from dispatch_attempts where merchant_id = $1 and state in ('sending', 'unknown', 'cancelling')",
    [merchantId],
  )
  return rows.length
}

function expectNone(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(broken.join('\n'))
}
