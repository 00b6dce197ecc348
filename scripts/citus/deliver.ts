import { enableWebhookEndpoint } from '../../src/access/enable-webhook-endpoint.ts'
import { replayDelivery } from '../../src/access/replay-delivery.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { listNodes } from '../../src/store/distribution/nodes.ts'
import { listDeliveries } from '../../src/store/webhooks/delivery-list.ts'
import { type EndpointKey, listEndpoints } from '../../src/store/webhooks/endpoints.ts'
import { addEndpoint, contextOf, emit, openMerchant, operator } from '../faults/merchants.ts'
import { openReceivers, type Receivers } from '../faults/receivers.ts'
import { startServiceProcess } from '../faults/service-process.ts'
import { until } from '../faults/until.ts'
import { type Loss, listLost, runCommand, untilAllRespond } from './node-commands.ts'

/**
 * Delivers webhooks of merchants on all nodes to a receiver, also while a node is lost. Compares the received
 * deliveries with the events.
 */

/** Number of merchants with a receiver that accepts all deliveries, so that every node has several. */
const merchantCount = 12

/**
 * `lostMs`: duration of the loss of a node in each round. `emitEveryMs`: pause between the events of merchants on the
 * other nodes during the loss.
 */
const lostMs = 8_000
const emitEveryMs = 200

/**
 * Maximum time from an event to its delivery for merchants on other nodes. Claims fail until the service has noticed
 * the loss of the node, at its next probe after 2 s. A delivery that waited for the end of a lease would take 30 s.
 */
const otherMaxMs = 20_000

interface Deliver {
  readonly url: string
  /** The commands that stop and start a node. If undefined, no node is stopped. */
  readonly loss: Loss | undefined
  readonly rounds: number
}

interface Shop extends EndpointKey {
  readonly tenant: Tenant
  readonly path: string
}

/**
 * Returns true if every event was delivered, and if the loss of a node did not slow the deliveries of merchants on
 * other nodes.
 */
export async function deliver({ url, loss, rounds }: Deliver): Promise<boolean> {
  const receivers = await openReceivers()
  const database = openDatabase({ connectionString: url, maxConnections: 10 })
  const shops: Shop[] = []
  while (shops.length < merchantCount) shops.push(await openShop(database, receivers, `/shop${shops.length}`))
  const nodes = (await listNodes(database)) ?? []
  const service = await startServiceProcess(url, { WEBHOOK_ALLOW_LOOPBACK: 'true', WEBHOOK_PACE_SECONDS: '1' })
  try {
    const failing = await openShop(database, receivers, '/failing')
    const retried = await openShop(database, receivers, '/retried')
    await deliverAll({ database, receivers, shops })
    await retryOne({ database, receivers, shops: [retried] })
    await disableAndEnable({ database, receivers, shops: [failing] })
    await replayOne({ database, receivers, shops })
    const sums: Round[] = []
    if (loss !== undefined)
      for (let round = 1; round <= rounds; round++) {
        const sum = await loseNode({ database, receivers, shops, url, loss })
        sums.push(sum)
        console.log(
          `round ${round} of ${rounds}: events: ${sum.events}, deliveries: ${sum.receipts}, slowest of other nodes: ${sum.slowestMs} ms, of the lost node after its return: ${sum.resumedMs} ms`,
        )
      }
    const isOnAll = nodes.length > 1 && nodes.every(({ merchants }) => merchants.some((id) => isOf(shops, id)))
    console.log(`nodes with merchants of the check: ${isOnAll ? 'all' : 'not all'} of ${nodes.length}`)
    const passed = isOnAll && sums.every(({ slowestMs }) => slowestMs <= otherMaxMs)
    if (!passed) console.error(service.output())
    return passed
  } catch (error) {
    console.error(service.output())
    throw error
  } finally {
    service.kill('SIGTERM')
    await service.ended
    await database.close()
    receivers.close()
  }
}

function isOf(shops: readonly Shop[], id: string): boolean {
  return shops.some(({ merchantId }) => merchantId === id)
}

async function openShop(database: Database, receivers: Receivers, path: string): Promise<Shop> {
  const tenant = await openMerchant(database)
  const endpointId = await addEndpoint(database, tenant, receivers.url + path)
  return { merchantId: tenant.merchantId, endpointId, tenant, path }
}

interface Part {
  readonly database: Database
  readonly receivers: Receivers
  readonly shops: readonly Shop[]
}

