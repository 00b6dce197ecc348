import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { connectProvider } from '../../src/access/connect-provider.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { verifyAudit } from '../../src/audit/verify-audit.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { createRefund, newRefundEvents } from '../../src/commerce/refunds/create-refund.ts'
import { seedOrders } from '../../src/demo/seed-orders.ts'
import { paystack } from '../../src/partners/payments/paystack.ts'
import type { PaymentProvider, RefundReport } from '../../src/partners/payments/provider.ts'
import { payRefunds } from '../../src/payments/pay-refunds.ts'
import { recordVerifiedPayment } from '../../src/payments/verify-payment.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { mutate, type Tenant, type Work } from '../../src/store/core/mutation.ts'
import { migrateAndGrant } from '../../src/store/server/migrate.ts'
import { findViolations } from '../faults/invariants.ts'
import { contextOf, emit, encryptionKey, openMerchant, operator, vault } from '../faults/merchants.ts'
import { findMissing, type Machine, openMachine } from './programs.ts'

/**
 * `npm run restore-drill`: runs load, a backup, more load, a kill of PostgreSQL, and a restore to a point in time with
 * pgBackRest. Then the invariants must hold, the audit log must verify, and a refund that was paid after the point in
 * time must be found and not paid again.
 */

const rounds = 200 // Rounds of load before the backup, and as many after it. They take a few seconds.

const missing = await findMissing()
if (missing.length > 0) {
  console.error(`Install the Debian packages ${missing.join(' and ')}, then run npm run restore-drill again.`)
  process.exit(2)
}

const machine = await openMachine()
try {
  process.exitCode = report(await drill(machine))
} finally {
  await machine.kill()
  await rm(machine.folder, { recursive: true, force: true })
}

interface Findings {
  readonly restoreSeconds: number
  /**
   * Number of mutations before the point in time to which the database is restored. The restored database must contain
   * all of them.
   */
  readonly written: number
  readonly found: number
  readonly submissions: number
  readonly faults: readonly string[]
}

function report({ restoreSeconds, written, found, submissions, faults }: Findings): number {
  const all = [...faults]
  if (found !== written)
    all.push(`${written} mutations were acknowledged before the point in time, and ${found} are there.`)
  if (submissions !== 1) all.push(`The refund was submitted ${submissions} times.`)
  console.log(`RPO: ${written - found} of ${written} mutations lost. RTO: ${restoreSeconds.toFixed(1)} s.`)
  console.log(
    'The whole write-ahead log was archived before the kill. If the disk is lost before the log is archived, up to 60 s more (archive_timeout) are lost.',
  )
  for (const fault of all) console.error(fault)
  console.log(`violations: ${all.length}`)
  return all.length === 0 ? 0 : 1
}

async function drill({ connectionString, ownerConnectionString, ...server }: Machine): Promise<Findings> {
  await server.start()
  await asAdmin(
    server,
    'create role commerce login',
    'create role commerce_service login',
    'create database commerce owner commerce',
  )
  await migrateAndGrant({ connectionString, ownerConnectionString })
  await server.pgbackrest('stanza-create')
  const { provider, submissions } = openProvider()
  const first = openDatabase({ connectionString })
  const tenant = await openMerchant(first)
  await load(first, tenant)
  await server.pgbackrest('backup', '--type=full')
  await load(first, tenant)
  await openRefund(first, tenant, provider)
  const [moment] = await asAdmin(
    server,
    `select to_char(clock_timestamp() at time zone 'UTC' + '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from pg_sleep(0.01)`,
  )
  const to = String(moment?.at)
  const context = { ...contextOf(first), log: silentLog, vault, providers: new Map([[provider.name, provider]]) }
  await payRefunds(context, tenant.merchantId)
  await load(first, tenant)
  await asAdmin(server, 'select pg_switch_wal()')
  await server.pgbackrest('check')
  await first.close()
  await server.kill()

  const startedMs = performance.now()
  const target = [`--target=${to.replace('T', ' ').replace('Z', '+00')}`, '--target-action=promote']
  await server.pgbackrest('restore', '--delta', '--type=time', ...target)
  await server.start()
  const env = { ...process.env, DATABASE_URL: connectionString, ENCRYPTION_KEY: encryptionKey.toString('base64') }
  await promisify(execFile)(process.execPath, ['src/cli.ts', 'restored', '--to', to], { env })
  const restoreSeconds = (performance.now() - startedMs) / 1000

  const second = openDatabase({ connectionString })
  try {
    await payRefunds({ ...context, ...contextOf(second) }, tenant.merchantId)
    const { rows } = await second.pool.query(
      "select count(*)::int as count from audit_log where action = 'inventory.adjust'",
    )
    const { rows: paid } = await second.pool.query("select id from refunds where provider_reference = 'drill_1'")
    const faults = [...(await faultsOf(second, tenant)), ...(await violationsOf(ownerConnectionString))]
    if (paid.length !== 1) faults.push('The refund was not found at the provider.')
    return { restoreSeconds, written: 2 * rounds, found: rows[0]?.count, submissions: submissions(), faults }
  } finally {
    await second.close()
  }
}

