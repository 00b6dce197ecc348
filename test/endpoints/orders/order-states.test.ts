import { beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../../registry/openapi/guard-parts.ts'
import { orderStatuses, orderTransitions } from '../../../registry/orders/order-states.ts'
import { document } from '../../registry/document-walk.ts'
import { useApi } from '../../support/api.ts'
import { orderAt, statusChanges, statusPairs, transitionsTo } from '../../support/commerce/order-transitions.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { openShop, type Shop } from '../../support/shop.ts'

/**
 * Every pair of order statuses is allowed or rejected as the published table says, both through the API and by direct
 * SQL.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
})

/**
 * Whether the published table of statuses allows the transition. An order on hold returns only to its earlier status,
 * which is
 * `pending` in these tests.
 */
function mayMove(from: (typeof orderStatuses)[number], to: (typeof orderStatuses)[number]): boolean {
  const listed: readonly string[] = orderTransitions[from]
  return listed.includes(to) && !(from === 'on_hold' && to === 'processing')
}

test('the OpenAPI document publishes the transition table that the code uses', () => {
  const machine = at(document, 'paths', '/orders/{id}', 'get', 'x-state-machine')
  expect(machine).toEqual({ field: 'status', transitions: orderTransitions })
})

describe('order status transitions through the API', () => {
  test.for(statusPairs)('transitionOrder from %s to %s follows the transition table', async ([from, to]) => {
    const api = started()
    const order = await orderAt(api, shop, from)
    const before = await order.read()
    const changesBefore = await statusChanges(api, order.id)
    expect(before.allowedTransitions).toEqual(orderTransitions[from].filter((next) => mayMove(from, next)))
    const reply = await order.move(to, { reason: 'a_test' })
    const after = await order.read()
    const changes = await statusChanges(api, order.id)
    if (mayMove(from, to)) {
      expect(reply.body).toEqual(after)
      expect(after).toMatchObject({ status: to, version: before.version + 1 })
      expect(changes).toEqual([
        ...changesBefore,
        { from, to, reason: 'a_test', version: after.version, actor: 'token' },
      ])
    } else {
      const details = { from, to, allowed: before.allowedTransitions }
      expect(reply.body.error).toMatchObject({ status: 409, code: 'invalid_transition', details })
      expect(after).toEqual(before)
      expect(changes).toEqual(changesBefore)
    }
    const emitted = await eventsOf(api, shop.merchantId, 'order.status_changed')
    const ofThis = emitted.filter(({ data }) => data.orderId === order.id)
    const moves = ofThis.map(({ data }) => [data.from, data.to, data.version])
    expect(moves.toSorted((a, b) => a[2] - b[2])).toEqual(
      changes.map((change) => [change.from, change.to, change.version]),
    )
  })

  test.for(orderStatuses)('transitionOrder from %s to itself changes nothing and returns 200', async (status) => {
    const api = started()
    const order = await orderAt(api, shop, status)
    const before = await order.read()
    const audits = await select(api, 'select count(*) from audit_log')
    const reply = await order.move(status)
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: before })
    expect(await statusChanges(api, order.id)).toHaveLength(transitionsTo(status).length)
    expect(await select(api, 'select count(*) from audit_log')).toEqual(audits)
  })

  test('an order that was put on hold in the status processing is released to processing, not to pending', async () => {
    const order = await orderAt(started(), shop, 'processing')
    await order.move('on_hold')
    expect((await order.read()).allowedTransitions).toEqual(['processing', 'cancelled'])
    expect((await order.move('pending')).body.error.code).toBe('invalid_transition')
    expect((await order.move('processing')).body.status).toBe('processing')
  })
})

describe('order status transitions by direct SQL', () => {
  const rest = {
    on_hold: (from: string) => `, held_from = '${from}'`,
    cancelled: () => ", cancelled_at = now(), cancel_reason = 'other'",
  }

  test.for(
    statusPairs,
  )('a direct SQL update of an order from status %s to %s succeeds only if the transition table allows it', async ([
    from,
    to,
  ]) => {
    const api = started()
    const order = await orderAt(api, shop, from)
    const more = to === 'on_hold' || to === 'cancelled' ? rest[to](from) : ''
    const held = from === 'on_hold' && to !== 'on_hold' ? ', held_from = null' : ''
    const update = select(
      api,
      `update orders set status = $1, expires_at = null${held}${more} where id = $2 returning status`,
      [to, order.id],
    )
    if (mayMove(from, to)) expect(await update).toEqual([{ status: to }])
    else await expect(update).rejects.toThrow(/^An order (cannot move from|on hold is released to)|violates check/)
    expect((await order.read()).status).toBe(mayMove(from, to) ? to : from)
  })

  test('the database trigger also rejects forbidden status transitions by a superuser with session_replication_role = replica', async () => {
    const [row] = await select(started(), "select tgenabled from pg_trigger where tgname = 'order_moves_as_published'")
    expect(row).toEqual({ tgenabled: 'A' })
  })
})
