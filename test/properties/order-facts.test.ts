import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShipmentStatus } from '../../registry/logistics/shipment-states.ts'
import { OrderItemId } from '../../registry/values/vocabulary.ts'
import { randomCode } from '../../src/base/ids.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { applyUpdate } from '../support/logistics/tracking-updates.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../support/shop.ts'

/**
 * The status of an order and its stock depend only on the events of its units, and not on the sequence of these events.
 * In these tests, each unit of an order is a separate item with its own events.
 */

const started = useApi()

type Fact = ShipmentStatus | 'refund' | 'restock'

/** The possible histories of a unit: its events in order, and whether the unit left the shop. */
const fates = {
  unsent: { facts: [], isSent: false },
  refunded: { facts: ['refund'], isSent: false },
  restocked: { facts: ['restock'], isSent: false },
  out: { facts: ['picked_up', 'in_transit'], isSent: true },
  delivered: { facts: ['picked_up', 'delivered'], isSent: true },
  deliveredAndRefunded: { facts: ['delivered', 'refund'], isSent: true },
  refundedAndDelivered: { facts: ['refund', 'picked_up', 'delivered'], isSent: true },
  sentBack: { facts: ['delivered', 'restock'], isSent: true },
  broughtBack: { facts: ['picked_up', 'returned'], isSent: true },
  broughtBackAndRefunded: { facts: ['returned', 'refund'], isSent: true },
  lost: { facts: ['picked_up', 'lost'], isSent: true },
  lostAndRefunded: { facts: ['lost', 'refund'], isSent: true },
} as const satisfies Record<string, { facts: readonly Fact[]; isSent: boolean }>

type Fate = keyof typeof fates

const fateNames = Object.keys(fates).filter((name): name is Fate => Object.hasOwn(fates, name))

const ends = {
  received: ['delivered', 'deliveredAndRefunded', 'refundedAndDelivered'],
  back: ['sentBack', 'broughtBack', 'broughtBackAndRefunded'],
  waiting: ['out', 'lost'],
} as const satisfies Record<string, readonly Fate[]>

/** Returns the expected status of an order whose items have one unit each, by the status rule in its simplest form. */
function statusOf(units: readonly Fate[]): string {
  const has = (these: readonly Fate[]) => units.some((fate) => these.includes(fate))
  if (has(['unsent']) || !units.some((fate) => fates[fate].isSent)) return 'processing'
  if (has(ends.waiting)) return 'shipped'
  if (has(ends.received)) return 'delivered'
  return has(ends.back) ? 'returned' : 'shipped'
}

/**
 * Returns the expected stock. Units that were refunded without a restock leave the stock when the order is handed over
 * to the carrier.
 */
function stockOf(fate: Fate, status: string): { onHand: number; reserved: number } {
  if (fate === 'restocked' || fate === 'sentBack') return { onHand: 10, reserved: 0 }
  const isReserved = fate === 'unsent' || (fate === 'refunded' && status === 'processing')
  return isReserved ? { onHand: 10, reserved: 1 } : { onHand: 9, reserved: 0 }
}

async function openOrder(api: TestApi, shop: Shop, units: readonly Fate[]) {
  const variants = await Promise.all(
    units.map(async () => (await stockVariant(api, shop.merchantId, { priceKobo: 1000, onHand: 10 })).variantId),
  )
  const send = (path: string, body: object) => api.send('POST', `/api/v1${path}`, { token: shop.token, body })
  const items = variants.map((variantId) => ({ variantId, quantity: 1 }))
  const [first] = variants
  if (first === undefined) throw new Error('An order has at least one unit.')
  const { body: order } = await send('/orders', orderBody(first, { items }))
  await send(`/orders/${order.id}/payments`, { amountKobo: order.totalKobo, method: 'cash', reference: randomCode(12) })
  const itemIds: string[] = order.items.map(({ id }: { id: string }) => id)
  const keys = await Promise.all(
    units.map(async (fate, index) => {
      const items = [{ itemId: OrderItemId.parse(itemIds[index]), quantity: 1 }]
      return fates[fate].isSent ? storeShipment(api, shop, { orderId: order.id, items }) : undefined
    }),
  )
  const apply = async (index: number, fact: Fact) => {
    const key = keys[index]
    if (fact === 'refund' || fact === 'restock') {
      const items = [{ itemId: itemIds[index], quantity: 1, restock: fact === 'restock' }]
      const reply = await send('/refunds', { orderId: order.id, amountKobo: 1, reason: 'other', items })
      expect(reply.status, reply.text).toBe(201)
    } else if (key !== undefined)
      expect(await applyUpdate(api, shop, key, { status: fact })).toMatchObject({ is: 'moved' })
  }
  const move = async (to: string) => {
    const reply = await send(`/orders/${order.id}/transition`, { to })
    expect(reply.status, reply.text).toBe(200)
  }
  const read = async () => {
    const [row] = await select(api, 'select status from orders where id = $1', [order.id])
    const stock = await select(
      api,
      'select on_hand as "onHand", reserved from inventory where variant_id = any($1) order by array_position($1, variant_id::text)',
      [variants],
    )
    return { status: row.status, stock }
  }
  return { apply, move, read }
}

/** Interleaves the events of all units. Each random number selects the unit of the next event. */
function interleaved(units: readonly Fate[], draws: readonly number[]): [index: number, fact: Fact][] {
  const left = units.map((fate) => [...fates[fate].facts] as Fact[])
  const sequence: [number, Fact][] = []
  for (const draw of draws) {
    const open = [...left.keys()].filter((index) => (left[index]?.length ?? 0) > 0)
    const index = open[draw % Math.max(1, open.length)]
    const fact = index === undefined ? undefined : left[index]?.shift()
    if (index !== undefined && fact !== undefined) sequence.push([index, fact])
  }
  return sequence
}

test('the status and the stock of an order depend only on what happened to each unit, regardless of the sequence of the events', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const units = fc.array(fc.constantFrom(...fateNames), { minLength: 1, maxLength: 3 })
  const draws = fc.array(fc.nat({ max: 5 }), { minLength: 9, maxLength: 9 })
  // The order is put on hold before one of the events, and released after a later one.
  const hold = fc.option(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 8 })))
  await fc.assert(
    fc.asyncProperty(units, draws, hold, async (all, drawn, held) => {
      const order = await openOrder(api, shop, all)
      let isHeld = false
      for (const [step, [index, fact]] of interleaved(all, drawn).entries()) {
        if (held?.[0] === step && (await order.read()).status === 'processing') {
          await order.move('on_hold')
          isHeld = true
        }
        await order.apply(index, fact)
        if (isHeld && (held?.[1] ?? 0) <= step) {
          await order.move('processing')
          isHeld = false
        }
      }
      if (isHeld) await order.move('processing')
      const status = statusOf(all)
      expect(await order.read()).toEqual({ status, stock: all.map((fate) => stockOf(fate, status)) })
    }),
    { numRuns: 40 },
  )
}, 120_000)
