import { expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { useApi } from '../../support/api.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { returnToShip } from '../../support/commerce/return-to-ship.ts'
import { signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { notify } from '../../support/notify.ts'
import { openShop, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

/** The counts of the start page, compared with the lists that its links open. */

const api = useApi()

/** Places orders in each state in which an amount is due. */
async function placeDueOrders(shop: Shop) {
  const body = { paymentMethod: 'bank_transfer' }
  await placeOrder(api(), shop, { isPaid: false, body })
  await placeOrder(api(), shop, { isPaid: false, body: { paymentMethod: 'pay_on_delivery' } })
  const held = await placeOrder(api(), shop, { isPaid: false, body })
  await moveOrderTo(api(), shop, held.id, 'on_hold')
}

async function placeWork(shop: Shop) {
  await placeDueOrders(shop)
  const sent = await placeOrder(api(), shop)
  await placeOrder(api(), shop)
  await storeShipment(api(), shop, { orderId: sent.id, status: 'awaiting_courier' })
  const exceptions = [{ code: 'courier_late', at: toTimestamp(api().clock.nowMs()) }] as const
  await storeShipment(api(), shop, { status: 'awaiting_courier', exceptions })
  await returnToShip(api(), shop, { status: 'requested' })
  await returnToShip(api(), shop)
  await notify(api().context, shop.merchantId, { kind: 'payment.not_recorded' })
  const { variantId } = await stockVariant(api(), shop.merchantId)
  await select(api(), 'update inventory set is_low = true where variant_id = $1', [variantId])
}

function rowsOf(page: string): number {
  const [, body = ''] = page.slice(page.indexOf('<main')).split('<tbody>')
  const [rows = ''] = body.split('</tbody>')
  return rows.match(/<tr/g)?.length ?? 0
}

test('each count on the start page equals the number of records in the list to which it links', async () => {
  const shop = await openShop(api().context)
  await placeWork(shop)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const { text } = await owner.get('/dashboard')
  const sections = [...text.matchAll(/<section><header><h2>([^<]+) \((\d+)\)<\/h2>\s*<a href="([^"]+)"/g)]
  const counted = sections.map(([, title, count]) => [title, Number(count)])
  const listed = await Promise.all(
    sections.map(async ([, title, , path = '']) => [
      title,
      rowsOf((await owner.get(path.replaceAll('&amp;', '&'))).text),
    ]),
  )
  expect(counted).toContainEqual(['Unpaid', 2])
  expect(counted.length).toBeGreaterThanOrEqual(8)
  expect(listed).toEqual(counted)
})

test('the number of unpaid orders on the list of orders equals the number on the start page', async () => {
  const shop = await openShop(api().context)
  await placeDueOrders(shop)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  expect((await owner.get('/dashboard')).text).toContain('Unpaid (2)')
  const { text } = await owner.get('/dashboard/orders?view=unpaid')
  expect([rowsOf(text), /aria-current="page">Unpaid <span class="count">(\d+)/.exec(text)?.[1]]).toEqual([2, '2'])
})
