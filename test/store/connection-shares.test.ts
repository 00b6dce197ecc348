import { describe, expect, test } from 'vitest'
import { withinBounds } from '../../src/base/deadline.ts'
import { openConnectionShares } from '../../src/store/core/connection-shares.ts'
import { QueueRefused, type Release } from '../../src/store/core/keyed-queue.ts'

const limits = { connections: 20, each: 8, waitingMax: 100, waitMs: 60_000 }

/** Resolves after all pending callbacks of the event loop have run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

type Shares = ReturnType<typeof openConnectionShares>

/**
 * Requests database connections for a merchant. Returns the release functions of those requests that got a connection.
 */
function send(shares: Shares, merchantId: string, requests: number): Release[] {
  const entered: Release[] = []
  for (let count = 0; count < requests; count++) {
    shares.enter(merchantId).then(
      (release) => entered.push(release),
      () => undefined,
    )
  }
  return entered
}

describe('the connections of a pool', () => {
  test('one merchant uses at most its allowed share of a pool’s connections', async () => {
    const entered = send(openConnectionShares(limits), 'a', 50)
    await settle()
    expect(entered).toHaveLength(8)
  })

  test('busy merchants never use all connections of the pool, so that a request of another merchant gets a connection at once', async () => {
    const shares = openConnectionShares(limits)
    const busy = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((merchantId) => send(shares, merchantId, 50))
    await settle()
    const used = busy.reduce((sum, { length }) => sum + length, 0)
    expect(used).toBeLessThan(20)
    const quiet = send(shares, 'quiet', 1)
    await settle()
    expect(quiet).toHaveLength(1)
  })

  test('released connections of a pool are given to the waiting merchants in turn', async () => {
    const shares = openConnectionShares({ ...limits, connections: 4 })
    const [a, b] = [send(shares, 'a', 20), send(shares, 'b', 20)]
    await settle()
    for (let round = 0; round < 12; round++) {
      for (const entered of [a, b]) entered[round]?.()
      await settle()
    }
    expect(Math.abs(a.length - b.length)).toBeLessThanOrEqual(2)
  })

  test('all connections of a pool are free after the last one is released', async () => {
    const shares = openConnectionShares(limits)
    const entered = send(shares, 'a', 30)
    for (let index = 0; index < 30; index++) {
      await settle()
      entered[index]?.()
      // A second call of the same release function must have no effect.
      entered[index]?.()
    }
    expect(shares.waiting()).toBe(0)
    const again = send(shares, 'a', 30)
    await settle()
    expect(again).toHaveLength(8)
  })
})

describe('the requests that wait for the pool', () => {
  test('if a merchant uses its whole connection share, its further requests wait for the share and not for the connection pool', async () => {
    const shares = openConnectionShares(limits)
    send(shares, 'a', 50)
    await settle()
    expect([shares.waiting(), shares.waitingForPool()]).toEqual([42, 0])
  })

  test('if only the reserved connections of the pool are free, all waiting requests count as waiting for the pool, not for their merchant’s share', async () => {
    const shares = openConnectionShares(limits)
    for (const merchantId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) send(shares, merchantId, 50)
    await settle()
    expect(shares.waitingForPool()).toBe(shares.waiting())
    expect(shares.waitingForPool()).toBeGreaterThan(400)
  })
})

describe('a waiting request', () => {
  test('a request for a database connection is rejected when the queue of its merchant is full', async () => {
    const shares = openConnectionShares({ ...limits, each: 1, waitingMax: 1 })
    await shares.enter('a')
    send(shares, 'a', 1)
    await expect(shares.enter('a')).rejects.toThrow(QueueRefused)
    await shares.enter('b')
  })

  test('a request that waits for a database connection is rejected at its deadline', async () => {
    const shares = openConnectionShares({ ...limits, each: 1 })
    await shares.enter('a')
    const bounds = { queuedMs: 20, totalMs: 20, onDisconnect: () => () => undefined }
    await expect(withinBounds(bounds, () => shares.enter('a'))).rejects.toThrow(QueueRefused)
    expect(shares.waiting()).toBe(0)
  })

  test('a request that waits for a database connection leaves the queue when its client disconnects', async () => {
    const shares = openConnectionShares({ ...limits, each: 1 })
    const release = await shares.enter('a')
    const gone = Promise.withResolvers<() => void>()
    const onDisconnect = (listener: () => void) => {
      gone.resolve(listener)
      return () => undefined
    }
    const waiting = withinBounds({ queuedMs: 9_000, totalMs: 9_000, onDisconnect }, () => shares.enter('a'))
    const refused = expect(waiting).rejects.toThrow('The client disconnected.')
    const disconnect = await gone.promise
    disconnect()
    await refused
    release()
    await shares.enter('a')
  })

  test('a request for a database connection is rejected at once when its client has already disconnected', async () => {
    const shares = openConnectionShares({ ...limits, each: 1 })
    await shares.enter('a')
    const onDisconnect = (listener: () => void) => {
      listener()
      return () => undefined
    }
    const bounds = { queuedMs: 9_000, totalMs: 9_000, onDisconnect }
    await expect(withinBounds(bounds, () => shares.enter('a'))).rejects.toThrow('The client disconnected.')
  })
})
