import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, test } from 'vitest'
import { recheckOpenRefunds } from '../../src/payments/recheck-refunds.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { select } from '../support/database-contents.ts'
import { operator } from '../support/shop.ts'

/**
 * Refunds after a failover or a restore of the database. The database may then have lost the submissions of the
 * refunds.
 */

const started = useApi()

async function open() {
  const { api, shop } = await openShopWith(started(), {})
  return { api, shop, ...(await paidByPaystack(api, shop, { priceKobo: 1_000_000 })) }
}

/**
 * SQL that returns the identity of a database server on another timeline, as after a promotion or a point-in-time
 * recovery.
 */
const otherTimeline = `regexp_replace(created_server, '/[0-9A-F]{8}/', '/000000FE/')`

/**
 * SQL that returns the identity of a database server with another start time, as after a crash or the restore of a
 * snapshot.
 */
const otherStart = `regexp_replace(created_server, '/[0-9.]+(/[0-9]+/[0-9]+)$', '/1.000000\\1')`

/** Removes the submission of a refund from the database, as if a promoted standby had never received the submission. */
async function undoClaim(api: TestApi, id: string, createdServer = otherTimeline): Promise<void> {
  const [row] = await select(
    api,
    `update refunds
     set submitted_at = null, provider_reference = null, checks = 0, next_check_at = created_at,
       created_server = ${createdServer}
     where id = $1
     returning coalesce(created_server = server_identity(), false) as "isSameServer"`,
    [id],
  )
  expect(row).toEqual({ isSameServer: createdServer === 'created_server' })
}

const submissions = (server: { requests: readonly { line: string }[] }) =>
  server.requests.filter(({ line }) => line === 'POST /refund')

