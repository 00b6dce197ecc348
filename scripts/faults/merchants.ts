import type { Scope } from '../../registry/values/scopes.ts'
import type { EndpointId } from '../../registry/values/vocabulary.ts'
import { events } from '../../registry/webhooks/webhooks.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { vaultOf } from '../../src/base/vault.ts'
import type { Actor } from '../../src/store/core/audit.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { type Context, mutate, type Tenant, type Work } from '../../src/store/core/mutation.ts'
import { createDueNotifier } from '../../src/worker/due-notifier.ts'
import { trustSecret } from './outside-verifiers.ts'

export const operator: Actor = {
  type: 'operator',
  id: null,
  label: 'faults',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

/** Encrypts the signing secrets of the endpoints. The workers decrypt the secrets with the same key. */
export const encryptionKey = Buffer.alloc(32, 5)
export const vault = vaultOf([encryptionKey])

/** Returns a context that notifies workers of due deliveries, like an API process, unless another function is given. */
export function contextOf(database: Database, nudge: Context['nudge'] = createDueNotifier(database, silentLog).nudge) {
  return { database, clock: systemClock, policy: { allowsLoopback: true }, vault, nudge }
}

export async function openMerchant(database: Database): Promise<Tenant> {
  const { id: merchantId } = await createMerchant(contextOf(database), operator, 'Adire Lagos')
  return { merchantId, mode: 'live' }
}

export async function openToken(database: Database, tenant: Tenant, scopes: readonly Scope[]): Promise<string> {
  const request = { name: 'faults', scopes, expiresAt: null, ipAllowlist: [] }
  const created = await createToken(contextOf(database), operator, tenant, request)
  if (created.is !== 'created') throw new Error(`No token: ${created.is}.`)
  return created.token
}

export async function openCustomersToken(connectionString: string): Promise<string> {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  try {
    return await openToken(database, await openMerchant(database), ['customers:read', 'customers:write'])
  } finally {
    await database.close()
  }
}

/** Creates a webhook endpoint that is subscribed to the events that emit() commits. */
export async function addEndpoint(database: Database, tenant: Tenant, url: string): Promise<EndpointId> {
  const request = { url, kinds: ['inventory.low_stock' as const] }
  const outcome = await createWebhookEndpoint(contextOf(database), operator, tenant, request)
  if (outcome.is !== 'created') throw new Error(`The endpoint was rejected: ${outcome.is}.`)
  trustSecret(url, outcome.secret)
  return outcome.id
}

const lowStock = events['inventory.low_stock'].data.parse(events['inventory.low_stock'].example)

/**
 * Commits one mutation with `count` events. The mutation's audit record contains the count, which the invariants
 * compare with the stored events.
 */
export async function emit(context: Context, tenant: Tenant, count: number): Promise<void> {
  const id = newId('var', context.clock.nowMs())
  const mutation = {
    tenant,
    actor: operator,
    action: 'inventory.adjust' as const,
    resourceType: 'variant',
    resourceId: () => id,
    emits: ['inventory.low_stock' as const],
  }
  await mutate(context, mutation, async ({ emit: emitEvent, note }: Work<'inventory.low_stock'>) => {
    for (let number = 0; number < count; number++) emitEvent('inventory.low_stock', id, lowStock)
    note({ events: [0, count] })
  })
}
