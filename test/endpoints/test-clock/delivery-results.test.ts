import { expect, onTestFinished, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { advisoryLocks } from '../../../src/store/core/advisory-locks.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { attemptDelivery } from '../../../src/webhooks/attempt.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { openRecorder } from '../../../src/webhooks/recorder.ts'
import { sweep } from '../../../src/worker/sweeper.ts'
import { useApi, vault } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { untilWaiting, whileLocked } from '../../support/database-locks.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { addEndpoint } from '../../support/test-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver } from '../../webhooks/receiver.ts'
import { only } from '../../webhooks/shop.ts'

const started = useApi()

/** Claims the only delivery of a merchant. */
async function claim(shop: Shop) {
  const { database, clock } = started()
  const receiver = await openReceiver()
  const { id: endpointId, secret } = await addEndpoint(started(), shop, receiver.url)
  trustSecret(receiver.url, secret)
  await placeOrder(started(), shop, { isPaid: false })
  const lanes = [{ merchantId: shop.merchantId, endpointId }]
  const limits = { room: 9, merchantCap: 9, endpointCap: 9 }
  const claimed = await claimDeliveries(database, {
    ...{ lanes, workerId: 'wrk_one', now: toTimestamp(clock.nowMs()), ...limits },
  })
  return only(claimed.lanes.flatMap(({ deliveries }) => deliveries))
}

/** Sends the only delivery of a merchant. Returns its result, which is not recorded yet. */
async function send(shop: Shop) {
  const fetches = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => fetches.close())
  const context = { clock: started().clock, log: silentLog, fetch: fetches.fetch, openSecrets: openSecretCache(vault) }
  return attemptDelivery(context, await claim(shop))
}

/** Runs a function during a step of the merchant's test clock. */
function duringStep({ merchantId }: Shop, run: () => Promise<void>): Promise<void> {
  const text = 'select pg_advisory_xact_lock($1, hashtext($2))'
  return whileLocked(started(), { text, values: [advisoryLocks.testClock, merchantId] }, run)
}

const attemptsOf = ({ merchantId }: Shop) =>
  select(started(), 'select outcome from webhook_attempts where merchant_id = $1', [merchantId])

test('a result of a webhook delivery waits for a step of the test clock, and delays no result of another merchant', async () => {
  const api = started()
  const [shop, live] = [await openTestShop(api), await openShop(api.context)]
  const [result, other] = [await send(shop), await send(live)]
  const recorder = openRecorder({ database: api.database, log: silentLog, rules: standardRules })
  const recording: Promise<void>[] = []
  await duringStep(shop, async () => {
    recording.push(recorder.record(result))
    await untilWaiting(api, 1)
    await recorder.record(other)
    expect(await attemptsOf(live)).toEqual([{ outcome: 'succeeded' }])
    expect(await attemptsOf(shop)).toEqual([])
  })
  await Promise.all(recording)
  expect(await attemptsOf(shop)).toEqual([{ outcome: 'succeeded' }])
})

test('the sweep releases the expired leases of live mode during a step of a test clock', async () => {
  const api = started()
  const [shop, live] = [await openTestShop(api), await openShop(api.context)]
  await claim(shop)
  await claim(live)
  api.clock.advance(31_000)
  const sweeping: Promise<boolean>[] = []
  await duringStep(shop, async () => {
    sweeping.push(sweep({ ...api.context, log: silentLog, rules: standardRules, wake: () => undefined }))
    await waitFor(async () => expect(await attemptsOf(live)).toEqual([{ outcome: 'aborted' }]))
    expect(await attemptsOf(shop)).toEqual([])
  })
  expect(await Promise.all(sweeping)).toEqual([true])
  expect(await attemptsOf(shop)).toEqual([{ outcome: 'aborted' }])
})
