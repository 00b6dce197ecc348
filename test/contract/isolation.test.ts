import { beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../registry/errors/index.ts'
import { endpoints } from '../../registry/index.ts'
import { endpointIds } from '../support/answers.ts'
import { useApi } from '../support/api.ts'
import { arrange } from '../support/contract/operation.ts'
import { mintToken, openShop, type Shop } from '../support/shop.ts'
import { elsewhere, withoutIds } from './fixture.ts'
import { fixtures } from './fixtures.ts'

/** What is another merchant’s is as if it were not there; of the test twin’s only the mode is named. */

const modeHint =
  / [a-z]{3}_[0-9a-z]{26} is a record of live mode, and this is a test token\. Use a token that begins with svc_live_\./

const started = useApi()

let shop: Shop
let other: Shop
beforeAll(async () => {
  shop = await openShop(started().context)
  other = await openShop(started().context)
})

describe('404', () => {
  const naming = endpointIds.filter((id) => fixtures[id].notFound !== undefined)

  test.for(
    naming,
  )('%s answers for another merchant’s record as for a missing one, and names the mode of the twin’s', async (id) => {
    const api = started()
    const twin = { merchantId: shop.testMerchantId, mode: 'test' } as const
    const { token: twinToken } = await mintToken(api.context, twin, {})
    const of = await arrange(started(), id, shop)
    const missing = await of.with(elsewhere(of, api.clock.nowMs())).send({ token: shop.token })
    const ofTwin = await of.send({ token: twinToken })
    const replies = [missing, await of.send({ token: other.token }), ofTwin]
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
    // A list under another record’s path is refused as above.
    endpointIds.filter(
      (id) =>
        endpoints[id].kind === 'list' && fixtures[id].notFound === undefined && fixtures[id].isShared === undefined,
    ),
  )('%s shows nothing of another merchant’s, nor of the live side to the test side', async (id) => {
    const { context } = started()
    const of = await arrange(started(), id, shop)
    const { token } = await mintToken(context, { merchantId: shop.testMerchantId, mode: 'test' }, {})
    expect((await of.send({ token: other.token })).body.data).toEqual([])
    expect((await of.send({ token })).body.data).toEqual([])
  })
})
