import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { postmasterOf } from './cpu-time.ts'
import { listOrderIds } from './orders.ts'
import { type Case, casesOf } from './peers/cases.ts'
import { measureInTurn, type Run, ratiosOfRuns, runOnce, spreadOf } from './peers/measure-case.ts'
import { rangeText, sideText } from './peers/report.ts'
import { createRefundTargets } from './refund-targets.ts'
import { type StartedService, startService, stopService } from './start-service.ts'

/** Number of orders: enough for the benchmark cases that read a page deep in a list. */
const orders = 10_000

/** Number of client connections. With fewer, the kernel may give most of them to one of the two processes. */
const connections = 32

const counts = [1, 2] as const

/**
 * Maximum share of requests that the service may reject as overload in this benchmark, because a pause of the machine
 * looks like overload. In the comparison with other servers, the service may reject no request.
 */
const rejectedShareMax = 0.05

/**
 * Compares one API process with two API processes on one port. The benchmark requires no minimum ratio: on two cores,
 * the processes, PostgreSQL and the client share the cores, so that a second process gains only the time that the first
 * one leaves idle.
 */
export async function benchProcesses(postgres: TemporaryPostgres): Promise<void> {
  const { merchantId, token } = await createRefundTargets(postgres, orders, ['orders:read', 'refunds:write'])
  const orderIds = await listOrderIds(postgres.connectionString, merchantId)
  const services: Compared[] = []
  try {
    for (const count of counts)
      services.push({ count, ...(await startService(postgres, { RUN: 'api', PROCESSES: String(count) })) })
    const merchants = [{ token, testToken: '', orderIds }]
    const cases = casesOf({ merchants, nextIndex: () => 0 }).filter((each) => each.connections === connections)
    for (const each of cases) report(each, await measureEach(each, services, postmasterOf(postgres.dataDirectory)))
  } finally {
    for (const { child } of services) await stopService(child)
  }
}

interface Compared extends StartedService {
  readonly count: number
}

/** Returns the results of each compared service, in the order of the rounds. */
function measureEach(each: Case, services: readonly Compared[], postmaster: number) {
  return measureInTurn(
    services.map(({ count, child: { pid = 0 }, url }) => async () => {
      const load = await each.load({ base: `${url}/api/v1` })
      return ({ amount }) => {
        // The warm-up is longer for several processes, because each process compiles its own code.
        const warmUp = amount === undefined ? {} : { amount: amount * count }
        return runOnce({ ...load, ...warmUp, connections }, { pid }, postmaster, rejectedShareMax)
      }
    }),
  )
}

function report({ title }: Case, [one = [], two = []]: readonly (readonly Run[])[]): void {
  console.log(`\n${title}, ${connections} connections`)
  console.log(`  one process    ${sideText(one)}  rejected ${rejectedText(one)}`)
  console.log(`  two processes  ${sideText(two)}  rejected ${rejectedText(two)}`)
  const ratio = spreadOf(ratiosOfRuns(two, one, ({ perSecond }) => perSecond))
  console.log(`  rate of two, relative to one (${rangeText(ratio)})  ratio ${ratio.median.toFixed(2)}`)
}

function rejectedText(runs: readonly Run[]): string {
  return `${(Math.max(...runs.map(({ rejectedShare }) => rejectedShare)) * 100).toFixed(1)} % at most`
}
