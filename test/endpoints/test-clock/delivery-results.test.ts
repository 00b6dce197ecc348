import { expect, onTestFinished, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { type Log, silentLog } from '../../../src/base/log.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { attemptDelivery } from '../../../src/webhooks/attempt.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { openPump } from '../../../src/webhooks/pump.ts'
import { openRecorder } from '../../../src/webhooks/recorder.ts'
import { sweep } from '../../../src/worker/sweeper.ts'
import { useApi, vault } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { untilWaiting } from '../../support/database-locks.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { addEndpoint, duringStep } from '../../support/test-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openReceiver } from '../../webhooks/receiver.ts'
import { only } from '../../webhooks/shop.ts'

const started = useApi()

/** Creates a webhook endpoint of a merchant, and one due delivery to it. */
async function addDelivery(shop: Shop): Promise<EndpointKey> {
  const receiver = await openReceiver()
  const { id: endpointId, secret } = await addEndpoint(started(), shop, receiver.url)
  trustSecret(receiver.url, secret)
  await placeOrder(started(), shop, { isPaid: false })
  return { merchantId: shop.merchantId, endpointId }
}

/** Adds a delivery to a merchant and claims it. */
async function claim(shop: Shop) {
  const { database, clock } = started()
  const lanes = [await addDelivery(shop)]
  const limits = { room: 9, merchantCap: 9, endpointCap: 9 }
  const claimed = await claimDeliveries(database, {
    ...{ lanes, workerId: 'wrk_one', now: toTimestamp(clock.nowMs()), ...limits },
  })
  return only(claimed.lanes.flatMap(({ deliveries }) => deliveries))
}

/** Creates and sends the only delivery of a merchant. Returns its result, which is not recorded yet. */
async function send(shop: Shop) {
  return attemptDelivery(sendContext(), await claim(shop))
}

function sendContext() {
  const fetches = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => fetches.close())
  return { clock: started().clock, log: silentLog, fetch: fetches.fetch, openSecrets: openSecretCache(vault) }
}

function recordingLog() {
  const messages: string[] = []
  const add = (_: object, message: string) => messages.push(message)
  const log: Log = Object.assign(Object.create(silentLog), { warn: add, error: add })
  return { log, messages }
}

const attemptsOf = ({ merchantId }: Shop) =>
  select(started(), 'select outcome from webhook_attempts where merchant_id = $1 order by number', [merchantId])

test('during a step of the test clock, the result of a test-mode webhook delivery is recorded only after the step, and the results of other merchants are recorded at once', async () => {
  const api = started()
  const [shop, live] = [await openTestShop(api), await openShop(api.context)]
  const [result, other] = [await send(shop), await send(live)]
  const recorder = openRecorder({ database: api.database, log: silentLog, rules: standardRules })
  const recording: Promise<void>[] = []
  await duringStep(api, shop, async () => {
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
  await duringStep(api, shop, async () => {
    sweeping.push(sweep({ ...api.context, log: silentLog, rules: standardRules, wake: () => undefined }))
    await waitFor(async () => expect(await attemptsOf(live)).toEqual([{ outcome: 'aborted' }]))
    expect(await attemptsOf(shop)).toEqual([])
  })
  expect(await Promise.all(sweeping)).toEqual([true])
  expect(await attemptsOf(shop)).toEqual([{ outcome: 'aborted' }])
})

test('if a sweep cannot release the leases of one merchant, it still releases the leases of all other merchants', async () => {
  const api = started()
  const [shop, live, other] = [await openTestShop(api), await openShop(api.context), await openTestShop(api)]
  for (const each of [shop, live, other]) await claim(each)
  // Two earlier workers died while sending the delivery of live mode. The death of a third worker alerts the operator.
  await select(api, 'update webhook_deliveries set lost_count = 2 where merchant_id = $1', [live.merchantId])
  api.clock.advance(31_000)
  const { log, messages } = recordingLog()
  const woken: string[] = []
  const wake = (endpoints: readonly EndpointKey[]) => woken.push(...endpoints.map(({ merchantId }) => merchantId))
  const isComplete = await duringStep(api, shop, () => sweep({ ...api.context, log, rules: standardRules, wake }))
  expect(isComplete).toBe(false)
  expect(await attemptsOf(shop)).toEqual([])
  for (const { merchantId } of [live, other]) expect(woken).toContain(merchantId)
  expect(await attemptsOf(live)).toEqual([{ outcome: 'aborted' }])
  expect(await attemptsOf(other)).toEqual([{ outcome: 'aborted' }])
  expect(messages).toEqual([
    'The deliveries of a dead worker were released.',
    'Three workers died while sending the same deliveries, which are postponed for an hour.',
    'The deliveries of a dead worker were released.',
    'Recurring work failed. It is repeated until it succeeds.',
  ])
})

test('a step of a test clock does not delay claimed deliveries of live mode, even if the commit of their claim was not confirmed', async () => {
  const api = started()
  const [shop, live] = [await openTestShop(api), await openShop(api.context)]
  const lanes = [await addDelivery(shop), await addDelivery(live)]
  let breaks = 1
  const reach = async (point: string) => {
    if (point === 'claim_committed' && breaks-- > 0) throw new Error('The connection broke in a commit.')
  }
  const { log, messages } = recordingLog()
  const pump = openPump({
    ...{ ...sendContext(), database: api.database, rules: standardRules },
    ...{ workerId: 'wrk_one', log, reach },
  })
  await duringStep(api, shop, async () => {
    pump.wake(lanes)
    await waitFor(async () =>
      expect(await attemptsOf(live)).toEqual([{ outcome: 'aborted' }, { outcome: 'succeeded' }]),
    )
    expect(await attemptsOf(shop)).toEqual([])
    // The recorder has not discarded the test-mode results. Otherwise, the claim would not wait for them, and the test
    // would prove nothing.
    expect(messages).not.toContain('Delivery results could not be written.')
  })
  await waitFor(async () => expect(await attemptsOf(shop)).toEqual([{ outcome: 'aborted' }]))
  await pump.stop()
})
