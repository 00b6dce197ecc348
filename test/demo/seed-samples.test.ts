import { expect, test } from 'vitest'
import { seedSamples } from '../../src/demo/seed-samples.ts'
import { type ReplyBody, useApi } from '../support/api.ts'
import { mintToken, openShop, operator } from '../support/shop.ts'

const started = useApi()

test('in the demo data, the collected cash of each carrier equals the cash that riders collected for its shipments', async () => {
  const api = started()
  const { testMerchantId: merchantId } = await openShop(api.context)
  const tenant = { merchantId, mode: 'test' } as const
  await seedSamples(api.logistics, operator, tenant)
  const { token } = await mintToken(api.context, tenant, {})
  const get = async (path: string) => (await api.send('GET', `/api/v1/logistics/${path}`, { token })).body
  const [{ carriers, remittances }, { data }] = await Promise.all([get('remittances'), get('shipments?limit=100')])
  const collected = data.filter(({ codCollectedKobo }: ReplyBody) => codCollectedKobo !== null)
  expect(new Set(collected.map(({ status }: ReplyBody) => status))).toEqual(new Set(['delivered']))
  const codCollectedKobo = collected.reduce((sum: number, each: ReplyBody) => sum + each.codCollectedKobo, 0)
  expect(codCollectedKobo).toBe(156_000_000)
  const [{ amountKobo }] = remittances
  expect(carriers).toMatchObject([
    {
      carrier: 'simulator-swift',
      ...{ collectedKobo: codCollectedKobo, remittedKobo: amountKobo },
      outstandingKobo: codCollectedKobo - amountKobo,
    },
  ])
})
