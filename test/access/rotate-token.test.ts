import { expect, test } from 'vitest'
import { rotateToken } from '../../src/access/rotate-token.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { useApi } from '../support/api.ts'
import { mintToken, openShop, operator, type Shop } from '../support/shop.ts'

const started = useApi()

const hourMs = 3_600_000
const dayMs = 24 * hourMs

async function rotate(shop: Shop, id: Shop['tokenId']) {
  const outcome = await rotateToken(started().context, operator, shop.tenant, { id, overlapMs: 24 * hourMs })
  if (outcome.is !== 'rotated') throw new Error(`Not rotated: ${outcome.is}.`)
  return outcome
}

test.for([
  ['that never expires', null],
  ['that expires after 90 days', 90],
] as const)('each rotation of a token %s gives the new token the lifetime that the old token had before its first rotation', async ([
  ,
  days,
]) => {
  const api = started()
  const shop = await openShop(api.context)
  const endOf = (lifetimeDays: number | null) =>
    lifetimeDays === null ? null : toTimestamp(api.clock.nowMs() + lifetimeDays * dayMs)
  const old = await mintToken(api.context, shop.tenant, { expiresAt: endOf(days) })
  expect((await rotate(shop, old.id)).expiresAt).toBe(endOf(days))
  // The new token was lost, so the old one is rotated again while both are valid.
  api.clock.advance(hourMs)
  const [second, third] = [await rotate(shop, old.id), await rotate(shop, old.id)]
  expect([second.expiresAt, third.expiresAt]).toEqual([endOf(days), endOf(days)])
  api.clock.advance(3 * dayMs)
  const statusOf = async (token: string) => (await api.send('GET', '/api/v1/orders', { token })).status
  expect([await statusOf(old.token), await statusOf(second.token)]).toEqual([401, 200])
})
