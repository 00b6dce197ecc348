import { expect, test } from 'vitest'
import { exportsMax } from '../../../registry/values/limits.ts'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { auditRows } from '../../support/database-contents.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

const started = useApi()

test.for([
  ['API', '/api/v1/exports/orders?format=csv'],
  ['dashboard', '/dashboard/exports/orders'],
] as const)('%s: a HEAD request returns the headers of the export, takes no export slot and writes no audit entries', async ([
  ,
  path,
]) => {
  const api = started()
  const shop = await openShop(api.context)
  await placeOrder(api, shop)
  api.clock.advance(1)
  const { cookies } = await signedIn(api, shop.merchantId, 'owner')
  const headers = {
    Authorization: `Bearer ${shop.token}`,
    Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
  const before = await auditRows(api, shop.merchantId)
  const send = (method: string) => fetch(api.url + path, { method, headers })
  for (let attempt = 0; attempt <= exportsMax; attempt++) {
    const head = await send('HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('content-disposition')).toMatch(/^attachment; filename="orders-[\d-]+\.csv"$/)
    expect(await head.text()).toBe('')
  }
  expect(await auditRows(api, shop.merchantId)).toEqual(before)
  const file = await send('GET')
  expect(file.status).toBe(200)
  expect((await file.text()).split('\r\n')).toHaveLength(3)
})
