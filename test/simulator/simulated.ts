import { expect, onTestFinished } from 'vitest'
import { Parcel, parcelExample } from '../../registry/logistics/parcel.ts'
import { dropoffExample, pickupExample } from '../../registry/logistics/place.ts'
import { testCarriers } from '../../registry/service/test-carriers.ts'
import { Phone } from '../../registry/values/phone.ts'
import { stoppedClock, toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import type {
  Carrier,
  CarrierOffer,
  CreateRequest,
  Outcome,
  QuoteRequest,
} from '../../src/partners/carriers/carrier.ts'
import { openSimulatorCarriers } from '../../src/partners/carriers/simulator.ts'
import { openSimulator, type SimulatorOptions } from '../../src/simulator/simulator.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'

/** A time on a Saturday morning in Lagos, in milliseconds. */
export const morningMs = Date.UTC(2026, 10, 21, 8, 30)

export const noAccount = { credentials: {} }

export type Simulated = Awaited<ReturnType<typeof openSimulated>>

/** Opens the simulated carriers on a real socket, with a carrier adapter and a clock that the test advances. */
export async function openSimulated(
  connectionString: string,
  {
    clock = stoppedClock(morningMs),
    ...options
  }: Partial<Omit<SimulatorOptions, 'clock' | 'database'>> & { clock?: ReturnType<typeof stoppedClock> } = {},
) {
  const database: Database = openDatabase({ connectionString })
  const outbound = openSafeFetch({ allowsLoopback: true })
  const simulator = await openSimulator({ database, clock, send: outbound.fetch, ...options })
  onTestFinished(async () => {
    await simulator.close()
    await outbound.close()
    await database.close()
  })
  return {
    clock,
    database,
    simulator,
    send: outbound.fetch,
    carriers: openSimulatorCarriers(outbound.fetch, simulator.url),
  }
}

/** Returns an abort signal whose deadline is later than any response. */
export const patient = () => AbortSignal.timeout(120_000)

/**
 * Returns an abort signal for requests that get no response. Its deadline is short, but long enough that the request
 * reaches a busy server.
 */
export const impatient = () => AbortSignal.timeout(2_000)

interface Wish {
  readonly recipientPhone?: string
  readonly senderPhone?: string
  readonly weightGrams?: number
  readonly nowMs?: number
}

export function wish({ recipientPhone, senderPhone, weightGrams = 1_600, nowMs = morningMs }: Wish = {}): QuoteRequest {
  return {
    pickup: { ...pickupExample, phone: Phone.parse(senderPhone ?? pickupExample.phone) },
    dropoff: { ...dropoffExample, phone: Phone.parse(recipientPhone ?? dropoffExample.phone) },
    parcels: [Parcel.parse({ ...parcelExample, weightGrams: weightGrams / 2, quantity: 2 })],
    serviceLevels: ['on_demand', 'same_day', 'next_day', 'standard'],
    vehicle: 'bike',
    distanceMeters: 7_300,
    pickupAt: toTimestamp(nowMs),
  }
}

/** Creates an order reference in the form that a dispatch uses. */
export function newReference(attempt = 1): string {
  return `${newId('shp', morningMs)}-${attempt}`
}

export function granted<Value>(outcome: Outcome<Value>): Value {
  if (outcome.is !== 'ok') throw new Error(`The carrier did not do it: ${JSON.stringify(outcome)}`)
  return outcome.value
}

export async function offersOf(carrier: Carrier, request = wish()): Promise<readonly CarrierOffer[]> {
  return granted(await carrier.quote(noAccount, request, patient()))
}

/** Returns the request that creates an order at the carrier with its first offer. */
export async function orderFor(carrier: Carrier, request = wish(), reference = newReference()): Promise<CreateRequest> {
  const [offer] = await offersOf(carrier, request)
  if (offer === undefined) throw new Error('There is no offer.')
  return { ...request, reference, offer, undeliverable: 'return', pin: undefined }
}

export async function ordered(
  carrier: Carrier,
  request = wish(),
  account: { credentials: Record<string, string> } = noAccount,
) {
  const order = await orderFor(carrier, request)
  const { carrierReference } = granted(await carrier.create(account, order, patient()))
  return { carrierReference, reference: order.reference }
}

export async function statusOf(carrier: Carrier, name: { carrierReference: string; reference: string }) {
  return granted(await carrier.get(noAccount, name, patient())).status
}

/** Returns the duration of each simulation step for the first service of a carrier. */
export function stepMsOf(carrier: Carrier): number {
  const [service] = Object.entries(testCarriers).find(([code]) => code === carrier.code)?.[1].services ?? []
  return 30_000 * (service?.pace ?? Number.NaN)
}

/**
 * Sends a request to which the carrier does not respond. Aborts the request once the effect of the request is visible.
 */
export async function abortWhen<Value>(
  send: (signal: AbortSignal) => Promise<Outcome<Value>>,
  isVisible: () => Promise<boolean>,
): Promise<Outcome<Value>> {
  const controller = new AbortController()
  const response = send(controller.signal)
  await expect.poll(isVisible, { timeout: 120_000, interval: 10 }).toBe(true)
  controller.abort()
  return response
}

export async function countOrders(database: Database, reference: string): Promise<number> {
  const { rows } = await database.pool.query('select 1 from simulated_orders where reference = $1', [reference])
  return rows.length
}
