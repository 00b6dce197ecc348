import { describe, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { reportedCodes } from '../../support/attention.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { select } from '../../support/database-contents.ts'
import { openLive, useLiveApi } from '../../support/logistics/live-run.ts'

/**
 * Unsigned callbacks about an order whose cancellation the carrier has confirmed. The service polls the order, because
 * the carrier may carry out the order nevertheless.
 */

const started = useLiveApi()

const hourSeconds = 3_600

/** Dispatches an order's shipment to Fez and cancels the shipment. Fez confirms the cancellation. */
async function openCancelled() {
  const api = started()
  const run = await openLive(api, 'fez')
  const order = await orderAt(api, run.shop, 'processing')
  const { body } = await run.dispatch({ orderId: order.id, failover: { strategy: 'preferred', carriers: ['fez'] } })
  const id = ShipmentId.parse(body.id)
  expect((await run.cancel(id)).body.status).toBe('cancelled')
  const { server } = run.benches.fez
  const polls = server.asked('track')
  return {
    run,
    server,
    /** Fez carries out the order although it had confirmed the cancellation. */
    revive: (fezStatus: string) => {
      for (const fezOrder of server.orders) fezOrder.isDeleted = false
      server.move(fezStatus)
    },
    hint: (fezStatus: string) => run.sendCallback('fez', server.callback(fezStatus)),
    sign: (fezStatus: string) => run.sendCallback('fez', server.signedCallback(fezStatus, `since ${fezStatus}`)),
    read: async () => (await run.read(id)).body,
    polls: () => server.asked('track') - polls,
    facts: async () => {
      const { body: shipment } = await run.read(id)
      return {
        status: shipment.status,
        attempts: shipment.attempts.map(({ state }: { state: string }) => state),
        exceptions: shipment.exceptions.map(({ code }: { code: string }) => code),
        cancellation: shipment.cancellation.feeKobo,
        reported: await reportedCodes(api, run.shop.merchantId, id),
        order: (await order.read()).status,
        stock: await order.stock(),
      }
    },
  }
}

describe('an unsigned callback about a confirmed cancellation', () => {
  test.for([
    'Assigned To A Rider',
    'Picked-Up',
    'Enroute To Last Mile Hub',
    'Delivered',
  ])('if Fez reports %s after it confirmed the cancellation, an unsigned callback is reported and followed up like a signed one', async (fezStatus) => {
    const signed = await openCancelled()
    signed.revive(fezStatus)
    await signed.sign(fezStatus)
    await signed.run.pass(hourSeconds)
    const expected = await signed.facts()
    const hinted = await openCancelled()
    hinted.revive(fezStatus)
    await hinted.hint(fezStatus)
    await hinted.run.pass(hourSeconds)
    expect(await hinted.facts()).toEqual(expected)
    const codes = ['duplicate_dispatch']
    expect(expected).toMatchObject({
      status: 'cancelled',
      exceptions: codes,
      reported: { sent: codes, notified: codes },
    })
  })

  test('if Fez confirms the cancellation, an unsigned callback changes nothing, and the cancellation fee is not added again', async () => {
    const { run, hint, read, polls, facts } = await openCancelled()
    for (const table of ['shipments', 'dispatch_attempts']) {
      await select(started(), `update ${table} set cancel_fee_kobo = 30000 where merchant_id = $1`, [
        run.shop.merchantId,
      ])
    }
    const before = [await read(), await facts()]
    await hint('Picked-Up')
    await run.pass(hourSeconds)
    expect(polls()).toBe(1)
    expect([await read(), await facts()]).toEqual(before)
    expect(before).toMatchObject([{ exceptions: [] }, { cancellation: 30_000 }])
  })

  test('two unsigned callbacks cause one poll, and so do many callbacks within five minutes after it', async () => {
    const { run, hint, polls } = await openCancelled()
    await hint('Assigned To A Rider')
    await hint('Picked-Up')
    await run.pass(301)
    expect(polls()).toBe(1)
    for (const count of Array.from({ length: 8 }, (_, index) => index)) {
      await hint(`Rejected at ${count}`)
      await run.pass(30)
    }
    expect(polls()).toBe(1)
    await run.pass(hourSeconds)
    expect(polls()).toBe(2)
    const due = await select(
      started(),
      'select 1 from dispatch_attempts where merchant_id = $1 and next_check_at is not null',
      [run.shop.merchantId],
    )
    expect(due).toEqual([])
  })

  test('if Fez does not respond to the poll, the poll is repeated, and the pickup is then reported', async () => {
    const { run, revive, hint, facts } = await openCancelled()
    revive('Picked-Up')
    run.benches.fez.fail('get', { isAccepted: false, answer: [502, '<html>Bad gateway</html>'] })
    await hint('Picked-Up')
    await run.pass(301)
    expect(await facts()).toMatchObject({ exceptions: [] })
    await run.pass(hourSeconds)
    expect(await facts()).toMatchObject({ exceptions: ['duplicate_dispatch'] })
  })

  test('if Fez never responds, the polls end after a day', async () => {
    const { run, hint, polls } = await openCancelled()
    const gateway = { isAccepted: false, answer: [502, '<html>Bad gateway</html>'] } as const
    run.benches.fez.fail('get', ...Array.from({ length: 100 }, () => gateway))
    await hint('Picked-Up')
    await run.pass(48 * hourSeconds, 300)
    expect(polls()).toBeLessThan(40)
    const polled = polls()
    await run.pass(48 * hourSeconds, 300)
    expect(polls()).toBe(polled)
  })
})
