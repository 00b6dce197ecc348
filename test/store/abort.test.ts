import { beforeAll, expect, test } from 'vitest'
import { newProductId, newVariantId } from '../../src/base/records.ts'
import { markSuspended } from '../../src/store/access/merchants.ts'
import { type Mutation, mutate, type Work } from '../../src/store/core/mutation.ts'
import { useApi } from '../support/api.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, operator, type Shop } from '../support/shop.ts'

/** A mutation that is aborted stores nothing. Every mutation that stores something has an audit row. */

const started = useApi()
let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

const mutated = (
  run: (work: Work) => Promise<string>,
  more: Partial<Pick<Mutation<string>, 'keyed' | 'resourceId'>> = {},
) =>
  mutate<string>(
    started().context,
    {
      ...{ tenant: shop.tenant, actor: operator, action: 'order.update' as const, resourceType: 'test' },
      resourceId: () => 'test',
      ...more,
    },
    run,
  )
const suspend = ({ trx, merchantId, now }: Work) => markSuspended(trx, { id: merchantId, now })

test('aborting a mutation rolls back all of its earlier writes, and the mutation returns the outcome given to abort()', async () => {
  const before = await contentsOf(started())
  const outcome = await mutated(async (work) => {
    expect(await suspend(work)).toBe(true)
    work.note({ suspended: [false, true] })
    return work.abort('aborted')
  })
  expect(outcome).toBe('aborted')
  expect(await contentsOf(started())).toEqual(before)
})

test('after a mutation was aborted, writing, emitting an event or adding an audit note throws an error', async () => {
  const before = await contentsOf(started())
  const continueAfterAbort = (after: (work: Work) => unknown) =>
    mutated(async (work) => {
      work.abort('aborted')
      await after(work)
      return 'changed'
    })
  await expect(continueAfterAbort(suspend)).rejects.toThrow('The transaction was aborted and cannot write.')
  await expect(continueAfterAbort((work) => work.note({}))).rejects.toThrow('order.update continued after abort().')
  expect(await contentsOf(started())).toEqual(before)
})

test('emitting an event that the mutation does not declare throws an error, and nothing is stored', async () => {
  const before = await contentsOf(started())
  const emitted = mutate<string, 'order.refunded' | 'inventory.low_stock'>(
    started().context,
    {
      ...{ tenant: shop.tenant, actor: operator, action: 'order.update' as const, resourceType: 'test' },
      resourceId: () => 'test',
      emits: ['order.refunded'],
    },
    async (work) => {
      const variantId = newVariantId(work.nowMs)
      work.emit('inventory.low_stock', variantId, {
        ...{
          productId: newProductId(work.nowMs),
          variantId,
          sku: 'A',
          title: 'Dress',
          cause: { type: 'adjustment', orderId: null },
        },
        ...{ available: 0, onHand: 0, reserved: 0, threshold: 1, occurredAt: work.now },
      })
      return 'changed'
    },
  )
  await expect(emitted).rejects.toThrow('order.update does not declare the event inventory.low_stock.')
  expect(await contentsOf(started())).toEqual(before)
})

test('a mutation with an Idempotency-Key throws an error instead of aborting, because an abort would roll back the stored response', async () => {
  const request = {
    scope: { merchantId: shop.merchantId, route: 'POST /refunds', key: 'key-1' },
    fingerprint: Buffer.alloc(32),
    requestId: 'req_1',
    callerId: shop.tokenId,
  }
  const responseOf = () => ({ status: 201, body: '{}', location: null })
  const aborting = mutated(async (work) => work.abort('aborted'), { keyed: { request, responseOf } })
  await expect(aborting).rejects.toThrow('order.update stores its response and cannot abort.')
})

test('a mutation whose audit entry names no record id is rolled back', async () => {
  const before = await contentsOf(started())
  const changing = mutated(async (work) => String(await suspend(work)), { resourceId: () => undefined })
  await expect(changing).rejects.toThrow('order.update returned no resource id for the audit row.')
  expect(await contentsOf(started())).toEqual(before)
})
