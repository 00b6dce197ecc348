import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { allOperations } from '../../src/http/app.ts'
import type { Caller } from '../../src/http/pipeline/caller.ts'
import { answerInternal } from '../../src/http/pipeline/pipeline.ts'
import { openSharedReads } from '../../src/http/pipeline/shared-reads.ts'
import { openService } from '../../src/http/service.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { useApi } from '../support/api.ts'
import { openRoundTripCounter } from '../support/round-trips.ts'
import { everyScope, mintToken, openShop, placeOrder, type Shop, stockVariant } from '../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'

const staysConnected = () => () => undefined

/** A connection of an HTTP client that the test can close. */
function openClient() {
  const listeners = new Set<() => void>()
  return {
    onDisconnect: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    disconnect: () => {
      for (const listener of listeners) listener()
    },
    listeners,
  }
}

test('equal reads that arrive in one turn of the event loop are executed once and share the result', async () => {
  const share = openSharedReads<number>()
  let runs = 0
  const read = (key: string) => share(key, staysConnected, async () => ++runs)
  expect(await Promise.all([read('a'), read('b'), read('a'), read('a')])).toEqual([1, 2, 1, 1])
  expect(runs).toBe(2)
})

test('a read that arrives after an equal read has started is executed separately', async () => {
  const share = openSharedReads<number>()
  let runs = 0
  const release = Promise.withResolvers<void>()
  const firstStarted = Promise.withResolvers<void>()
  const run = async () => {
    const result = ++runs
    firstStarted.resolve()
    await release.promise
    return result
  }
  const first = share('a', staysConnected, run)
  await firstStarted.promise
  const second = share('a', staysConnected, run)
  release.resolve()
  expect(await Promise.all([first, second])).toEqual([1, 2])
})

test('a failed read fails each request that shares it, and no later request', async () => {
  const share = openSharedReads<string>()
  const fail = () => share('a', staysConnected, () => Promise.reject(new Error('lost')))
  expect(await Promise.allSettled([fail(), fail()])).toMatchObject([
    { reason: { message: 'lost' } },
    { reason: { message: 'lost' } },
  ])
  expect(await share('a', staysConnected, async () => 'read')).toBe('read')
})

test('a shared read is abandoned when the last of its clients has disconnected', async () => {
  const share = openSharedReads<string>()
  const [one, other] = [openClient(), openClient()]
  let isAbandoned = false
  const ended = Promise.withResolvers<string>()
  const listening = Promise.withResolvers<() => void>()
  const run = (onDisconnect: (listener: () => void) => () => void) => {
    listening.resolve(
      onDisconnect(() => {
        isAbandoned = true
      }),
    )
    return ended.promise
  }
  const results = Promise.all([share('a', one.onDisconnect, run), share('a', other.onDisconnect, run)])
  const stopListening = await listening.promise
  one.disconnect()
  expect(isAbandoned).toBe(false)
  other.disconnect()
  expect(isAbandoned).toBe(true)
  stopListening()
  expect([one.listeners.size, other.listeners.size]).toEqual([0, 0])
  ended.resolve('read')
  expect(await results).toEqual(['read', 'read'])
})

test('a list page contains each order whose creation was confirmed before the list request, even if equal requests share the read', async () => {
  const api = started()
  const shop = await openShop(api.context)
  let isWriting = true
  const readSteadily = async () => {
    while (isWriting) await api.send('GET', path, { token: shop.token })
  }
  const readers = Array.from({ length: 8 }, readSteadily)
  const missing: string[] = []
  for (let count = 0; count < 20; count++) {
    const { id } = await placeOrder(api, shop, { isPaid: false })
    const { body } = await api.send('GET', path, { token: shop.token })
    if (!body.data.some((order: { id: string }) => order.id === id)) missing.push(id)
  }
  isWriting = false
  await Promise.all(readers)
  expect(missing).toEqual([])
})