async function load(database: Database, tenant: Tenant): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await emit(contextOf(database), tenant, 2)
  await sealAudit({ database, signer: vault.signer })
}

/** Creates a paid order, and a refund of it that no job has submitted yet. */
async function openRefund(database: Database, tenant: Tenant, provider: PaymentProvider): Promise<void> {
  const context = { ...contextOf(database), log: silentLog, vault, providers: new Map([[provider.name, provider]]) }
  await connectProvider({ ...context, isProduction: false }, operator, tenant, { provider, secretKey: 'sk_test_drill' })
  await seedOrders(context, operator, tenant, {
    orders: 50,
    seed: 'drill',
    emitEvents: false,
    onProgress: () => undefined,
  })
  const { rows } = await database.pool.query(
    "select id from orders where merchant_id = $1 and status = 'pending' and paid_kobo = 0 limit 1",
    [tenant.merchantId],
  )
  const orderId = rows[0]?.id
  const paid = await recordVerifiedPayment(context, {
    ...{ tenant, actor: operator, provider: provider.name, reference: 'drill', orderId },
  })
  if (paid.is !== 'recorded') throw new Error(`The payment was not recorded: ${paid.is}.`)
  const mutation = {
    ...{ tenant, actor: operator, action: 'refund.create' as const, resourceType: 'refund' },
    emits: newRefundEvents,
    resourceId: () => orderId,
  }
  const created = await mutate(context, mutation, (work: Work<(typeof newRefundEvents)[number]>) =>
    createRefund(work, { orderId, amountKobo: toKobo(1_000), reason: 'damaged' }),
  )
  if (created.is !== 'refunded') throw new Error(`The refund was not created: ${created.is}.`)
}

/** Opens a simulated payment provider in memory, which a restore of the database does not change. */
function openProvider(): { readonly provider: PaymentProvider; readonly submissions: () => number } {
  const refunds = new Map<string, RefundReport>()
  let submitted = 0
  const found = (report: RefundReport | undefined) =>
    report === undefined ? { is: 'missing' as const } : { is: 'found' as const, report }
  const provider: PaymentProvider = {
    ...paystack,
    refund: async (_, { amountKobo, note }) => {
      submitted += 1
      const report = {
        reference: `drill_${submitted}`,
        status: 'processing' as const,
        amountKobo,
        expectedAt: null,
        reason: null,
      }
      refunds.set(note, report)
      return { is: 'accepted', report }
    },
    findRefund: async (_, reference) => found([...refunds.values()].find((each) => each.reference === reference)),
    searchRefund: async (_, { note }) => found(refunds.get(note)),
    setBankDetails: async () => ({ is: 'not_submitted', reason: 'drill' }),
    createCheckout: async () => ({ is: 'not_submitted', reason: 'drill' }),
    findPayment: async (_, reference) => ({
      is: 'found',
      report: {
        ...{
          reference,
          isPaid: true,
          isReversed: false,
          providerStatus: 'success',
          amountKobo: 5_000,
          currency: 'NGN',
        },
        ...{ providerId: null, method: 'card', paidAt: undefined, orderId: undefined },
      },
    }),
    listPayments: async () => ({ is: 'listed', items: [] }),
    listReversedPayments: async () => ({ is: 'listed', items: [] }),
    listRefunds: async () => ({ is: 'listed', items: [] }),
  }
  return { provider, submissions: () => submitted }
}

async function faultsOf(database: Database, { merchantId }: Tenant): Promise<readonly string[]> {
  const { faults } = await verifyAudit({ database, signer: vault.signer, chain: merchantId })
  return faults.map((fault) => `The audit log: ${fault.is}.`)
}

async function violationsOf(ownerConnectionString: string): Promise<readonly string[]> {
  const violations = await findViolations(ownerConnectionString, { nowMs: systemClock.nowMs() })
  return violations.map(({ invariant, rows }) => `${rows.length} rows violate: ${invariant}.`)
}

async function asAdmin(server: Pick<Machine, 'adminConnectionString'>, ...statements: readonly string[]) {
  const client = new pg.Client({ connectionString: server.adminConnectionString })
  await client.connect()
  try {
    let last: readonly Readonly<Record<string, unknown>>[] = []
    for (const statement of statements) last = (await client.query(statement)).rows
    return last
  } finally {
    await client.end()
  }
}
