import { expect, test } from 'vitest'
import { listEndpointHistory } from '../../../src/store/webhooks/endpoint-history.ts'
import { explainEndpoint } from '../../../src/webhooks/explain.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { openShop } from '../shop.ts'

/** A webhook receiver that starts to fail while several deliveries to it are in progress. */

const opened = useDatabase()
const second = 1_000

/**
 * Opens a webhook endpoint with eight due events. The receiver holds the requests until it has one for each of the
 * given status codes, and then responds to each request with one of these codes.
 */
async function failingTogether(...codes: readonly number[]) {
  const shop = await openShop(opened().database, { rules: standardRules })
  const startMs = shop.clock.nowMs()
  const held: ((code: number) => void)[] = []
  const receiver = await openReceiver((_, response) => {
    held.push((code) => response.writeHead(code).end())
    if (held.length === codes.length) for (const [index, answer] of held.entries()) answer(codes[index] ?? 500)
  })
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 8; count++) await shop.emit()
  const delivered = await shop.deliver(endpoint)
  receiver.answer = status(500)
  const explain = async () =>
    explainEndpoint(standardRules, await listEndpointHistory(opened().database, endpoint, startMs))
  const atSecond = (seconds: number) => new Date(startMs + seconds * second).toISOString()
  /** Advances the clock to the given second and sends the due deliveries. */
  const deliverAt = (seconds: number) => {
    shop.clock.advance(startMs + seconds * second - shop.clock.nowMs())
    return shop.deliver(endpoint)
  }
  return { shop, receiver, endpoint, delivered, explain, atSecond, deliverAt }
}

test('four simultaneous failures of deliveries count as four failures, and the next delivery to the endpoint starts after 30 s at the earliest', async () => {
  const { shop, endpoint, delivered, atSecond, deliverAt } = await failingTogether(500, 500, 500, 500)
  expect(delivered).toEqual({ attempts: 4, nextDueAt: atSecond(30) })
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 4 })
  // Each of the failed webhook deliveries has its own retry time.
  const retries = (await shop.deliveries()).filter((delivery) => delivery.status === 'failed')
  expect(retries.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(Array(4).fill(atSecond(60)))

  expect(await deliverAt(29.999)).toEqual({ attempts: 0, nextDueAt: atSecond(30) })
  expect(await deliverAt(30)).toEqual({ attempts: 1, nextDueAt: atSecond(60) })
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 5 })
})

test('after four simultaneous failures, a webhook endpoint is disabled at the sixth failure in a row, a minute later', async () => {
  const { shop, receiver, endpoint, deliverAt } = await failingTogether(500, 500, 500, 500)
  await deliverAt(30)
  await deliverAt(60)
  expect(receiver.received).toHaveLength(6)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'disabled', consecutiveFailures: 6, held: 8 })
})

test('a busy webhook endpoint whose receiver is down for 59 s stays enabled', async () => {
  const { shop, receiver, endpoint, deliverAt } = await failingTogether(500, 500, 500, 500)
  for (let seconds = 1; seconds < 60; seconds++) {
    await shop.emit()
    await deliverAt(seconds)
  }
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 5 })
  receiver.answer = status(200)
  await deliverAt(60)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
  const succeeded = (await shop.deliveries()).filter((delivery) => delivery.status === 'succeeded')
  // Every webhook delivery has succeeded, except for the delivery that failed at 30 s, whose retry is due at 90 s.
  expect(succeeded).toHaveLength(8 + 59 - 1)
})

test('the history of a webhook endpoint shows that each of several simultaneous failures was counted', async () => {
  const { explain } = await failingTogether(500, 500, 500, 500)
  const attempts = (await explain()).filter(({ past }) => past.is === 'attempt')
  expect(attempts.map(({ counted }) => counted)).toEqual([true, true, true, true])
  expect(attempts.at(-1)).toMatchObject({ status: 'enabled', consecutiveFailures: 4 })
})
