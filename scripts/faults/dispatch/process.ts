import { createHash } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { dispatchShipment as operation } from '../../../registry/logistics/shipments.ts'
import type { MerchantId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { openLog } from '../../../src/base/log.ts'
import { cancelShipment } from '../../../src/logistics/cancellation/cancel-shipment.ts'
import { type LogisticsContext, openLogistics } from '../../../src/logistics/carriers/context.ts'
import { dispatchShipment } from '../../../src/logistics/dispatch/dispatch-shipment.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import type { Carrier } from '../../../src/partners/carriers/carrier.ts'
import { openSimulatorCarriers } from '../../../src/partners/carriers/simulator.ts'
import { openDatabase } from '../../../src/store/core/database.ts'
import { operator, vault } from '../merchants.ts'
import { isReached, type KillPoint } from './points.ts'

/**
 * A message from the parent process to the dispatching process. The dispatching process dispatches, cancels and checks
 * shipments, like a process that runs both the API and the worker. The parent process sends the requests and the time,
 * runs the simulated carriers, and selects the point at which the dispatching process kills itself.
 */
export type ToDispatcher =
  | {
      readonly is: 'start'
      readonly connectionString: string
      readonly simulatorUrl: string
      readonly nowMs: number
      /** The kill point. The process kills itself when it has reached the kill point `occurrence` times. */
      readonly kill: { readonly point: KillPoint; readonly occurrence: number } | null
    }
  | {
      readonly is: 'dispatch'
      readonly merchantId: MerchantId
      readonly reference: string
      readonly phone: string
      readonly carriers: readonly string[]
    }
  | { readonly is: 'cancel'; readonly merchantId: MerchantId; readonly id: ShipmentId }
  | { readonly is: 'check'; readonly nowMs: number }

/** Messages from the process that dispatches: one when it has loaded its modules, then one for each completed command. */
export type FromDispatcher = { readonly is: 'loaded' } | { readonly is: 'done'; readonly number: number }

export type Numbered = ToDispatcher & { readonly number: number }

/**
 * Short timeouts of carrier requests: a response on the same machine takes milliseconds, and a hanging carrier should
 * not delay a round.
 */
const timeouts = { quoteMs: 5_000, createMs: 400, readMs: 5_000, cancelMs: 5_000 }

let nowMs = 0
let opened: LogisticsContext | undefined

function start({ connectionString, simulatorUrl, kill }: Extract<ToDispatcher, { is: 'start' }>): void {
  const log = openLog('error')
  const reach = killerOf(kill)
  const outbound = openSafeFetch({ allowsLoopback: true })
  const companies = Object.values(openSimulatorCarriers(outbound.fetch, simulatorUrl))
  opened = openLogistics({
    database: openDatabase({ connectionString }),
    clock: { nowMs: () => nowMs },
    nudge: () => undefined,
    log,
    vault,
    carriers: new Map(companies.map((carrier) => [carrier.code, withKillPoints(carrier, reach)])),
    timeouts,
    reach,
  })
}

/** Returns a function that kills this process when it has reached the kill point the given number of times. */
function killerOf(kill: Extract<ToDispatcher, { is: 'start' }>['kill']) {
  let occurrences = 0
  return async (name: string, moment: string) => {
    if (kill === null || !isReached(kill.point, name, moment)) return
    occurrences += 1
    if (occurrences < kill.occurrence) return
    process.kill(process.pid, 'SIGKILL')
    // Waits for the signal that kills the process, so that the process does no further work.
    await new Promise(() => undefined)
  }
}

/** Returns the carrier with a possible kill point before and after each call to it. */
function withKillPoints(carrier: Carrier, reach: (name: string, moment: string) => Promise<void>): Carrier {
  const around = async <Result>(name: string, call: () => Promise<Result>) => {
    await reach(name, 'requesting')
    const result = await call()
    await reach(name, 'responded')
    return result
  }
  const { find } = carrier
  return {
    ...carrier,
    create: (account, request, signal) => around('create', () => carrier.create(account, request, signal)),
    cancel: (account, order, reason, signal) => around('cancel', () => carrier.cancel(account, order, reason, signal)),
    ...(find === undefined
      ? {}
      : { find: (account, sought, signal) => around('find', () => find(account, sought, signal)) }),
  }
}

async function handle(message: ToDispatcher): Promise<void> {
  if (message.is === 'start') {
    nowMs = message.nowMs
    return start(message)
  }
  if (opened === undefined) throw new Error('The first message must be start.')
  switch (message.is) {
    case 'dispatch': {
      const { merchantId, reference } = message
      const call = { context: opened, tenant: { merchantId, mode: 'test' }, actor: operator, isDryRun: false } as const
      await dispatchShipment(call, inputOf(message), createHash('sha256').update(reference).digest('hex'))
      return
    }
    case 'cancel': {
      const { merchantId, id } = message
      const call = { context: opened, tenant: { merchantId, mode: 'test' }, actor: operator, isDryRun: false } as const
      await cancelShipment({ ...call, expectedVersion: undefined }, id, {
        reason: 'customer_request',
        maxFeeKobo: highLimitKobo,
      })
      return
    }
    case 'check':
      nowMs = message.nowMs
      await checkDueShipments(opened)
  }
}

/** A price limit above every price and every cancellation fee. */
const highLimitKobo = operation.body.schema.shape.failover.unwrap().shape.maxPriceKobo.unwrap().parse(100_000_000)

function inputOf({ reference, phone, carriers }: Extract<ToDispatcher, { is: 'dispatch' }>) {
  return operation.body.schema.parse({
    reference,
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, phone },
    parcels: [parcelExample],
    failover: { enabled: true, strategy: 'preferred', carriers, maxAttempts: 3, maxPriceKobo: highLimitKobo },
  })
}

function send(message: FromDispatcher): void {
  process.send?.(message)
}

process.on('message', async (message: Numbered) => {
  await handle(message)
  send({ is: 'done', number: message.number })
})
// Ends this process when its parent process ends.
process.on('disconnect', () => process.exit())
flushCompileCache()
send({ is: 'loaded' })
