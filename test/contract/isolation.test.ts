import { beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../registry/errors/index.ts'
import { endpoints } from '../../registry/index.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { arrange } from '../support/contract/operation.ts'
import { mintToken, openShop, type Shop } from '../support/shop.ts'
import { elsewhere, withoutIds } from './fixture.ts'
import { fixtures } from './fixtures.ts'

/**
 * A request for a record of another merchant gets the same error as for a nonexistent record. If the record belongs to
 * the same merchant's other mode, the error names that mode.
 */

const modeHint =
  / [a-z]{3}_[0-9a-z]{26} is a record of live mode, and the token is for test mode\. Use a token that starts with svc_live_\./

const started = useApi()

let shop: Shop
let other: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
  other = await openShop(started().context)
})

describe('404 for a record of another merchant or mode', () => {
  const naming = endpointIds.filter((id) => fixtures[id].notFound !== undefined)

  test.for(
    naming,
  )('the operation %s returns the same 404 for a record of another merchant or mode as for a missing record, except for a hint that names the other mode', async (id) => {
    const api = started()
    const testTenant = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token: testToken } = await mintToken(api.context, testTenant, {})
    const of = await arrange(started(), id, shop)
    const missing = await of.with(elsewhere(of, api.clock.nowMs())).send({ token: shop.token })
    const inOtherMode = await of.send({ token: testToken })
    const replies = [missing, await of.send({ token: other.token }), inOtherMode]
    for (const reply of replies) {
      expect({ status: reply.status, code: reply.body.error?.code }).toEqual({
        status: 404,
        code: fixtures[id].notFound,
      })
      expect(withoutIds(reply.text.replace(modeHint, ''))).toBe(withoutIds(missing.text))
      expect([...reply.headers.keys()]).toEqual([...missing.headers.keys()])
    }
    const code = fixtures[id].notFound
    const hasHint = code !== undefined && errors[code].recordPrefix !== undefined
    expect(replies.map(({ text }) => modeHint.test(text))).toEqual([false, false, hasHint])
  })

  test.for(
    // Lists that belong to a parent record are excluded. They return 404 for a parent record of another merchant, which
    // the preceding test covers.
    endpointIds.filter(
      (id) =>
        endpoints[id].kind === 'list' && fixtures[id].notFound === undefined && fixtures[id].isShared === undefined,
    ),
  )('the operation %s returns no record of another merchant, and no live record in test mode', async (id) => {
    const { context } = started()
    const of = await arrange(started(), id, shop)
    const { token } = await mintToken(context, { merchantId: shop.testMerchantId, mode: 'test' }, {})
    expect((await of.send({ token: other.token })).body.data).toEqual([])
    expect((await of.send({ token })).body.data).toEqual([])
  })
})
