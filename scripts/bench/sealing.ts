import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../src/store/core/service-role.ts'
import { median, perSecond, requestsPerSecond, type Server, startServer } from './compare.ts'
import { makeOrders, walkOrders } from './orders.ts'
import { refunding } from './refunds.ts'
import { requireAtLeast } from './verdict.ts'

/**
 * Measures the cost of the hash chain and of the request log for writers: refunds while the audit log is sealed every second and
 * requests are logged, compared with refunds without both. Runs alternate, so that a slow machine affects both. The service seals
 * every minute; a second keeps the share of sealing in each run equal.
 */
const ratioMin = 0.95

const rounds = 6
const runSeconds = Number(process.env.BENCH_SECONDS ?? 6)
const orders = Number(process.env.BENCH_ORDERS ?? 100_000)

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
  const logged = await startServer('service.ts', [roles.connectionString])
  const unlogged = await startServer('service.ts', [roles.connectionString, 'unlogged'])
  const sealer = await startServer('sealer.ts', [roles.connectionString])
  try {
    const nextOrder = await walkOrders(roles.connectionString, merchantId)
    const refund = ({ url }: Server) =>
      requestsPerSecond({ duration: runSeconds, ...refunding(`${url}/api/v1/refunds`, token, nextOrder)() })
    await refund(logged)
    await refund(unlogged)
    const measureBare = async () => {
      await fetch(`${sealer.url}/stop`)
      return refund(unlogged)
    }
    const measureRecorded = async () => {
      await fetch(`${sealer.url}/stop`)
      await fetch(`${sealer.url}/start`)
      return refund(logged)
    }
    const pairs: { recorded: number; bare: number }[] = []
    for (let round = 0; round < rounds; round++) {
      // The tables grow with every run, so each side is the first of a pair as often as the second.
      if (round % 2 === 0) pairs.push({ bare: await measureBare(), recorded: await measureRecorded() })
      else pairs.push({ recorded: await measureRecorded(), bare: await measureBare() })
    }
    const [recorded, bare] = [median(pairs.map((pair) => pair.recorded)), median(pairs.map((pair) => pair.bare))]
    const what = `POST /refunds with sealing and request log ${perSecond(recorded)}, without ${perSecond(bare)}`
    requireAtLeast(what, median(pairs.map((pair) => pair.recorded / pair.bare)), ratioMin)
  } finally {
    sealer.stop()
    unlogged.stop()
    logged.stop()
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
