import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { formOf, signedIn } from '../../support/dashboard.ts'
import { asOwner } from '../../support/database.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const api = useApi()

test('if the outcome of the commit of a refund is unknown, the same form cannot be submitted a second time', async () => {
  const shop = await openShop(api().context)
  const member = await signedIn(api(), shop.merchantId, 'operations')
  const { id } = await placeOrder(api(), shop)
  const path = `/dashboard/orders/${id}/refund`
  const form = { ...formOf((await member.get(path)).text, path), amount: '100', reason: 'damaged' }
  // The database connection breaks during the commit. In this test the database rolls back, but its client cannot see
  // that.
  await asOwner(
    api(),
    `create function crash() returns trigger language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`,
  )
  const trigger = 'create constraint trigger crash after insert on refunds deferrable initially deferred'
  await asOwner(api(), `${trigger} for each row execute function crash()`)
  const reply = await member.post(path, form)
  await asOwner(api(), 'drop function crash cascade')
  expect(reply).toMatchObject({ status: 503, text: expect.stringContaining('may or may not be stored') })
  expect(reply.text).not.toContain(`action="${path}"`)
  const again = await member.post(path, form)
  expect(again).toMatchObject({ status: 409, text: expect.stringContaining('Already submitted') })
})
