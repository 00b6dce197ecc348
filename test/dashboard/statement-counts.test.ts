import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { openDashboard } from '../../src/dashboard/dashboard.ts'
import { allOperations } from '../../src/http/app.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { listAudit } from '../../src/store/audit/audit-list.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import { addressOf, useApi, vault } from '../support/api.ts'
import { type SignedInMember, signedIn } from '../support/dashboard.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { openRoundTripCounter, type RoundTripCounter } from '../support/round-trips.ts'
import { openShop, placeOrder, stockVariant } from '../support/shop.ts'

/** A page reads the session and its records with at most this many statements. */
const statementsMax = 6

const started = useApi()

let counter: RoundTripCounter
let member: SignedInMember
let paths: Record<string, string>
let close: () => Promise<unknown>

/** A second server on the same database, behind a proxy that counts its round trips to PostgreSQL. */
beforeAll(async () => {
  const api = started()
  counter = await openRoundTripCounter(api.connectionString)
  const database = openDatabase({ connectionString: counter.connectionString, maxConnections: 1 })
  const service = await openService({ database, clock: api.clock, nudge: () => undefined, vault }, silentLog, 0)
  const policy = { allowsLoopback: true }
  const outbound = openSafeFetch(policy)
  const site = { service, vault, policy, fetch: outbound.fetch, trustedProxies: 0 }
  const operations = allOperations()
  const server = createApiServer(service, operations, openDashboard(site, operations))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  close = async () => {
    await service.subscription.close()
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
    await outbound.close()
    await database.close()
    await counter.close()
  }
  const shop = await openShop(api.context)
  member = await signedIn({ ...api, url: `http://127.0.0.1:${port}` }, shop.merchantId, 'owner')
  const order = await placeOrder(api, shop)
  const shipment = await storeShipment(api, shop, { orderId: order.id })
  const { variantId } = await stockVariant(api, shop.merchantId)
  const body = { orderId: order.id, amountKobo: 1000, reason: 'damaged' }
  const refund = await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  const [audited] = await listAudit(api.database, { merchantId: shop.merchantId, limit: 1 })
  paths = {
    'the start page': '/dashboard',
    'the activity page': '/dashboard/activity',
    'the order list': '/dashboard/orders?status=processing&q=adaeze',
    'an order': `/dashboard/orders/${order.id}`,
    'a refund form': `/dashboard/orders/${order.id}/refund`,
    'the refund list': '/dashboard/refunds',
    'a refund': `/dashboard/refunds/${refund.body.id}`,
    'the shipment list': '/dashboard/shipments',
    'a shipment': `/dashboard/shipments/${shipment.id}`,
    'the stock list': '/dashboard/stock',
    'the stock of a variant': `/dashboard/stock/${variantId}`,
    'the account page': '/dashboard/settings/account',
    'the settings': '/dashboard/settings',
    'the members': '/dashboard/members',
    'a member': `/dashboard/members/${member.memberId}`,
    'the audit log': '/dashboard/audit?actor=Ada+Obi&action=member',
    'an audit entry': `/dashboard/audit/${audited?.id}`,
  }
  // The first page also records the use of the session.
  await member.get('/dashboard')
})

afterAll(() => close())

test(`every page takes at most ${statementsMax} statements`, async () => {
  const counts: Record<string, number> = {}
  for (const [name, path] of Object.entries(paths)) {
    const before = counter.roundTrips()
    const { status } = await member.get(path)
    expect([name, status]).toEqual([name, 200])
    counts[name] = counter.roundTrips() - before
  }
  expect(Object.entries(counts).filter(([, count]) => count > statementsMax)).toEqual([])
  expect(counts).toMatchObject({ 'the start page': 2, 'an order': 5, 'the refund list': 2, 'the shipment list': 2 })
})
