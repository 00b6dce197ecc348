import { onTestFinished } from 'vitest'
import type { EventKind } from '../../registry/kit/event.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { trustSecret } from '../../scripts/faults/outside-verifiers.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { stoppedClock, systemClock, toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { listAudit } from '../../src/store/audit/audit-list.ts'
import type { Database } from '../../src/store/core/database.ts'
import { type Context, mutate, type Work } from '../../src/store/core/mutation.ts'
import { listAttempts } from '../../src/store/webhooks/attempts.ts'
import { listDeliveries } from '../../src/store/webhooks/delivery-list.ts'
import { listDueEndpoints } from '../../src/store/webhooks/delivery-sweeps.ts'
import { type EndpointKey, listEndpoints } from '../../src/store/webhooks/endpoints.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import type { CustomHeader } from '../../src/webhooks/delivery-headers.ts'
import { openSecretCache } from '../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { openPump, type PumpContext } from '../../src/webhooks/pump.ts'

export const policy = { allowsLoopback: true } as const

export const vault = vaultOf([Buffer.alloc(32, 9)])

export const operator = {
  type: 'operator',
  id: null,
  label: 'cli',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
} as const

export const lowStock = events['inventory.low_stock'].data.parse(events['inventory.low_stock'].example)

/**
 * Opens a merchant on a real database, with a clock that the test advances, and returns functions for the operations
 * that a test needs.
 */
export async function openShop(database: Database, overrides: Partial<PumpContext & Pick<Context, 'nudge'>> = {}) {
  const clock = stoppedClock(systemClock.nowMs())
  const nudged: string[] = []
  const noteNudge: Context['nudge'] = (_, endpointIds) => void nudged.push(...endpointIds)
  const context = { database, clock, policy, vault, nudge: overrides.nudge ?? noteNudge }
  const { id: merchantId } = await createMerchant(context, operator, 'Adire Lagos')
  const tenant = { merchantId, mode: 'live' } as const
  const outbound = openSafeFetch(policy)
  onTestFinished(() => outbound.close())
  const pumpContext: PumpContext = {
    database,
    clock,
    log: silentLog,
    // The service does not throttle endpoints here, so that due deliveries are sent at once. Other tests cover
    // throttling.
    rules: { ...standardRules, pacesMs: [] },
    fetch: outbound.fetch,
    openSecrets: openSecretCache(vault),
    workerId: newId('wrk', clock.nowMs()),
    ...overrides,
  }
  return {
    clock,
    context,
    pumpContext,
    sweepContext: { ...pumpContext, wake: () => undefined },
    merchantId,
    tenant,
    nudged,
    addEndpoint: async (
      url: string,
      kinds: readonly EventKind[] = ['inventory.low_stock'],
      headers: readonly CustomHeader[] = [],
    ) => {
      const outcome = await createWebhookEndpoint(context, operator, tenant, { url, kinds, headers })
      if (outcome.is !== 'created') throw new Error(`The endpoint was refused: ${outcome.is}.`)
      trustSecret(url, outcome.secret)
      return { merchantId, endpointId: outcome.id, secret: outcome.secret }
    },
    /** Commits a mutation that emits a low-stock event. */
    emit: () =>
      mutate(
        context,
        {
          tenant,
          actor: operator,
          action: 'inventory.adjust' as const,
          resourceType: 'variant',
          resourceId: () => 'var',
          emits: ['inventory.low_stock'],
        },
        async ({ emit }: Work<'inventory.low_stock'>) => emit('inventory.low_stock', lowStock.variantId, lowStock),
      ),
    deliver: (endpoint: EndpointKey, more: Partial<PumpContext> = {}) => deliver({ ...pumpContext, ...more }, endpoint),
    deliveries: () => listDeliveries(database, { merchantId, limit: 100 }),
    attempts: (deliveryId: Parameters<typeof listAttempts>[1]['deliveryId']) =>
      listAttempts(database, { merchantId, deliveryId }),
    endpoint: async ({ endpointId }: EndpointKey) => {
      const found = (await listEndpoints(database, merchantId)).find(({ id }) => id === endpointId)
      if (found === undefined) throw new Error('The endpoint is gone.')
      return found
    },
    audits: async (action: string) =>
      (await listAudit(database, { merchantId, limit: 1000 })).filter((row) => row.action === action),
    notifications: () => listNotifications(database, { merchantId, limit: 10 }),
    now: () => toTimestamp(clock.nowMs()),
  }
}

/**
 * Sends the due deliveries of a webhook endpoint until none is left. Returns the time at which its next delivery is
 * due.
 */
export async function deliver(context: PumpContext, { merchantId, endpointId }: EndpointKey) {
  const pump = openPump(context)
  pump.wake([{ merchantId, endpointId }])
  await pump.idle()
  const next = await findNextDue(context.database, endpointId)
  return { attempts: pump.attempts(), nextDueAt: next?.dueAt }
}

/** Returns when the next delivery of an endpoint is due, however far in the future it is. */
export async function findNextDue(database: Database, endpointId: EndpointKey['endpointId']) {
  const due = await listDueEndpoints(database, toTimestamp(Date.UTC(9999)))
  return due.find((endpoint) => endpoint.endpointId === endpointId)
}

export function only<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined || items.length !== 1) throw new Error(`There are ${items.length} instead of one.`)
  return item
}
