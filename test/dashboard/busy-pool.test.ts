import { expect, test } from 'vitest'
import { requestLimits } from '../../src/operations/execute/request-limits.ts'
import { answeredFirst } from '../support/answered-first.ts'
import { useApi } from '../support/api.ts'
import { signedIn } from '../support/dashboard.ts'
import { openShop } from '../support/shop.ts'

const api = useApi({ requestLimits })

test('if the session check of a dashboard page waits for a database connection, the page returns 503 before the connection pool’s own timeout', async () => {
  const { merchantId } = await openShop(api().context)
  const member = await signedIn(api(), merchantId, 'operations')
  const page = () => member.get('/dashboard/orders')
  expect(await page()).toMatchObject({ status: 200 })
  expect(await answeredFirst(api(), page)).toMatchObject({ status: 503 })
})
