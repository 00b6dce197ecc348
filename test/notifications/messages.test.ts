import { describe, expect, test } from 'vitest'
import { type NotificationKind, notificationKindNames } from '../../registry/values/notifications.ts'
import { newEndpointId, newMerchantId, newOrderId, newRefundId, newReturnId } from '../../src/base/records.ts'
import { messageOf } from '../../src/notifications/messages.ts'

const nowMs = Date.UTC(2026, 10, 21, 8, 30)
const merchantId = newMerchantId(nowMs)
const testMerchantId = newMerchantId(nowMs)
const endpointId = newEndpointId(nowMs)
const orderId = newOrderId(nowMs)
const refundId = newRefundId(nowMs)
const returnId = newReturnId(nowMs)

const examples: Readonly<Record<NotificationKind, { data: object; shows: RegExp; path: string }>> = {
  'shipment.exception': {
    data: { shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k', orderId: null, code: 'parcel_returned' },
    shows: /^The parcel came back/,
    path: '/shipments/shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
  },
  'audit_log.heads': {
    data: {
      testMerchantId,
      ...{ liveHead: `7:${'a'.repeat(64)}`, liveSignature: 'valid' },
      ...{ testHead: `9:${'b'.repeat(64)}`, testSignature: 'unsigned' },
    },
    shows: new RegExp(
      `--merchant ${merchantId} --head 7:a{64}\\n\\nTest mode:\\n.*${testMerchantId} --head 9:b{64}\\nThis head has no valid signature`,
    ),
    path: '/audit',
  },
  'webhook_endpoint.disabled': {
    data: { reason: 'consecutive_failures', consecutiveFailures: 6 },
    shows: /failed 6 times/,
    path: `/webhooks/${endpointId}`,
  },
  'webhook_endpoint.failing': {
    data: { consecutiveFailures: 3 },
    shows: /failed 3 times/,
    path: `/webhooks/${endpointId}`,
  },
  'webhook_endpoint.held_expiring': {
    data: { held: 12, since: '2026-11-01T00:00:00.000Z', expiresAt: '2027-01-05T00:00:00.000Z' },
    shows: /12 deliveries .* 5 Jan 2027, 01:00/,
    path: `/webhooks/${endpointId}`,
  },
  'webhook_endpoint.held_expired': {
    data: { held: 12, since: '2026-11-01T00:00:00.000Z' },
    shows: /12 deliveries .* 1 Nov 2026, 01:00/,
    path: `/webhooks/${endpointId}`,
  },
  'payment.not_recorded': {
    data: { reason: 'too_large', orderId },
    shows: /too large for its order/,
    path: `/orders/${orderId}`,
  },
  'payment.overpaid': {
    data: { orderId, excessKobo: 400_000, dueKobo: 0 },
    shows: /may have paid twice\. Refund .*4,000\.00/,
    path: `/orders/${orderId}`,
  },
  'payment.of_cancelled_order': {
    data: { orderId, amountKobo: 400_000 },
    shows: /payment \(.*4,000\.00\) was received after/,
    path: `/orders/${orderId}`,
  },
  'order.cancelled_unrefunded': {
    data: { orderId, amountKobo: 400_000 },
    shows: /has paid for it \(.*4,000\.00\)/,
    path: `/orders/${orderId}`,
  },
  'order.refunded_unshipped': {
    data: { orderId, quantity: 3 },
    shows: /Units \(3\) are not shipped any more/,
    path: `/orders/${orderId}`,
  },
  'return.unsettled': {
    data: { returnId, orderId },
    shows: /Refund or exchange it, or close it/,
    path: `/returns/${returnId}`,
  },
  'return.arrived': {
    data: { returnId, orderId },
    shows: /Inspect the units, then receive the return/,
    path: `/returns/${returnId}`,
  },
  'order.paid_unshippable': {
    data: { orderId, quantity: 2 },
    shows: /paid units \(2\) can no longer be sent/,
    path: `/orders/${orderId}`,
  },
  'order.paid_above_price': {
    data: { orderId, excessKobo: 300_000 },
    shows: /Refund .*3,000\.00/,
    path: `/orders/${orderId}`,
  },
  'order.partly_paid': {
    data: { orderId, amountKobo: 100_000, dueKobo: 300_000 },
    shows: /3,000\.00 is still due/,
    path: `/orders/${orderId}`,
  },
  'payment.dispute_opened': {
    data: { orderId, disputeId: '77', amountKobo: 400_000, dueAt: '2026-11-25T18:00:00.000Z' },
    shows: /4,000\.00.* dispute 77 at the payment provider until .*25/,
    path: `/orders/${orderId}`,
  },
  'payment.dispute_lost': {
    data: { orderId, disputeId: '77', lostKobo: 400_000 },
    shows: /dispute 77 .*4,000\.00/,
    path: `/orders/${orderId}`,
  },
  'payment.dispute_unclear': {
    data: { orderId, disputeId: '77', resolution: 'partly-something' },
    shows: /dispute 77 ended \(partly-something\)/,
    path: `/orders/${orderId}`,
  },
  'payment.differences': { data: { count: 2, differences: [] }, shows: /found 2 new differences/, path: '/orders' },
  'refund.failed': {
    data: { refundId, amountKobo: 400_000 },
    shows: /refund \(.*4,000\.00\) failed/,
    path: `/refunds/${refundId}`,
  },
  'refund.needs_bank_details': {
    data: { refundId, amountKobo: 400_000 },
    shows: /refund \(.*4,000\.00\) to the original payment method/,
    path: `/refunds/${refundId}`,
  },
  'refund.by_provider': {
    data: { refundId, amountKobo: 400_000 },
    shows: /refund \(.*4,000\.00\) was made in the dashboard/,
    path: `/refunds/${refundId}`,
  },
  'refund.not_recorded': {
    data: { orderId, transaction: 'T1', amountKobo: 400_000 },
    shows: /refund \(.*4,000\.00\) that exceeds/,
    path: `/orders/${orderId}`,
  },
  'refund.contradicted': { data: { refundId }, shows: /differs from the stored result/, path: `/refunds/${refundId}` },
  'refund.amount_differs': {
    data: { refundId, amountKobo: 100_000, providerAmountKobo: 90_050 },
    shows: /refunds .*900\.50 instead of .*1,000\.00/,
    path: `/refunds/${refundId}`,
  },
  'refund.dispute_lost': {
    data: { refundId, amountKobo: 100_000 },
    shows: /this refund \(.*1,000\.00\)/,
    path: `/refunds/${refundId}`,
  },
}

describe.each(notificationKindNames)('the message of %s', (kind) => {
  const { data, shows, path } = examples[kind]

  test('a notification message names the cause and links to the page to act on', () => {
    const message = messageOf({ merchantId, kind, endpointId, data })
    expect(message.text).toMatch(shows)
    expect(message.link.path).toBe(path)
    expect(message.command).toContain(merchantId)
  })

  test.each([
    null,
    {},
    [],
    'text',
    { orderId: 7, refundId: {}, count: 'many', held: Number.NaN, since: 'never' },
  ])('a notification message contains no placeholder such as undefined or NaN, even if the notification’s data are invalid: %j', (stored) => {
    const message = messageOf({ merchantId, kind, endpointId: null, data: stored })
    expect(message.text).not.toMatch(/undefined|null|NaN|\[object/)
    expect(message.link.path).toMatch(/^\/[a-z]+$/)
  })
})

test('if an earlier release stored an exception notification without a return id, the notification has the text for the shipment of an order', () => {
  const data = { shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k', orderId: null, code: 'parcel_lost' }
  const textOf = (more: object) =>
    messageOf({ merchantId, kind: 'shipment.exception', endpointId, data: { ...data, ...more } }).text
  expect(textOf({})).toMatch(/whose units are written off/)
  expect(textOf({ returnId, cause: 'return_shipment' })).toMatch(/^The carrier lost the parcel of the return\. Claim/)
  expect(textOf({ returnId, cause: 'return_ended' })).toMatch(/which was already received or closed/)
  expect(textOf({ returnId, code: 'pickup_late' })).toMatch(/not picked up in time/)
})

test('a notification message shortens a text of the payment provider to one line, and never makes it part of a link', () => {
  const hostile = `x\r\nBcc: evil@example.com\u2028${'y'.repeat(5000)}`
  const data = { orderId: '../../settings', disputeId: hostile, resolution: hostile }
  const message = messageOf({ merchantId, kind: 'payment.dispute_unclear', endpointId: null, data })
  expect(message.text).not.toMatch(/[\r\n\u2028]/)
  expect(message.text.length).toBeLessThan(600)
  expect(message.link.path).toBe('/orders')
})

test('the message of a lost dispute names and links at most five exchange orders, and omits values that are not order ids', () => {
  const orderIds = Array.from({ length: 7 }, () => newOrderId(nowMs))
  const data = { orderId, disputeId: '77', lostKobo: 400_000, paidOutKobo: 100_000 }
  const message = messageOf({
    ...{ merchantId, kind: 'payment.dispute_lost', endpointId: null },
    data: { ...data, creditedOrderIds: ['../../settings', 5, ...orderIds] },
  })
  const named = orderIds.slice(0, 5)
  expect(message.text).toContain(`also pays for the order ${named.join(', ')} and 2 more`)
  expect(message.text).toMatch(
    /Refunds had already paid (₦1,000\.00) of this amount to the customer, who therefore got \1 twice\./,
  )
  expect(message.others?.map(({ path }) => path)).toEqual(named.map((id) => `/orders/${id}`))
})

test('a notification of a kind that only a newer release knows has the name of this kind as its title', () => {
  const message = messageOf({ merchantId, kind: 'payout.failed', endpointId: null, data: {} })
  expect(message).toMatchObject({ title: 'payout failed', link: { path: '/notifications' } })
})
