import type { EndpointId, MerchantId } from '../../../registry/values/vocabulary.ts'
import { events } from '../../../registry/webhooks/webhooks.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { vaultOf } from '../../../src/base/vault.ts'
import { systemActor } from '../../../src/store/core/audit.ts'
import type { Database } from '../../../src/store/core/database.ts'

export const actor = systemActor('bench')

export const policy = { allowsLoopback: true } as const

/** Vault with a fixed encryption key, so that all processes of a benchmark can decrypt the webhook signing secrets. */
export const vault = vaultOf([Buffer.alloc(32, 1)])

export const order = events['order.created'].data.parse(events['order.created'].example)

export interface BenchEndpoint {
  readonly endpointId: EndpointId
  readonly path: string
  readonly secret: string
}

export interface BenchMerchant {
  readonly merchantId: MerchantId
  readonly endpoints: readonly BenchEndpoint[]
}

interface Wanted {
  readonly origin: string
  readonly count: number
  readonly pathOf: (merchant: number, endpoint: number) => string
}

/** 25 merchants with four webhook endpoints each, such as those of a shop, its accounting, its chat and its e-mail. */
export const merchantCount = 25
export const endpointsEach = 4

/** Creates merchants with endpoints. Each measurement creates its own, so that measurements do not affect each other. */
export async function openMerchants(
  database: Database,
  { origin, count, pathOf }: Wanted,
): Promise<readonly BenchMerchant[]> {
  const context = { database, clock: systemClock, nudge: () => undefined, policy, vault }
  const open = async (merchant: number): Promise<BenchMerchant> => {
    const { id: merchantId } = await createMerchant(context, actor, `Shop ${merchant}`)
    const endpoints: BenchEndpoint[] = []
    for (let index = 0; index < endpointsEach; index++) {
      const path = `${pathOf(merchant, index)}/${merchantId}/${index}`
      const request = { url: `${origin}${path}`, kinds: ['order.created' as const] }
      const created = await createWebhookEndpoint(context, actor, { merchantId, mode: 'live' }, request)
      if (created.is !== 'created') throw new Error(`No endpoint: ${created.is}.`)
      endpoints.push({ endpointId: created.id, path, secret: created.secret })
    }
    return { merchantId, endpoints }
  }
  return Promise.all(Array.from({ length: count }, (_, merchant) => open(merchant)))
}

export function pathsAndSecrets(merchants: readonly BenchMerchant[]): (readonly [path: string, secret: string])[] {
  return merchants.flatMap(({ endpoints }) => endpoints.map(({ path, secret }) => [path, secret] as const))
}
