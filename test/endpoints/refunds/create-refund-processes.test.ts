import { expect, test } from 'vitest'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { expectReplay, openScene } from '../../support/commerce/refund-replay.ts'
import { useDatabase } from '../../support/database.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'

/** Refund requests to two processes of the service. The processes share only the database. */

const opened = useDatabase()
const first = useApi({ opened })
const second = useApi({ opened })

/**
 * Creates a shop with an order of 1,000,000 kobo. The returned function `other` sends refund requests to the second
 * process of the service.
 */
async function open(isPaid = true) {
  const scene = await openScene(first(), isPaid)
  const other = (key: string, body: unknown = scene.body) =>
    second().send('POST', '/api/v1/refunds', {
      token: scene.shop.token,
      body,
      headers: { 'Idempotency-Key': key },
    })
  return { ...scene, other }
}

test('a refund request that is repeated at another process returns the first reply, byte for byte', async () => {
  const { refund, other, count } = await open()
  const reply = await refund('moved')
  expectReplay(await other('moved'), reply)
  expectReplay(await other('moved'), reply)
  expect(await count()).toBe(1)
})

test('a rejected refund request gets the same rejection again from another process', async () => {
  const { refund, other } = await open(false)
  const reply = await refund('early')
  answers('createRefund', 'order_not_paid', reply)
  expectReplay(await other('early'), reply)
})

test('a refund request for an unknown order returns 409 idempotency_conflict if its key was used at another process', async () => {
  const { body, refund, other } = await open()
  expect((await refund('taken')).status).toBe(201)
  const unknown = { ...body, orderId: `${body.orderId.slice(0, -1)}${body.orderId.endsWith('0') ? '1' : '0'}` }
  answers('createRefund', 'idempotency_conflict', await other('taken', unknown))
  answers('createRefund', 'order_not_found', await other('free', unknown))
})

test('identical refund requests to two processes at the same time create one refund', async () => {
  const { refund, other, count } = await open()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? refund : other)('storm')),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(await count()).toBe(1)
})

test('when two refunds read the order at the same time, the second refund is checked again after the first has reduced the refundable amount', async () => {
  const { api, body, refund, other, count } = await open()
  const half = { ...body, amountKobo: 600_000 }
  const lock = { text: 'select 1 from orders where id = $1 for no key update', values: [body.orderId] }
  const waiting = await whileLocked(api, lock, async () => {
    const sent = [refund('one', half), other('two', half)]
    await untilWaiting(api, 2)
    return sent
  })
  const replies = await Promise.all(waiting)
  const [rejected] = replies.filter(({ status }) => status !== 201)
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  if (rejected === undefined) throw new Error('Both refunds were created.')
  answers('createRefund', 'refund_exceeds_refundable', rejected)
  expect(rejected.body.error.details.refundableKobo).toBe(400_000)
  expect(await count()).toBe(1)
})

test('a refund request that is repeated at another process while its order is locked returns the first reply', async () => {
  const { api, body, refund, other } = await open()
  const reply = await refund('waiting')
  const lock = { text: 'select 1 from orders where id = $1 for no key update', values: [body.orderId] }
  await whileLocked(api, lock, async () => expectReplay(await other('waiting'), reply))
})

test('before a refund is rejected, it is checked again with the order locked', async () => {
  const { api, body, refund } = await open(false)
  const lock = { text: 'select 1 from orders where id = $1 for no key update', values: [body.orderId] }
  const { reply } = await whileLocked(api, lock, async (holder) => {
    const sent = refund('early')
    await untilWaiting(api, 1)
    await holder.query('update orders set paid_kobo = total_kobo, version = version + 1 where id = $1', [body.orderId])
    await holder.query('commit')
    return { reply: sent }
  })
  expect((await reply).status).toBe(201)
})
