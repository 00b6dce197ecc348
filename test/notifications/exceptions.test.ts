import { expect, test } from 'vitest'
import { type ExceptionState, exceptionSections } from '../../registry/service/exception-state.ts'
import { type ExceptionStateName, exceptionStates } from '../../registry/service/exceptions.ts'
import { isEmailedByDefault, notificationKindNames, notificationKinds } from '../../registry/values/notifications.ts'
import { titleOf } from '../../src/notifications/messages.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { eventsOf } from '../support/database-contents.ts'
import { connected, type Produce, paymentStates } from '../support/exceptions/payment-states.ts'
import { shipmentStates } from '../support/exceptions/shipment-states.ts'
import { useSimulatedCarriers } from '../support/logistics/simulated-carriers.ts'
import { openShop } from '../support/shop.ts'

/**
 * Tests every exceptional state of the guide “Exceptions”. Requests cause the states, as do callbacks of the fake
 * payment provider and of carriers.
 */

const started = useApi({ sendsCallbacks: true })

const produce: Readonly<Record<ExceptionStateName, Produce>> = {
  ...paymentStates,
  ...shipmentStates(useSimulatedCarriers(started)),
}

const names = Object.keys(exceptionStates).filter((name): name is ExceptionStateName =>
  Object.hasOwn(exceptionStates, name),
)

test.for(
  names,
)('the exception state %s has a notification, an entry on the page “Today” and an event', async (name) => {
  const { notification, section, event, code }: ExceptionState = exceptionStates[name]
  const api = started()
  const opened = await openShop(api.context)
  const { shop = opened, orderId, refundableKobo } = await produce[name](api, opened)
  const { merchantId, token } = shop
  const notified = (await listNotifications(api.database, { merchantId, limit: 50 })).filter(
    ({ kind, data }) => kind === notification && (code === undefined || Reflect.get(Object(data), 'code') === code),
  )
  expect(notified).toMatchObject([{ resolvedAt: null }])
  const member = await signedIn(api, opened.merchantId, 'owner')
  if (merchantId !== opened.merchantId) {
    await member.submit('/dashboard', '/dashboard/select-merchant', { merchant: merchantId })
  }
  const { text } = await member.get('/dashboard')
  expect(text).toContain(exceptionSections[section])
  if (section === 'payments') expect(text).toContain(`<strong>${titleOf(notification)}`)
  if (code !== undefined) expect(text).toContain(code.replaceAll('_', ' '))
  if (event !== null) {
    const events = await eventsOf(api, merchantId, event)
    expect(events.filter(({ data }) => code === undefined || data.code === code).length).toBeGreaterThan(0)
  }
  if (orderId !== undefined) {
    const order = await api.send('GET', `/api/v1/orders/${orderId}`, { token })
    expect(order.body).toMatchObject({ refundableKobo })
  }
})

test.for([
  ['late_payment', 1],
  ['overpayment', 500],
  ['cancelled_paid_order', 1],
] as const)('the exception state %s ends only when the refunds cover the whole amount that must be refunded', async ([
  name,
  restKobo,
]) => {
  const api = started()
  const shop = await openShop(api.context)
  const { orderId, refundableKobo = 0 } = await produce[name](api, shop)
  const openKinds = async () => {
    const rows = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 50, state: 'open' })
    return rows.map(({ kind }) => kind)
  }
  const kind = exceptionStates[name].notification
  const [firstKobo, thenKobo] = name === 'overpayment' ? [restKobo - 1, 1] : [refundableKobo - restKobo, restKobo]
  const { merchantId, token } = shop
  for (const [amountKobo, isOpen] of [
    [firstKobo, true],
    [thenKobo, false],
  ] as const) {
    const body = { orderId, amountKobo, reason: 'customer_request' }
    const { body: refund } = await api.send('POST', '/api/v1/refunds', { token, body })
    // A refund through the payment provider resolves the exception only when the provider reports its success.
    if (refund.status === 'pending') {
      expect(await openKinds()).toContain(kind)
      const { server, work, sendCallback, apply } = connected.get(merchantId) ?? expect.fail('Not connected.')
      await work()
      await sendCallback(server.refundCallback(server.move('processed')))
      await apply()
    }
    expect((await openKinds()).includes(kind)).toBe(isOpen)
  }
})

test('every notification that requires action on money or goods has an exception state', () => {
  const listed = new Set<string>(Object.values(exceptionStates).map(({ notification }) => notification))
  const needed = notificationKindNames.filter(
    (kind) =>
      !kind.startsWith('webhook_endpoint.') &&
      (notificationKinds[kind].needsAction || 'reportsProblem' in notificationKinds[kind]),
  )
  expect(needed.filter((kind) => !listed.has(kind))).toEqual([])
})

test('for each kind of shipment exception, the notification is e-mailed by default', () => {
  const notifications = Object.values(exceptionStates).map(({ notification }) => notification)
  expect(notifications.filter((kind) => !isEmailedByDefault(kind, 'viewer'))).toEqual([])
})
