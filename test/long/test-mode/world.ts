import { onTestFinished } from 'vitest'
import { type EventKind, eventKinds } from '../../../registry/kit/event.ts'
import { events as eventDeclarations } from '../../../registry/webhooks/webhooks.ts'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { newId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { applyCarrierCallbacks } from '../../../src/logistics/callbacks/apply-callbacks.ts'
import { checkDueShipments } from '../../../src/logistics/jobs/check-shipments.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { applyCallbacks } from '../../../src/payments/apply-callbacks.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { type TestApi, vault } from '../../support/api.ts'
import { testModeOf } from '../../support/exceptions/refunded-orders.ts'
import { openShop, operator } from '../../support/shop.ts'
import { openReceiver } from '../../webhooks/receiver.ts'
import { deliver } from '../../webhooks/shop.ts'

/** A merchant in test mode with a webhook receiver, and the work of the worker between two points of simulated time. */

/** Seconds of simulated time between two runs of the worker. It is also the sweep interval of the real worker. */
const sweepSeconds = 5

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(api: TestApi) {
  const live = await openShop(api.context)
  const shop = await testModeOf(api, live)
  const receiver = await openReceiver()
  const { context } = api
  const policy = { allowsLoopback: true }
  const endpoint = await createWebhookEndpoint({ ...context, policy, vault }, operator, shop.tenant, {
    ...{ url: receiver.url, kinds: eventKinds, headers: [] },
  })
  if (endpoint.is !== 'created') throw new Error(`The endpoint was refused: ${endpoint.is}.`)
  trustSecret(receiver.url, endpoint.secret)
  const outbound = openSafeFetch(policy)
  onTestFinished(() => outbound.close())
  const pump = {
    ...{ database: api.database, clock: api.clock, log: silentLog, fetch: outbound.fetch },
    ...{ rules: { ...standardRules, pacesMs: [] }, openSecrets: openSecretCache(vault), workerId: newId('wrk', 0) },
  }
  const payments = { ...api.payments, log: silentLog }
  const work = async () => {
    await payRefunds(payments, shop.merchantId)
    await api.simulator.tick()
    await applyCarrierCallbacks(api.logistics, shop.merchantId)
    await applyCallbacks(payments, shop.merchantId)
    await checkDueShipments(api.logistics)
  }
  return {
    shop,
    live,
    /** Runs the worker for seconds of simulated time. Returns as soon as `isOver` holds. */
    pass: async (seconds: number, isOver: () => Promise<boolean> = async () => false) => {
      await work()
      for (let passed = 0; passed < seconds && !(await isOver()); passed += sweepSeconds) {
        api.clock.advance(sweepSeconds * 1000)
        await work()
      }
      await expireOrders(context)
    },
    /** Sends the due deliveries, and returns the received and verified events, oldest first. */
    receive: async () => {
      await deliver(pump, { merchantId: shop.merchantId, endpointId: endpoint.id })
      return receiver.received.map(({ rawBody }) => {
        const { event, ...body }: { event: EventKind; data: { code?: string } } = JSON.parse(rawBody)
        eventDeclarations[event].envelope.parse({ event, ...body })
        return { event, code: body.data.code }
      })
    },
    notifications: () => listNotifications(api.database, { merchantId: shop.merchantId, limit: 50 }),
  }
}
