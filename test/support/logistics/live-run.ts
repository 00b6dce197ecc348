import { expect } from 'vitest'
import type { ConnectableCarrier } from '../../../registry/values/carriers.ts'
import { connectCarrier } from '../../../src/access/connect-carrier.ts'
import { disconnectCarrier } from '../../../src/access/disconnect-carrier.ts'
import { silentLog } from '../../../src/base/log.ts'
import { applyCarrierCallbacks } from '../../../src/logistics/callbacks/apply-callbacks.ts'
import { type Breakers, openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import type { Carrier, CarrierAccount, CarrierCode, RawCallback } from '../../../src/partners/carriers/carrier.ts'
import { openChowdeckBench, openFezBench, openShipbubbleBench } from '../../partners/carriers/benches.ts'
import { type Reply, sendRaw, type TestApi, useApi, vault } from '../api.ts'
import { select } from '../database-contents.ts'
import { openShop, operator, type Shop } from '../shop.ts'
import { cancelShipment, getShipment, parcelTo, pass, plainPhone, post } from './parcel-run.ts'

/**
 * Live merchants with accounts at the fake servers of the real carriers. The tests dispatch their shipments over HTTP.
 */

const carriers = new Map<CarrierCode, Carrier>()
let breakers: Breakers = openBreakers()

/**
 * Circuit breakers that forward every call to a replaceable set of breakers. A test replaces that set, so that the
 * failures of one test do not open a breaker in the next test.
 */
const currentBreakers: Breakers = {
  run: (asked, request, call) => breakers.run(asked, request, call),
  openFor: (asked, operation) => breakers.openFor(asked, operation),
  circuits: () => breakers.circuits(),
}

export function resetBreakers(): void {
  breakers = openBreakers()
}

/**
 * Carrier timeouts within which a response arrives even on a busy machine. In production, the timeout of a quote is 4
 * s. If a fake server gives no response, it ends the request at once.
 */
const timeouts = { quoteMs: 8_000, createMs: 8_000, readMs: 8_000, cancelMs: 8_000 }

export function useLiveApi(): () => TestApi {
  return useApi({ carriers, breakers: currentBreakers, timeouts })
}

const openers = {
  chowdeck: () => openChowdeckBench(),
  fez: (api: TestApi) => openFezBench(api.clock),
  shipbubble: (api: TestApi) => openShipbubbleBench(api.clock),
} as const

export type LiveBenches = { readonly [Code in ConnectableCarrier]: Awaited<ReturnType<(typeof openers)[Code]>> }

export interface LiveRun<Code extends ConnectableCarrier = ConnectableCarrier> {
  readonly api: TestApi
  readonly shop: Shop
  readonly benches: Pick<LiveBenches, Code>
  /**
   * Sends a carrier's callback to the URL of the merchant's carrier account, and applies the callback as the worker
   * does.
   */
  sendCallback(code: Code, callback: RawCallback): Promise<Reply>
  quote(more?: object): Promise<Reply>
  schedule(more: object): Promise<Reply>
  /** Dispatches a shipment with the connected carriers in the order of their names. */
  dispatch(more?: object): Promise<Reply>
  read(id: string): Promise<Reply>
  cancel(id: string, more?: object): Promise<Reply>
  pass(seconds: number, stepSeconds?: number): Promise<void>
  connect(code: Code, credentials?: CarrierAccount['credentials']): Promise<void>
  disconnect(code: Code): Promise<void>
}

/** Opens a merchant with new accounts at the given fake carriers. */
export async function openLive<Code extends ConnectableCarrier>(
  api: TestApi,
  ...codes: readonly Code[]
): Promise<LiveRun<Code>> {
  breakers = openBreakers()
  // Shipments of earlier tests are no longer checked, because the fake servers of their carriers are closed.
  for (const table of ['shipments', 'dispatch_attempts']) await select(api, `update ${table} set next_check_at = null`)
  const shop = await openShop(api.context)
  const opened = await Promise.all(codes.map(async (code) => [code, await openers[code](api)] as const))
  const context = { ...api.context, vault, isProduction: false }
  const benches = keyed<Pick<LiveBenches, Code>>(opened)
  const paths = new Map<Code, string>()
  const connect = async (carrier: Code, credentials = benches[carrier].account.credentials) => {
    const outcome = await connectCarrier(context, operator, shop.tenant, { carrier, credentials })
    if (outcome.is !== 'connected') throw new Error(`${carrier} is not connected: ${outcome.is}.`)
    paths.set(carrier, outcome.callbackPath)
  }
  for (const [code, bench] of opened) {
    carriers.set(code, bench.carrier)
    await connect(code)
  }
  const failover = { strategy: 'preferred', carriers: codes, maxPriceKobo: 10_000_000 }
  return {
    api,
    shop,
    benches,
    sendCallback: async (code, { body, headers }) => {
      const sent = { method: 'POST', path: paths.get(code) ?? '', headers: present(headers), body: Buffer.from(body) }
      const reply = await sendRaw(api, sent)
      await applyCarrierCallbacks({ ...api.context, log: silentLog }, shop.merchantId)
      return reply
    },
    quote: (more = {}) => {
      const { reference: _, ...wanted } = Object(parcelTo(plainPhone, more))
      return post(api, shop, 'quote', wanted)
    },
    schedule: (more) => post(api, shop, 'predictive-schedule', parcelTo(plainPhone, { carriers: codes, ...more })),
    dispatch: (more = {}) => post(api, shop, 'dispatch', parcelTo(plainPhone, { failover, ...more })),
    read: (id) => getShipment(api, shop, id),
    cancel: (id, more) => cancelShipment(api, shop, id, more),
    pass: (seconds, stepSeconds) => pass(api, seconds, stepSeconds),
    connect,
    disconnect: async (code) => {
      const outcome = await disconnectCarrier(api.context, operator, shop.tenant, code)
      if (outcome.is !== 'disconnected') throw new Error(`${code} is not disconnected: ${outcome.is}.`)
    },
  }
}

function present(headers: RawCallback['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/**
 * Converts the entries, each a code and its value, to an object with one member for each code. The caller must provide
 * an entry for every code.
 */
function keyed<Whole>(entries: readonly (readonly [string, unknown])[]): Whole {
  return Object.fromEntries(entries) as Whole
}

/** Returns the id of the shipment in a dispatch response, whether or not a carrier accepted the shipment. */
export function shipmentIdOf({ body }: Reply): string {
  return body.id ?? body.error.details.shipmentId
}

/** Statuses of a shipment that require no action by the merchant. */
const statusesWithoutAction = [
  'awaiting_courier',
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'delivered',
  'cancelled',
]

/**
 * Checks a shipment, regardless of the responses of its carriers. A carrier has accepted the shipment, the shipment
 * failed with a reason, or an exception names the carrier to contact. Unless its status is final, the shipment has a
 * next check. If the carriers have more orders than the shipment needs, an exception reports a possible duplicate.
 */
export async function expectActionable(
  run: Pick<LiveRun, 'api' | 'read'> & { readonly benches: Partial<LiveBenches> },
  id: string,
): Promise<Reply['body']> {
  const { body } = await run.read(id)
  const seen = JSON.stringify(body, null, 1)
  const codes: string[] = body.exceptions.map(({ code }: { code: string }) => code)
  const [row] = await select(run.api, 'select next_check_at as next from shipments where id = $1', [id])
  const isOver = ['delivered', 'returned', 'cancelled', 'failed', 'lost'].includes(body.status)
  expect(row.next === null, `${row.next} ${seen}`).toBe(isOver)
  for (const { outcome, state } of body.attempts) {
    if (state !== 'sending')
      expect(outcome, seen).toEqual({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/\S/) })
  }
  if (body.status === 'failed') {
    expect(['no_carrier_available', 'outcome_unknown'], seen).toContain(body.statusReason.code)
    if (body.statusReason.code === 'outcome_unknown') expect(codes, seen).toContain('outcome_unknown')
    if (body.attempts.length === 0) expect(body.statusReason.message, seen).toMatch(/Chowdeck|Fez|Shipbubble/)
  } else if (!statusesWithoutAction.includes(body.status)) {
    expect(['dispatching', 'cancelling'], seen).toContain(body.status)
    expect(codes, seen).toContain('outcome_unknown')
  }
  const held = Object.values(run.benches).flatMap((bench) => bench?.held() ?? [])
  // While the outcome of an attempt is unknown, its carrier may still have an order. An exception asks the merchant to
  // contact this carrier.
  const isUnknown = body.status === 'failed' && body.statusReason.code === 'outcome_unknown'
  const isWanted = isUnknown || (body.status !== 'failed' && body.status !== 'cancelled')
  if (held.length > (isWanted ? 1 : 0))
    expect(codes, `${held.join()} ${seen}`).toContainEqual(expect.stringMatching(/duplicate/))
  const isElsewhere = held.length === 0 && body.carrierReference !== null
  if (isElsewhere && isWanted && !isUnknown && body.status !== 'delivered')
    expect(codes, seen).toContain('order_missing')
  return body
}
