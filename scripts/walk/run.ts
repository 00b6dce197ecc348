import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { acceptInvitationAsNewUser } from '../../src/access/members/accept-invitation.ts'
import type { MembersContext } from '../../src/access/members/context.ts'
import { inviteMember } from '../../src/access/members/invite-member.ts'
import { systemClock } from '../../src/base/clock.ts'
import { listen } from '../../src/base/listen.ts'
import { silentLog } from '../../src/base/log.ts'
import { openDashboard } from '../../src/dashboard/dashboard.ts'
import { root } from '../../src/dashboard/kit/root.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { allOperations } from '../../src/operations/implementations.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { policy, vault } from '../bench/delivery/merchants.ts'
import { listOrderIds } from '../bench/orders.ts'
import { createRefundTargets } from '../bench/refund-targets.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openTemporaryPostgres } from '../temporary-postgres.ts'

/**
 * Prints the named functions of this project that one warm request runs, in the order of their first call, with their
 * files: `npm run walk -- createRefund`. `dashboardOrder` is the page of an order in the dashboard.
 */
const operations = ['createRefund', 'getOrder', 'listOrders', 'dashboardOrder'] as const
type Walked = (typeof operations)[number]

/** Number of requests before the measured one. They prepare the statements of every connection and fill the caches. */
const warmRequests = 200

interface ProjectFunction {
  readonly name: string
  readonly url: string
  readonly line: number
  readonly column: number
}

const wanted = operations.find((id) => id === process.argv[2])
if (wanted === undefined) throw new Error(`Name one of these operations: ${operations.join(', ')}.`)
const postgres = await openTemporaryPostgres({ name: 'walk', durability: 'throwaway' })
try {
  await prepareDatabase(postgres)
  const send = await openRequests(wanted)
  for (let count = 0; count < warmRequests; count++) await send()
  print(await walk(send))
} finally {
  await postgres.stop()
}
process.exit()

/** Starts the service in this process and returns a function that sends one request of the operation. */
async function openRequests(operation: Walked): Promise<() => Promise<void>> {
  const scopes = ['orders:read', 'refunds:write'] as const
  const { merchantId, token } = await createRefundTargets(postgres, 2 * warmRequests, [...scopes])
  const orderIds = await listOrderIds(postgres.connectionString, merchantId)
  const database = openDatabase(postgres)
  const context = { database, clock: systemClock, nudge: () => undefined, rates: { limits: 'off' as const }, vault }
  const service = await openService(context, silentLog, 0)
  const all = allOperations()
  const dashboard = openDashboard({ service, vault, policy, fetch: openSafeFetch(policy).fetch }, all)
  const server = createApiServer(service, all, { root, load: async () => dashboard })
  const cookie = `commerce-session=${await openSession(context, merchantId)}`
  const url = await listen(server, { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' } })
  let sent = 0
  return async () => {
    const orderId = orderIds[sent++ % orderIds.length]
    const body = { orderId, amountKobo: 1, reason: 'damaged' }
    const post = { method: 'POST', body: JSON.stringify(body) }
    const path = {
      createRefund: '/api/v1/refunds',
      getOrder: `/api/v1/orders/${orderId}`,
      listOrders: '/api/v1/orders',
      dashboardOrder: `${root}/orders/${orderId}`,
    }[operation]
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Cookie: cookie }
    const response = await fetch(url + path, { ...(operation === 'createRefund' ? post : {}), headers })
    if (!response.ok) throw new Error(`The request got ${response.status}: ${await response.text()}`)
    await response.text()
  }
}

async function openSession(context: MembersContext, merchantId: MerchantId): Promise<string> {
  const owner = { merchantId, email: 'walk@example.com', name: 'Walk', role: 'owner' as const }
  const invited = await inviteMember(context, systemActor('walk'), owner)
  if (invited.is !== 'invited') throw new Error(`No invitation was sent: ${invited.is}.`)
  const source = { ip: '127.0.0.1', requestId: null, userAgent: null }
  const answer = { token: invited.token, name: 'Walk', password: 'a sentence of words', source }
  const accepted = await acceptInvitationAsNewUser(context, answer)
  if (accepted.is !== 'accepted') throw new Error(`No member was created: ${accepted.is}.`)
  return accepted.sessionToken
}

/**
 * Returns the functions that one request runs. The coverage of V8 reports the functions, but not their order.
 * Therefore, the request is sent again with a breakpoint at the start of each function. Each breakpoint has a condition
 * that records the function and is never true, so no breakpoint stops the process.
 */
async function walk(send: () => Promise<void>): Promise<readonly ProjectFunction[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  // The token is cached for a few seconds only, so this request adds it to the cache before the measured request.
  await send()
  await session.post('Profiler.takePreciseCoverage')
  await send()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  const called = result.filter(({ url }) => isOfService(url)).flatMap(functionsOf)
  const order: number[] = []
  Object.assign(globalThis, { walked: (index: number) => void order.push(index) })
  await session.post('Debugger.enable')
  for (const [index, { url, line, column }] of called.entries()) {
    const condition = `globalThis.walked(${index}), false`
    await session.post('Debugger.setBreakpointByUrl', { url, lineNumber: line, columnNumber: column, condition })
  }
  await send()
  order.length = 0
  await send()
  session.disconnect()
  const seen = [...new Set(order)]
  return [...seen, ...called.keys().filter((index) => !seen.includes(index))].flatMap((index) => called[index] ?? [])
}

/**
 * Reports whether a file belongs to the service. The code of the embedded PostgreSQL also runs in this process, but is
 * excluded.
 */
function isOfService(url: string): boolean {
  return /\/(src|registry)\//.test(url) && !url.includes('/src/store/embedded/')
}

function functionsOf(script: { url: string; functions: readonly Covered[] }): ProjectFunction[] {
  const source = readFileSync(fileURLToPath(script.url), 'utf8')
  return script.functions
    .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName, ranges }) => {
      const before = source.slice(0, ranges[0]?.startOffset).split('\n')
      return { name: functionName, url: script.url, line: before.length - 1, column: before.at(-1)?.length ?? 0 }
    })
}

interface Covered {
  readonly functionName: string
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
}

function print(functions: readonly ProjectFunction[]): void {
  const root = new URL('../../', import.meta.url).href
  for (const { name, url, line } of functions) console.log(`${url.replace(root, '')}:${line + 1}  ${name}`)
  console.log(`\n${functions.length} functions in ${new Set(functions.map(({ url }) => url)).size} files`)
}
