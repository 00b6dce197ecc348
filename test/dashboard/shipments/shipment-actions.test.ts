import { beforeEach, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

/** A carrier that charges for a cancellation once a rider is assigned. */
const swift = testCarrier('simulator-swift', { cancellationFeesKobo: { courier_assigned: toKobo(50_000) } })
const api = useApi({ carriers: carriersOf(swift) })

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const path = (id: string, action = '') => `/dashboard/shipments/${id}${action}`
const now = () => toTimestamp(api().clock.nowMs())

describe('a cancellation of a shipment', () => {
  test('a cancellation of a shipment first shows the carrier’s fee, and cancels the shipment after the confirmation', async () => {
    const key = await storeShipment(api(), shop, { status: 'courier_assigned' })
    const fields = { reason: 'too_slow', note: 'Customer waits.' }
    const preview = await member.submit(path(key.id, '/cancel'), path(key.id, '/cancel'), fields)
    expect(preview.status).toBe(200)
    expect(preview.text).toContain('The carrier charges <span class="money">₦500.00</span>')
    expect((await readShipment(api(), key)).shipment.status).toBe('courier_assigned')
    const done = await member.post(path(key.id, '/cancel'), formOf(preview.text, path(key.id, '/cancel')))
    expect([done.status, done.location]).toEqual([303, `${path(key.id)}?done=shipments.id.cancel`])
    expect((await readShipment(api(), key)).shipment).toMatchObject({
      status: 'cancelling',
      cancelReason: 'too_slow',
      cancelNote: 'Customer waits.',
      cancelMaxFeeKobo: 50_000,
    })
  })

  test('a cancellation of a shipment at a higher fee than the confirmed one, or from a stale page, is refused', async () => {
    const key = await storeShipment(api(), shop, { status: 'courier_assigned' })
    const base = { reason: 'other', version: '1' }
    const cheap = await member.submit(path(key.id, '/cancel'), path(key.id, '/cancel'), { ...base, feeKobo: '49999' })
    expect(cheap.status).toBe(422)
    await applyUpdate(api(), shop, key, { status: 'at_pickup' })
    const stale = await member.submit(path(key.id, '/cancel'), path(key.id, '/cancel'), { ...base, feeKobo: '0' })
    expect(stale.status).toBe(422)
    expect((await readShipment(api(), key)).shipment.status).toBe('at_pickup')
  })
})

describe('closing a shipment', () => {
  test('closing a shipment sets a final status, and the audit log names the member', async () => {
    const key = await storeShipment(api(), shop)
    const done = await member.submit(path(key.id, '/close'), path(key.id, '/close'), {
      to: 'lost',
      reason: 'Rider vanished',
    })
    expect(done.status).toBe(303)
    expect((await readShipment(api(), key)).shipment.status).toBe('lost')
    const rows = await select(
      api(),
      "select actor_id, changes from audit_log where resource_id = $1 and action = 'shipment.close'",
      [key.id],
    )
    expect(rows).toEqual([
      { actor_id: member.memberId, changes: expect.objectContaining({ reason: [null, 'Rider vanished'] }) },
    ])
    expect((await member.get(path(key.id))).text).not.toContain(path(key.id, '/close'))
  })

  test('the form that closes a shipment contains the sentence “The order is updated too.” only if the shipment has an order', async () => {
    const { id: orderId } = await placeOrder(api(), shop)
    const form = { to: 'lost', reason: 'Rider vanished' }
    for (const [order, isSaid] of [
      [orderId, true],
      [null, false],
    ] as const) {
      const { id } = await storeShipment(api(), shop, { orderId: order })
      const { text } = await member.get(path(id, '/close'))
      expect(text.includes('The order is updated too.')).toBe(isSaid)
      const asked = await member.ask(path(id, '/close'), { ...formOf(text, path(id, '/close')), ...form })
      expect(asked.text.includes('the order is updated to match it')).toBe(isSaid)
    }
  })

  test('closing a shipment is refused if its current status does not allow the chosen final status', async () => {
    const key = await storeShipment(api(), shop, { status: 'picked_up' })
    const refused = await member.submit(path(key.id, '/close'), path(key.id, '/close'), { to: 'failed', reason: 'x' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('cannot be closed as failed')
    expect((await readShipment(api(), key)).shipment.status).toBe('picked_up')
  })
})

describe('resolving an exception', () => {
  test('resolving an exception of a shipment marks the exception as resolved and stores the reason', async () => {
    const key = await storeShipment(api(), shop, { exceptions: [{ code: 'order_not_moved', at: now() }] })
    expect((await member.get(path(key.id))).text).toContain(path(key.id, '/resolve?code=order_not_moved'))
    expect((await member.get(path(key.id, '/resolve'))).text).toContain(
      'The status of the shipment and the request to the carrier do not change.',
    )
    const form = { code: 'order_not_moved', reason: 'Moved by hand' }
    const done = await member.submit(path(key.id, '/resolve'), path(key.id, '/resolve'), form)
    expect(done.status).toBe(303)
    expect((await readShipment(api(), key)).shipment.exceptions).toMatchObject([{ resolvedAt: now() }])
  })

  test('the form refuses to resolve an exception whose cause persists, and an exception that is not open', async () => {
    // The form offers only the second exception, so a member submits the first one only from a stale page.
    const exceptions = (['order_cancelled', 'order_not_moved'] as const).map((code) => ({ code, at: now() }))
    const key = await storeShipment(api(), shop, { exceptions })
    const form = { code: 'order_cancelled', reason: 'x' }
    const needed = await member.submit(path(key.id, '/resolve'), path(key.id, '/resolve'), form)
    expect([needed.status, needed.text.includes('still active')]).toEqual([422, true])
    const unknown = await member.submit(path(key.id, '/resolve'), path(key.id, '/resolve'), {
      ...form,
      code: 'duplicate_dispatch',
    })
    expect(unknown.status).toBe(422)
  })

  test.for([
    ['outcome_unknown', 'dispatching', { state: 'unknown' }],
    ['outcome_unknown', 'cancelling', { state: 'unknown' }],
    ['carrier_wallet_low', 'awaiting_courier', { outcomeCode: 'wallet_insufficient' }],
  ] as const)('no page offers to resolve the exception %s of a shipment that is %s until the shipment has ended', async ([
    code,
    status,
    attempt,
  ]) => {
    const exceptions = [{ code, carrier: 'simulator-swift', at: now() }]
    const pagesOf = async (options: ShipmentOptions) => {
      const { id } = await storeShipment(api(), shop, { ...options, exceptions })
      const [shown, form] = await Promise.all([member.get(path(id)), member.get(path(id, '/resolve'))])
      return [shown.text.includes(path(id, '/resolve')), form.text.includes(`<option value="${code}"`)]
    }
    expect(await pagesOf({ status, attempts: [attempt] })).toEqual([false, false])
    expect(await pagesOf({ status: 'failed', attempts: [{ ...attempt, state: 'abandoned' }] })).toEqual([true, true])
  })
})

test('a member with the viewer role sees shipments without actions, and every form that the member submits is refused', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const key = await storeShipment(api(), shop, { exceptions: [{ code: 'order_not_moved', at: now() }] })
  const page = await viewer.get(path(key.id))
  expect([page.status, page.text.includes(path(key.id, '/'))]).toEqual([200, false])
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page.text)?.groups ?? {}
  const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', to: 'lost', code: 'order_not_moved', reason: 'other' }
  for (const action of ['/cancel', '/close', '/resolve']) {
    expect((await viewer.get(path(key.id, action))).status).toBe(403)
    expect((await viewer.post(path(key.id, action), form)).status).toBe(403)
  }
  expect((await readShipment(api(), key)).shipment).toMatchObject({ status: 'awaiting_courier', version: 1 })
})
