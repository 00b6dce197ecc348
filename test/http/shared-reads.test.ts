import { expect, test } from 'vitest'
import { openSharedReads } from '../../src/http/pipeline/shared-reads.ts'
import { useApi } from '../support/api.ts'
import { mintToken, openShop, placeOrder } from '../support/shop.ts'

const started = useApi()
const path = '/api/v1/orders'

const staysConnected = () => () => undefined

/** A client whose disconnect a test triggers. */
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

test('equal reads of one turn run once and have the same result', async () => {
  const share = openSharedReads<number>()
  let runs = 0
  const read = (key: string) => share(key, staysConnected, async () => ++runs)
  expect(await Promise.all([read('a'), read('b'), read('a'), read('a')])).toEqual([1, 2, 1, 1])
  expect(runs).toBe(2)
})

test('a read that arrives after an equal one has started runs again', async () => {
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

test('a failure reaches each request that shares the read, and none after it', async () => {
  const share = openSharedReads<string>()
  const fail = () => share('a', staysConnected, () => Promise.reject(new Error('lost')))
  expect(await Promise.allSettled([fail(), fail()])).toMatchObject([
    { reason: { message: 'lost' } },
    { reason: { message: 'lost' } },
  ])
  expect(await share('a', staysConnected, async () => 'read')).toBe('read')
})

test('a read is abandoned when the last of its clients has disconnected', async () => {
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

test('a page contains each order whose creation was answered before the request, beside equal requests', async () => {
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

test('merchants, tokens without the scope, filters and pages do not share a response', async () => {
  const api = started()
  const [shop, other] = [await openShop(api.context), await openShop(api.context)]
  const unscoped = await mintToken(api.context, shop.tenant, { scopes: ['products:read'] })
  await placeOrder(api, shop, { isPaid: false })
  const sizeOf = async (token: string, query = '') => {
    const { status, body } = await api.send('GET', path + query, { token })
    return status === 200 ? body.data.length : body.error.code
  }
  const sizes = await Promise.all([
    sizeOf(shop.token),
    sizeOf(other.token),
    sizeOf(unscoped.token),
    sizeOf(shop.token, '?status=cancelled'),
    sizeOf(shop.token, '?limit=0'),
    sizeOf(shop.token),
  ])
  expect(sizes).toEqual([1, 0, 'insufficient_scope', 0, 'validation_failed', 1])
})
