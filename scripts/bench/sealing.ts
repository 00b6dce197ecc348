import type { DatabaseRoles } from '../../src/store/core/service-role.ts'
import { median, perSecond, requestsPerSecond, type Server, startServer } from './compare.ts'
import { walkOrders } from './orders.ts'
import { createRefundTargets } from './refund-targets.ts'
import { refunding } from './refunds.ts'
import { requireAtLeast } from './verdict.ts'

/**
 * Measures how much the audit log's hash chain and the request log cost writers: refunds while the audit log is sealed
 * every second and requests are logged, compared with refunds without both. Runs alternate, so that a slow machine
 * affects both. The service seals every minute; with one second, sealing takes the same share of each run.
 */
const ratioMin = 0.95

const rounds = 6
const runSeconds = Number(process.env.BENCH_SECONDS ?? 6)
const orders = Number(process.env.BENCH_ORDERS ?? 100_000)

export async function benchSealing(roles: DatabaseRoles): Promise<void> {
  const { merchantId, token } = await createRefundTargets(roles, orders)
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
      // The tables grow with every run. Therefore runs with sealing come first as often as runs without.
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