function acknowledged({ receipts }: Receivers, path: string): ReadonlySet<string> {
  return new Set(receipts.filter((each) => each.path === path && each.isAcknowledged()).map(({ eventId }) => eventId))
}

/** Waits until the deliveries of all merchants have succeeded in the database and at the receivers. */
async function untilDelivered({ database, receivers, shops }: Part): Promise<void> {
  for (const { merchantId, path } of shops) {
    const isDelivered = async () => {
      const deliveries = await listDeliveries(database, { merchantId, limit: 1_000 })
      const received = acknowledged(receivers, path)
      return deliveries.every(({ status, eventId }) => status === 'succeeded' && received.has(eventId))
    }
    await until(isDelivered, `Deliveries of ${merchantId} are missing.`)
  }
}

async function deliverAll(part: Part): Promise<void> {
  const context = contextOf(part.database)
  await Promise.all(part.shops.map(({ tenant }) => emit(context, tenant, 10)))
  await untilDelivered(part)
  console.log(`deliveries: ${part.receivers.receipts.length} of ${part.shops.length * 10}`)
}

/** The first attempt of each delivery fails. Its retry succeeds a minute later. */
async function retryOne(part: Part): Promise<void> {
  for (const { path, tenant } of part.shops) {
    part.receivers.answers.set(path, (response, count) => response.writeHead(count === 1 ? 500 : 200).end())
    await emit(contextOf(part.database), tenant, 1)
  }
  await untilDelivered(part)
  console.log('a failed delivery was retried')
}

/** Six failures disable the endpoint. Once the endpoint is enabled, all deliveries succeed. */
async function disableAndEnable({ database, receivers, shops }: Part): Promise<void> {
  const context = contextOf(database)
  for (const { path, tenant, merchantId, endpointId } of shops) {
    receivers.answers.set(path, (response) => response.writeHead(500).end())
    await emit(context, tenant, 8)
    const isDisabled = async () => (await listEndpoints(database, merchantId))[0]?.status === 'disabled'
    await until(isDisabled, 'Six failures did not disable the endpoint.')
    receivers.answers.delete(path)
    await enableWebhookEndpoint(context, operator, tenant, endpointId)
  }
  await untilDelivered({ database, receivers, shops })
  console.log('six failures disabled an endpoint, and its deliveries resumed')
}

async function replayOne({ database, receivers, shops: [shop] }: Part): Promise<void> {
  if (shop === undefined) return
  const { merchantId, tenant, path } = shop
  const [delivery] = await listDeliveries(database, { merchantId, limit: 1 })
  if (delivery === undefined) throw new Error('The merchant has no delivery.')
  await replayDelivery(contextOf(database), operator, tenant, delivery.id)
  const received = () => receivers.receipts.filter((each) => each.path === path && each.eventId === delivery.eventId)
  await until(async () => received().length === 2, 'The replay was not delivered.')
  await untilDelivered({ database, receivers, shops: [shop] })
  console.log('a delivery was replayed')
}

interface Round {
  readonly events: number
  readonly receipts: number
  /** The longest time from an event to its delivery, for merchants whose node was not lost. */
  readonly slowestMs: number
  /** The time from the return of the node until all deliveries have succeeded. */
  readonly resumedMs: number
}

async function loseNode({ url, loss, ...part }: Part & { url: string; loss: Loss }): Promise<Round> {
  const { database, receivers, shops } = part
  const context = contextOf(database)
  const before = receivers.receipts.length
  // The events are committed right before the node is lost, so that the node has due deliveries and deliveries in
  // flight.
  await Promise.all(shops.map(({ tenant }) => emit(context, tenant, 10)))
  await runCommand(loss.stop)
  const lost = new Set<string>(await listLost(url))
  const others = shops.filter(({ merchantId }) => !lost.has(merchantId))
  const untilMs = performance.now() + lostMs
  let events = shops.length * 10
  let slowestMs = 0
  while (performance.now() < untilMs) {
    const startMs = performance.now()
    await Promise.all(others.map(({ tenant }) => emit(context, tenant, 1)))
    events += others.length
    await untilDelivered({ database, receivers, shops: others })
    slowestMs = Math.max(slowestMs, performance.now() - startMs)
    await new Promise((resolve) => setTimeout(resolve, emitEveryMs))
  }
  const returnedMs = performance.now()
  await runCommand(loss.start)
  await untilAllRespond(url)
  await untilDelivered(part)
  const receipts = receivers.receipts.length - before
  return { events, receipts, slowestMs: Math.round(slowestMs), resumedMs: Math.round(performance.now() - returnedMs) }
}
