import { describe, expect, test } from 'vitest'
import { newOrderId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { auditRows, contentsOf, eventsOf } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop } from '../../support/shop.ts'

const started = useApi()

async function shopAt(status: Parameters<typeof orderAt>[2]) {
  const api = started()
  const shop = await openShop(api.context)
  const order = await orderAt(api, shop, status)
  const update = (body: object, headers: Record<string, string> = {}) =>
    api.send('PATCH', order.path, { token: shop.token, body, headers })
  return { api, shop, order, update }
}

const details = { note: 'Gift.', tags: ['gift', 'VIP'], metadata: { channel: 'instagram' } }
const contact = { name: 'Ngozi Eze', email: 'ngozi@example.com', phone: '+2347012345678' }

describe('200 responses of updateOrder', () => {
  test('updateOrder changes the fields that are sent, keeps the others, and raises the version by one', async () => {
    const { order, update } = await shopAt('pending')
    const before = await order.read()
    const reply = await update(details)
    expect(reply.body).toEqual({ ...before, ...details, version: before.version + 1, updatedAt: reply.body.updatedAt })
    expect(await order.read()).toEqual(reply.body)
  })

  test('updateOrder clears fields sent as null', async () => {
    const { update } = await shopAt('pending')
    await update({ ...details, customer: contact, shippingAddress: { line1: '12 Admiralty Way' } })
    const reply = await update({ note: null, customer: { phone: null }, shippingAddress: null })
    expect(reply.body).toMatchObject({ note: null, shippingAddress: null, tags: details.tags })
    expect(reply.body.customer).toMatchObject({ ...contact, phone: null })
  })

  test('updateOrder completes an address with the merchant’s defaults', async () => {
    const { update } = await shopAt('processing')
    const reply = await update({ shippingAddress: { line1: '3 Aminu Kano Crescent', state: 'FCT' } })
    expect(reply.body.shippingAddress).toMatchObject({ city: 'Abuja', state: 'FCT', country: 'NG' })
  })

  test('updateOrder accepts an address exactly as the API returned it', async () => {
    const { update } = await shopAt('pending')
    const { shippingAddress } = (await update({ shippingAddress: { line1: '12 Admiralty Way', area: 'Lekki 1' } })).body
    expect((await update({ shippingAddress, note: 'The same place.' })).body.shippingAddress).toEqual(shippingAddress)
  })

  test('updateOrder changes neither the customer record nor other orders', async () => {
    const { api, shop, order, update } = await shopAt('pending')
    const other = await orderAt(api, shop, 'pending')
    await update({ customer: contact })
    expect((await order.read()).customer).toMatchObject(contact)
    expect((await other.read()).customer).toMatchObject({ name: 'Adaeze Okafor' })
  })

  test.for([
    'shipped',
    'delivered',
    'returned',
    'cancelled',
  ] as const)('updateOrder accepts notes for a %s order', async (status) => {
    const { update } = await shopAt(status)
    expect((await update(details)).body).toMatchObject({ ...details, status })
  })

  test('updateOrder emits no event, and the audit log lists the changed fields without their values', async () => {
    const { api, shop, update } = await shopAt('pending')
    await update({ customer: contact, note: 'Secret.' })
    const row = (await auditRows(api, shop.merchantId)).find(({ action }) => action === 'order.update')
    expect(row?.changes).toEqual({ customer: ['[redacted]', '[redacted]'], note: ['[redacted]', '[redacted]'] })
    expect(await eventsOf(api, shop.merchantId, 'order.status_changed')).toEqual([])
  })

  test('an order update that sends only unchanged values changes nothing, and the audit log never lists unchanged fields', async () => {
    const { api, shop, update } = await shopAt('pending')
    api.clock.advance(1)
    const same = {
      ...details,
      customer: contact,
      shippingAddress: { line1: '12 Admiralty Way', latitude: 6.5, longitude: 3.4 },
    }
    await update(same)
    const before = await contentsOf(api)
    expect((await update(same)).body.version).toBe(2)
    expect(await contentsOf(api)).toEqual(before)
    api.clock.advance(1)
    await update({ ...same, note: 'Not a gift.' })
    expect((await auditRows(api, shop.merchantId)).at(-1)?.changes).toEqual({ note: ['[redacted]', '[redacted]'] })
  })

  test('only one of twenty concurrent order updates with the same If-Match succeeds', async () => {
    const { order, update } = await shopAt('pending')
    const held = { 'If-Match': '"v1"' }
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => update({ note: `Note ${index}` }, held)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      answers('updateOrder', 'version_conflict', reply)
      expect(reply.body.error.details).toEqual({ currentVersion: 2 })
    }
    expect((await order.read()).version).toBe(2)
  })

  test('twenty concurrent order updates without If-Match all succeed, each with its own version', async () => {
    const { order, update } = await shopAt('pending')
    await Promise.all(Array.from({ length: 20 }, (_, index) => update({ note: `Note ${index}` })))
    expect((await order.read()).version).toBe(21)
  })

  test('updateOrder with an empty body changes nothing', async () => {
    const { api, order, update } = await shopAt('pending')
    const before = await contentsOf(api)
    expect((await update({})).body).toEqual(await order.read())
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updateOrder with If-Match: * matches any version', async () => {
    const { update } = await shopAt('pending')
    expect((await update(details, { 'If-Match': '*' })).status).toBe(200)
  })
})

