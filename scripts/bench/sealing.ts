import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../src/store/core/service-role.ts'
import { median, perSecond, requestsPerSecond, startServer } from './compare.ts'
import { makeOrders, walkOrders } from './orders.ts'
import { refunding } from './refunds.ts'
import { requireAtLeast } from './verdict.ts'

/**
 * Measures the cost of the hash chain for writers: refunds while the audit log is sealed every second, compared with refunds while
 * it is not. Runs alternate, so that a slow machine affects both. The service seals every minute; a second keeps the share of
 * sealing in each run equal.
 */
const ratioMin = 0.95

const rounds = 5
const runSeconds = 6
const orders = 100_000

const actor = {
  type: 'operator',
  id: null,
  label: 'bench',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
} as const

export async function benchSealing(roles: DatabaseRoles): Promise<void> {
  const { merchantId, token } = await prepare(roles)
  const service = await startServer('service.ts', [roles.connectionString])
  const sealer = await startServer('sealer.ts', [roles.connectionString])
  try {
    const nextOrder = await walkOrders(roles.connectionString, merchantId)
    const refund = () =>
      requestsPerSecond({ duration: runSeconds, ...refunding(`${service.url}/api/v1/refunds`, token, nextOrder)() })
    await refund()
    const pairs: { sealed: number; unsealed: number }[] = []
    for (let round = 0; round < rounds; round++) {
      await fetch(`${sealer.url}/stop`)
      const unsealed = await refund()
      await fetch(`${sealer.url}/stop`)
      await fetch(`${sealer.url}/start`)
      pairs.push({ unsealed, sealed: await refund() })
    }
    const [sealed, unsealed] = [median(pairs.map((pair) => pair.sealed)), median(pairs.map((pair) => pair.unsealed))]
    const what = `POST /refunds with sealing ${perSecond(sealed)}, without ${perSecond(unsealed)}`
    requireAtLeast(what, median(pairs.map((pair) => pair.sealed / pair.unsealed)), ratioMin)
  } finally {
    sealer.stop()
    service.stop()
  }
}

async function prepare({ connectionString, ownerConnectionString }: DatabaseRoles) {
  const database = openDatabase({ connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined }
  const { id: merchantId } = await createMerchant(context, actor, 'Adire Lagos')
  const request = { name: 'bench', scopes: ['refunds:write' as const], expiresAt: null, ipAllowlist: [] }
  const created = await createToken(context, actor, { merchantId, mode: 'live' }, request)
  if (created.is !== 'created') throw new Error('No token.')
  await makeOrders(ownerConnectionString, [merchantId], orders)
  await database.close()
  return { merchantId, token: created.token }
}
