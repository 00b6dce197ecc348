import { expect, test } from 'vitest'
import { listEndpointHistory } from '../../../src/store/webhooks/endpoint-history.ts'
import { explainEndpoint } from '../../../src/webhooks/explain.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver, status } from '../receiver.ts'
import { openShop } from '../shop.ts'

/** A receiver that goes down while several deliveries to it are in flight. */

const opened = useDatabase()
const second = 1_000

/** An endpoint with five due events whose receiver responds with these codes after that many requests have arrived. */
async function failingTogether(...codes: readonly number[]) {
  const shop = await openShop(opened().database, { rules: standardRules })
  const startMs = shop.clock.nowMs()
  const held: ((code: number) => void)[] = []
  const receiver = await openReceiver((_, response) => {
    held.push((code) => response.writeHead(code).end())
    if (held.length === codes.length) for (const [index, answer] of held.entries()) answer(codes[index] ?? 500)
  })
  const endpoint = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 5; count++) await shop.emit()
  const delivered = await shop.deliver(endpoint)
  receiver.answer = status(500)
  const explain = async () =>
    explainEndpoint(standardRules, await listEndpointHistory(opened().database, endpoint, startMs))
  return { shop, endpoint, delivered, explain }
}

test('counts four deliveries in flight at the first failure once, and starts with a pace of 2 s', async () => {
  const { shop, endpoint, delivered } = await failingTogether(500, 500, 500, 500)
  const afterSeconds = (seconds: number) => new Date(shop.clock.nowMs() + seconds * second).toISOString()
  expect(delivered).toEqual({ attempts: 4, nextDueAt: afterSeconds(2) })
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 1 })
  // Each delivery still has its own retry.
  const retries = (await shop.deliveries()).filter((delivery) => delivery.status === 'failed')
  expect(retries.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(Array(4).fill(afterSeconds(60)))

  shop.clock.advance(2 * second)
  await shop.emit()
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 1, nextDueAt: afterSeconds(4) })
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 2 })
})

test('shows in the history which of the simultaneous failures counted', async () => {
  const { explain } = await failingTogether(500, 500, 500, 500)
  const attempts = (await explain()).filter(({ past }) => past.is === 'attempt')
  expect(attempts.map(({ counted }) => counted)).toEqual([true, false, false, false])
  expect(attempts.at(-1)).toMatchObject({ status: 'enabled', consecutiveFailures: 1 })
})

test('counts a retry that fails after a simultaneous failure', async () => {
  const { shop, endpoint } = await failingTogether(500, 500, 500, 500)
  shop.clock.advance(60 * second)
  // The retries come one at a time, so each failure counts.
  await shop.deliver(endpoint)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'disabled', consecutiveFailures: 6 })
})