test.for([
  // The process that submitted the refund continues with the same database server, so the stored identity of the
  // database server stays unchanged.
  ['by the process that submitted it', 'created_server'],
  ['on another timeline', otherTimeline],
  ['by a server that started later', otherStart],
] as const)('after a database failover lost the record of a refund’s submission %s, the service does not submit the refund to Paystack again', async ([
  ,
  createdServer,
]) => {
  const { api, refund, work, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  await undoClaim(api, id, createdServer)
  await work()
  expect(submissions(server)).toHaveLength(1)
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000' })
})

test.for([
  ['on another timeline', otherTimeline],
  ['before its server started', otherStart],
  ['on an unknown server', 'null'],
] as const)('a refund that was created %s is submitted only after two searches at Paystack, ten minutes apart, did not find the refund', async ([
  ,
  createdServer,
]) => {
  const { api, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  await undoClaim(api, id, createdServer)
  server.failReads('answers_500')
  await work()
  await later()
  const firstMs = api.clock.nowMs()
  expect(submissions(server)).toEqual([])
  await later()
  expect(api.clock.nowMs() - firstMs).toBeGreaterThanOrEqual(600_000)
  expect(submissions(server)).toMatchObject([{ body: { merchant_note: id } }])
})

test('after a database failover, a refund can be cancelled while the service still searches for it at Paystack', async () => {
  const { api, shop, refund, work, server } = await open()
  const { id } = (await refund(400_000)).body
  await undoClaim(api, id)
  await work()
  const reply = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  expect(reply.body).toMatchObject({ status: 'cancelled' })
  expect(submissions(server)).toEqual([])
})

/** Hides refunds from Paystack's list, as when Paystack lists a refund with a delay. */
function hideRefunds(server: { refunds: unknown[] }) {
  const hidden = server.refunds.splice(0)
  return () => server.refunds.push(...hidden)
}

test('a refund that Paystack lists late after a database failover is not submitted twice', async () => {
  const { api, shop, refund, work, later, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  await undoClaim(api, id)
  const list = hideRefunds(server)
  await work()
  // The database has lost the submission of the refund. Only this process still has it in memory.
  const reply = await api.send('POST', `/api/v1/refunds/${id}/cancel`, { token: shop.token })
  expect(reply.body.error.code).toBe('refund_not_cancellable')
  list()
  await later()
  expect(submissions(server)).toHaveLength(1)
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000' })
})

test('if Paystack lists the first submission of a refund, the rejection of the second submission does not fail the refund', async () => {
  const { api, refund, work, later, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  await undoClaim(api, id)
  const list = hideRefunds(server)
  server.failRefund(id, 'create', 'refuses')
  server.onRequest = (line) => {
    if (line === 'POST /refund') list()
  }
  await work()
  await later()
  expect(submissions(server)).toHaveLength(2)
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000', failureCode: null })
})

test('if the second submission of a refund got no response, the service repeats both of its searches for the refund at Paystack', async () => {
  const { api, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  await undoClaim(api, id)
  server.failRefund(id, 'create', 'never_answers')
  await work()
  await later()
  const submittedMs = api.clock.nowMs()
  await later()
  expect(submissions(server)).toHaveLength(1)
  await later()
  expect(api.clock.nowMs() - submittedMs).toBeGreaterThanOrEqual(600_000)
  expect(submissions(server)).toHaveLength(2)
})

test('a refund that another process created is submitted at once, without a prior search at Paystack, if the database server was not restarted in between', async () => {
  const { api, shop, refund, server, get } = await open()
  const { id } = (await refund(400_000)).body
  await payInChild(api, shop.merchantId, server.url)
  expect(server.requests.map(({ line }) => line)).toEqual(['POST /refund'])
  expect(await get(id)).toMatchObject({ status: 'pending', providerReference: '3000000' })
})

test('if Paystack rejects the second submission of a refund with 429, another process searches for the refund at Paystack before a third submission', async () => {
  const { api, shop, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  server.failRefund(id, 'create', 'never_answers', 'answers_429')
  await work()
  await later()
  await later()
  expect(submissions(server)).toHaveLength(2)
  await select(api, 'update refunds set next_check_at = created_at where id = $1', [id])
  await payInChild(api, shop.merchantId, server.url)
  expect(submissions(server)).toHaveLength(2)
})

test('if the identity of the database server cannot be read when a refund is created, the service searches for the refund at Paystack before the submission', async () => {
  const { api, refund, work, later, server } = await open()
  const privilege = 'execute on function pg_control_system()'
  await asSuperuser(api, `revoke ${privilege} from public`)
  try {
    const { id } = (await refund(400_000)).body
    await work()
    expect(submissions(server)).toEqual([])
    await later()
    expect(submissions(server)).toMatchObject([{ body: { merchant_note: id } }])
  } finally {
    await asSuperuser(api, `grant ${privilege} to public`)
  }
})

/** Processes due refunds in a separate process, like a worker beside the API. */
async function payInChild(api: TestApi, merchantId: string, paystackUrl: string): Promise<void> {
  const from = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)
  const program = `
    import { stoppedClock } from ${from('base/clock.ts')}
    import { silentLog } from ${from('base/log.ts')}
    import { vaultOf } from ${from('base/vault.ts')}
    import { openSafeFetch } from ${from('outbound/safe-fetch.ts')}
    import { openProviders } from ${from('partners/payments/providers.ts')}
    import { payRefunds } from ${from('payments/pay-refunds.ts')}
    import { openDatabase } from ${from('store/core/database.ts')}
    const database = openDatabase({ connectionString: ${JSON.stringify(api.connectionString)} })
    const outbound = openSafeFetch({ allowsLoopback: true })
    const context = {
      ...{ database, clock: stoppedClock(${api.clock.nowMs()}), nudge: () => undefined, log: silentLog },
      vault: vaultOf([Buffer.alloc(32, 7)]),
      providers: openProviders(outbound.fetch, { urls: { paystack: ${JSON.stringify(paystackUrl)} } }),
    }
    console.log(await payRefunds(context, ${JSON.stringify(merchantId)}))
    await outbound.close()
    await database.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(stdout).toBe('1\n')
}

async function asSuperuser({ superuserConnectionString }: TestApi, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserConnectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('a recheck of open refunds submits only the refunds that repeated searches do not find at the provider, and adds an audit row', async () => {
  const { api, shop, refund, work, later, server, context, get } = await open()
  const known = (await refund(400_000)).body.id
  await work()
  const never = (await refund(100_000)).body.id
  await undoClaim(api, known)
  expect(await recheckOpenRefunds(context, operator, [shop.merchantId])).toBe(2)
  server.requests.splice(0)
  await work()
  expect(submissions(server)).toEqual([])
  expect(await get(known)).toMatchObject({ providerReference: '3000000' })
  expect((await get(never)).providerReference).toBeNull()
  await later()
  expect(submissions(server)).toMatchObject([{ body: { merchant_note: never } }])
  const rows = await select(
    api,
    "select changes from audit_log where action = 'refunds.recheck' and merchant_id = $1",
    [shop.merchantId],
  )
  expect(rows).toEqual([{ changes: { refundsToSearch: [null, 2] } }])
})

test('the service notifies the merchant once if the amount that the payment provider reports differs from the amount of the refund', async () => {
  const { api, shop, refund, work, later, server } = await open()
  const { id } = (await refund(400_000)).body
  await work()
  server.refunds[0] = { ...server.refunds[0], amount: 300_000 } as never
  await later()
  await later()
  expect(await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })).toMatchObject([
    { kind: 'refund.amount_differs', data: { refundId: id, amountKobo: 400_000, providerAmountKobo: 300_000 } },
  ])
})
