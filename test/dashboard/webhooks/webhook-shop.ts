import { onTestFinished } from 'vitest'
import type { EventKind } from '../../../registry/kit/event.ts'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { newId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log.ts'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import { mutate, type Work } from '../../../src/store/core/mutation.ts'
import { listDeliveries } from '../../../src/store/webhooks/delivery-list.ts'
import { type EndpointKey, listEndpoints } from '../../../src/store/webhooks/endpoints.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import type { PumpContext } from '../../../src/webhooks/pump.ts'
import { type TestApi, vault } from '../../support/api.ts'
import { openShop, operator } from '../../support/shop.ts'
import { deliver, lowStock } from '../../webhooks/shop.ts'

const policy = { allowsLoopback: true } as const

/**
 * Creates a merchant in the database of the given API, and returns functions that add webhook endpoints and emit
 * events. The service sends no delivery by itself: a test sends them with `deliver`.
 */
export async function openWebhookShop(api: TestApi) {
  const shop = await openShop(api.context)
  const { merchantId, tenant } = shop
  const { database, clock } = api
  const outbound = openSafeFetch(policy)
  onTestFinished(() => outbound.close())
  const pumpContext = {
    ...{ database, clock, log: silentLog, fetch: outbound.fetch, openSecrets: openSecretCache(vault) },
    // The service does not throttle endpoints here, so that due deliveries are sent at once. Other tests cover
    // throttling.
    rules: { ...standardRules, pacesMs: [] },
    workerId: newId('wrk', clock.nowMs()),
  }
  const emit = async () => {
    const mutation = {
      ...{
        tenant,
        actor: operator,
        action: 'inventory.adjust' as const,
        resourceType: 'variant',
        resourceId: () => 'var',
      },
      emits: ['inventory.low_stock'] as const,
    }
    await mutate(api.context, mutation, async ({ emit }: Work<'inventory.low_stock'>) =>
      emit('inventory.low_stock', lowStock.variantId, lowStock),
    )
  }
  const send = (endpoint: EndpointKey, more: Partial<PumpContext> = {}) =>
    deliver({ ...pumpContext, ...more }, endpoint)
  return {
    ...shop,
    addEndpoint: async (url: string, description = '', kinds: readonly EventKind[] = ['inventory.low_stock']) => {
      const context = { ...api.context, policy, vault }
      const outcome = await createWebhookEndpoint(context, operator, tenant, { url, kinds, description })
      if (outcome.is !== 'created') throw new Error(`The endpoint was refused: ${outcome.is}.`)
      trustSecret(url, outcome.secret)
      return { merchantId, endpointId: outcome.id, secret: outcome.secret }
    },
    emit,
    deliver: send,
    /** Emits events one second apart and sends each. The receiver of the endpoint must reject them all. */
    fail: async (endpoint: EndpointKey, times: number) => {
      for (let time = 0; time < times; time++) {
        clock.advance(1000)
        await emit()
        await send(endpoint)
      }
    },
    deliveries: () => listDeliveries(database, { merchantId, limit: 100 }),
    endpoints: () => listEndpoints(database, merchantId),
  }
}

export type WebhookShop = Awaited<ReturnType<typeof openWebhookShop>>
