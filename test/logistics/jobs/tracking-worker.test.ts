import { expect, test } from 'vitest'
import { silentLog } from '../../../src/base/log.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { startWorker } from '../../../src/worker/runner.ts'
import { sendRaw, useApi, vault } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { carriersOf, signedHeaders, testCarrier, tracking } from '../../support/logistics/carrier.ts'
import { readShipment, storeShipment, testModeOf } from '../../support/logistics/shipment.ts'
import { openShop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

const started = useApi({ carriers: carriersOf(testCarrier('simulator-swift')) })

test('a worker applies carrier callbacks in the job queued for them, or in the next sweep when that job is lost', async () => {
  const api = started()
  const shop = testModeOf(await openShop(api.context))
  const key = await storeShipment(api, shop)
  const { attempts } = await readShipment(api, key)
  const sendCallback = (status: 'courier_assigned' | 'picked_up') => {
    const order = { reference: attempts[0]?.reference }
    const body = JSON.stringify({ events: [{ order, tracking: tracking({ status }), dedupeKey: status }] })
    const path = `/callbacks/carriers/simulator-swift/${shop.merchantId}`
    return sendRaw(api, { method: 'POST', path, headers: signedHeaders, body })
  }
  const becomes = (status: string) =>
    waitFor(async () => expect((await readShipment(api, key)).shipment.status).toBe(status))
  await sendCallback('courier_assigned')
  await select(api, "select graphile_worker.remove_job('apply_carrier_callbacks:' || $1)", [shop.merchantId])
  const worker = await startWorker({
    ...api.context,
    log: silentLog,
    policy: { allowsLoopback: true },
    vault,
    rules: standardRules,
    paymentProviders: { urls: { paystack: 'http://127.0.0.1:9' } },
  })
  try {
    await becomes('courier_assigned')
    await sendCallback('picked_up')
    await becomes('picked_up')
  } finally {
    await worker.stop()
  }
  await worker.ended
})