/** Opens the service on the database of the test's API, behind a proxy that counts its round trips to PostgreSQL. */
async function openCounted() {
  const api = started()
  const counter = await openRoundTripCounter(api.connectionString)
  const database = openDatabase({ connectionString: counter.connectionString })
  const service = await openService({ database, clock: api.clock, nudge: () => undefined }, silentLog, 0)
  const operations = allOperations()
  const socket = new Socket()
  /** Sends concurrent requests in one turn of the event loop. Returns the number of round trips to the database. */
  const countReads = async (requests: readonly ListRequest[]) => {
    const before = counter.roundTrips()
    await Promise.all(requests.map((request) => answerInternal(service, ...partsOf(request))))
    return counter.roundTrips() - before
  }
  const partsOf = ({ shop, list = 'listOrders', params = {}, query = {} }: ListRequest) => {
    const operation = operations.find(({ endpoint }) => endpoint.id === list)
    if (operation === undefined) throw new Error(`There is no operation ${list}.`)
    const caller: Caller = {
      ...shop.tenant,
      by: { type: 'token', id: shop.tokenId, label: shop.tokenId, sessionId: null },
      scopes: everyScope,
      sourceIp: '127.0.0.1',
      rateLimits: null,
    }
    const head = { headers: {}, rawHeaders: [], socket }
    return [operation, { caller, requestId: 'req_1', head, params, query }] as const
  }
  const close = async () => {
    await service.subscription.close()
    await database.close()
    await counter.close()
  }
  return { countReads, close }
}

interface ListRequest {
  readonly shop: Shop
  readonly list?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

test('requests share a database read only if their merchant, list, record, filters, limit and cursor are equal', async () => {
  const api = started()
  const [shop, other] = [await openShop(api.context), await openShop(api.context)]
  const [one, two] = [await placeOrder(api, shop), await placeOrder(api, shop)]
  const { body: page } = await api.send('GET', `${path}?limit=1`, { token: shop.token })
  const { countReads, close } = await openCounted()
  const payments = (orderId: string): ListRequest => ({ shop, list: 'listPayments', query: { orderId } })
  const product = await stockVariant(api, shop.merchantId)
  const otherProduct = await stockVariant(api, shop.merchantId)
  const movements = ({ productId, variantId }: typeof product): ListRequest => {
    return { shop, list: 'listInventoryMovements', params: { id: productId, variantId } }
  }
  // A new database connection causes an additional round trip. Therefore the test first opens as many connections as
  // any of its measurements uses.
  await countReads([movements(product), movements(otherProduct)])
  const counts = {
    equal: await countReads([{ shop }, { shop }, { shop }]),
    merchants: await countReads([{ shop }, { shop: other }]),
    lists: await countReads([{ shop }, { shop, list: 'listRefunds' }]),
    filters: await countReads([{ shop }, { shop, query: { status: 'cancelled' } }]),
    limits: await countReads([{ shop }, { shop, query: { limit: '1' } }]),
    cursors: await countReads([{ shop }, { shop, query: { cursor: page.pagination.cursor } }]),
    orders: await countReads([payments(one.id), payments(two.id)]),
    // Each of these read requests executes two statements on two database connections.
    variant: await countReads([movements(product), movements(product)]),
    variants: await countReads([movements(product), movements(otherProduct)]),
    later: (await countReads([{ shop }])) + (await countReads([{ shop }])),
  }
  await close()
  expect(counts).toEqual({
    ...{
      equal: 1,
      merchants: 2,
      lists: 2,
      filters: 2,
      limits: 2,
      cursors: 2,
      orders: 2,
      variant: 2,
      variants: 4,
      later: 2,
    },
  })
})

test('a token without the scope gets no list page, even when its merchant sends an equal request with the scope', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const unscoped = await mintToken(api.context, shop.tenant, { scopes: ['products:read'] })
  const send = async (token: string) => (await api.send('GET', path, { token })).status
  expect(await Promise.all([send(shop.token), send(unscoped.token), send(shop.token)])).toEqual([200, 403, 200])
})