describe('400 validation_failed', () => {
  test.for([
    ['items', { items: [] }, 'body.items'],
    ['a status', { status: 'shipped' }, 'body.status'],
    ['an unassigned phone prefix', { customer: { phone: '+2341234567890' } }, 'body.customer.phone'],
    [
      'an address abroad',
      { shippingAddress: { line1: '1 High Street', country: 'GB' } },
      'body.shippingAddress.country',
    ],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'body.tags'],
  ] as const)('updateOrder returns 400 validation_failed for a body with %s', async ([, body, path]) => {
    const { api, update } = await shopAt('pending')
    const before = await contentsOf(api)
    const reply = await update(body)
    answers('updateOrder', 'validation_failed', reply)
    expect(reply.body.error.errors).toMatchObject([{ path }])
    expect(await contentsOf(api)).toEqual(before)
  })
})

describe('404 order_not_found', () => {
  test('updateOrder returns 404 order_not_found for an unknown id', async () => {
    const { api, shop } = await shopAt('pending')
    const path = `/api/v1/orders/${newOrderId(api.clock.nowMs())}`
    answers('updateOrder', 'order_not_found', await api.send('PATCH', path, { token: shop.token, body: details }))
  })
})

describe('409 order_not_editable', () => {
  test.for([
    'shipped',
    'delivered',
    'returned',
    'cancelled',
  ] as const)('updateOrder returns 409 order_not_editable for the address of a %s order', async (status) => {
    const { api, update } = await shopAt(status)
    const before = await contentsOf(api)
    for (const body of [{ customer: contact }, { shippingAddress: null }, { ...details, shippingAddress: null }]) {
      const reply = await update(body)
      answers('updateOrder', 'order_not_editable', reply)
      const reason = status === 'cancelled' || status === 'returned' ? 'ended' : 'handed_over'
      expect(reply.body.error.details).toEqual({ status, reason })
    }
    expect(await contentsOf(api)).toEqual(before)
  })

  const address = { line1: '12 Admiralty Way', city: 'Lekki' }
  const shippedTo = async (sent: object, status: 'scheduled' | 'awaiting_courier' | 'cancelled') => {
    const { api, shop, order, update } = await shopAt('processing')
    expect((await update({ customer: contact, shippingAddress: sent })).status).toBe(200)
    await storeShipment(api, shop, { orderId: order.id, status })
    return { api, update }
  }

  test.for([
    ['address', address, { shippingAddress: { ...address, line1: '5 Allen Avenue' } }],
    ['address, which is removed,', address, { shippingAddress: null }],
    ['phone number of the recipient', address, { customer: { phone: '+2348031234567' } }],
    ['name of the recipient', { ...address, phone: contact.phone }, { customer: { name: 'Bisi Ade' } }],
  ] as const)('updateOrder returns 409 order_not_editable for the %s while a shipment of the order is in progress', async ([
    ,
    sent,
    body,
  ]) => {
    const { api, update } = await shippedTo(sent, 'scheduled')
    const before = await contentsOf(api)
    const reply = await update(body)
    answers('updateOrder', 'order_not_editable', reply)
    expect(reply.body.error.details).toEqual({ status: 'processing', reason: 'in_shipment' })
    expect(await contentsOf(api)).toEqual(before)
  })

  test('updateOrder changes the e-mail address and the note, and accepts the unchanged address, while a shipment of the order is in progress', async () => {
    const { update } = await shippedTo(address, 'awaiting_courier')
    const reply = await update({ ...details, customer: { email: 'eze@example.com' }, shippingAddress: address })
    expect([reply.status, reply.body.customer.email]).toEqual([200, 'eze@example.com'])
  })

  test('updateOrder stores the name of the customer as the name of the recipient while a shipment of the order is in progress', async () => {
    const { update } = await shippedTo(address, 'awaiting_courier')
    const reply = await update({ shippingAddress: { ...address, recipientName: contact.name } })
    expect([reply.status, reply.body.shippingAddress?.recipientName]).toEqual([200, contact.name])
  })

  test('updateOrder changes the address of an order after its shipment was cancelled', async () => {
    const { update } = await shippedTo(address, 'cancelled')
    expect((await update({ shippingAddress: { ...address, line1: '5 Allen Avenue' } })).status).toBe(200)
  })
})
