import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { flutterwave } from '../../../src/partners/payments/flutterwave.ts'
import { portOf } from '../../webhooks/receiver.ts'

/** The time limits of the requests that confirm callbacks. */

/** The limit of each request in the test, in milliseconds, so that the test does not wait for the real limit. */
const shortMs = 50

/**
 * Opens a client of a server that never responds. `limits` contains the time limit that the client sets for each
 * request.
 */
async function openStalled() {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(async () => {
    await outbound.close()
    server.closeAllConnections()
    server.close()
  })
  const limits: (number | undefined)[] = []
  const send: typeof outbound.fetch = (request) => {
    limits.push(request.deadlineMs)
    return outbound.fetch({ ...request, deadlineMs: shortMs })
  }
  return { limits, client: flutterwave.open(send, `http://127.0.0.1:${portOf(server.address())}`) }
}

const secretKey = 'FLWSECK-local4f1c2b7a9d-X'

type Client = Awaited<ReturnType<typeof openStalled>>['client']

test.each([
  ['payment by its reference', (client: Client) => client.findPayment(secretKey, 'R-1')],
  ['payment by its id', (client: Client) => client.findPaymentById?.(secretKey, '1')],
  ['refund', (client: Client) => client.findRefund(secretKey, '1')],
  ['page of chargebacks', (client: Client) => client.listDisputes?.(secretKey, toTimestamp(0))],
] as const)('a request of the Flutterwave client for a %s times out after eight seconds without a response', async (_, ask) => {
  const { limits, client } = await openStalled()
  expect(await ask(client)).toMatchObject({ is: 'unavailable', reason: 'timeout' })
  expect(limits).toEqual([8_000])
})
