import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { listNodes } from '../../src/store/distribution/nodes.ts'
import { startWriters } from '../faults/failover/writers.ts'
import { encryptionKey, openMerchant, openToken, vault } from '../faults/merchants.ts'
import { type ServiceProcess, startServiceProcess } from '../faults/service-process.ts'

/**
 * Adds the audit rows of merchants on all nodes to their hash chains while several processes write, and verifies the
 * chains.
 */

/** Number of merchants: enough that every node has several merchants. */
const merchantCount = 8

/** Duration of the load. The logs are linked repeatedly during the load. */
const loadMs = 15_000

/**
 * Returns whether every audit row was linked, every log was intact, and the verification then found a row that was
 * altered on purpose.
 */
export async function checkAudit(url: string): Promise<boolean> {
  const database = openDatabase({ connectionString: url, maxConnections: 10 })
  const services = [await startServiceProcess(url), await startServiceProcess(url)]
  try {
    const tenants: Tenant[] = []
    while (tenants.length < merchantCount) tenants.push(await openMerchant(database))
    const nodes = await nodesOf(database, tenants)
    const seals = await writeAndSeal({ database, services, tenants })
    const isLateLinked = await commitLate(database, url, tenants)
    const { rows, unlinked } = await countRows(database, tenants)
    const codes: number[] = []
    for (const tenant of tenants) codes.push(await verify(url, tenant))
    const isFound = await findsAlteredRow(database, url, tenants)
    console.log(`nodes: ${nodes} merchants: ${tenants.length} seals under load: ${seals} audit rows: ${rows}`)
    console.log(`unlinked: ${unlinked} intact logs: ${codes.filter((code) => code === 0).length}`)
    console.log(`rows of a late commit linked: ${isLateLinked} altered row found: ${isFound}`)
    return nodes > 1 && unlinked === 0 && codes.every((code) => code === 0) && isLateLinked && isFound
  } finally {
    for (const service of services) service.kill('SIGTERM')
    await Promise.all(services.map(({ ended }) => ended))
    await database.close()
  }
}

/** Returns the number of nodes with at least one of the merchants. */
async function nodesOf(database: Database, tenants: readonly Tenant[]): Promise<number> {
  const nodes = (await listNodes(database)) ?? []
  return nodes.filter(({ merchants }) => tenants.some(({ merchantId }) => merchants.includes(merchantId))).length
}

interface Load {
  readonly database: Database
  readonly services: readonly ServiceProcess[]
  readonly tenants: readonly Tenant[]
}

/**
 * Writes customers through the service processes, and tokens through this process. A token is a row of a reference
 * table, so its transaction commits on all nodes. During the writes, this process links the audit rows repeatedly.
 * Returns how often it did so.
 */
async function writeAndSeal({ database, services, tenants }: Load): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-audit-'))
  const writers = await Promise.all(
    tenants.map(async (tenant, index) => {
      const token = await openToken(database, tenant, ['customers:read', 'customers:write'])
      const { url = '' } = services[index % services.length] ?? {}
      return startWriters({ url, token, path: join(folder, String(index)), clients: 1 })
    }),
  )
  const endMs = performance.now() + loadMs
  const openTokens = async (tenant: Tenant) => {
    while (performance.now() < endMs) await openToken(database, tenant, ['orders:read'])
  }
  const opening = Promise.all(tenants.slice(0, 4).map(openTokens))
  let seals = 0
  for (; performance.now() < endMs; seals++) await sealAudit({ database, signer: vault.signer })
  await opening
  await Promise.all(writers.map(({ stop }) => stop()))
  await rm(folder, { recursive: true })
  await sealAudit({ database, signer: vault.signer })
  return seals
}

/**
 * Commits a transaction on several nodes only after later audit rows were linked. Returns whether the audit rows of
 * this transaction are linked to their chains.
 */
async function commitLate(database: Database, url: string, tenants: readonly Tenant[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    for (const { merchantId } of tenants)
      await client.query(
        `insert into audit_log (
           merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id
         )
         values ($1, 'aud_0', clock_timestamp(), 'system', 'citus-check', 'test.run', 'test', 'test')`,
        [merchantId],
      )
    for (const tenant of tenants) await openToken(database, tenant, ['orders:read'])
    await sealAudit({ database, signer: vault.signer })
    const before = await countRows(database, tenants)
    await client.query('commit')
    await sealAudit({ database, signer: vault.signer })
    const after = await countRows(database, tenants)
    return before.unlinked === 0 && after.unlinked === 0 && after.rows === before.rows + tenants.length
  } finally {
    await client.end()
  }
}

interface Counts {
  readonly rows: number
  readonly unlinked: number
}

async function countRows({ pool }: Database, tenants: readonly Tenant[]): Promise<Counts> {
  const { rows } = await pool.query<Counts>(
    `select count(*)::int as rows, count(*) filter (where audit_id is null)::int as unlinked
     from audit_log
     left join audit_chain on audit_chain.merchant_id = audit_log.merchant_id and audit_id = id
     where audit_log.merchant_id = any($1)`,
    [tenants.map(({ merchantId }) => merchantId)],
  )
  return rows[0] ?? { rows: 0, unlinked: 0 }
}

/** Returns the exit code of `commerce audit verify`. */
function verify(url: string, { merchantId }: Tenant): Promise<number> {
  const env = { ...process.env, DATABASE_URL: url, ENCRYPTION_KEY: encryptionKey.toString('base64') }
  const { promise, resolve } = Promise.withResolvers<number>()
  const words = ['src/cli.ts', 'audit', 'verify', '--merchant', merchantId]
  const child = execFile(process.execPath, words, { env }, (error, _, stderr) => {
    if (error !== null) console.log(stderr.trim())
    resolve(child.exitCode ?? 1)
  })
  return promise
}

/**
 * Alters a row in the audit log of one merchant. Returns whether the verification then fails for this merchant only,
 * and succeeds again after the row is restored.
 */
async function findsAlteredRow(database: Database, url: string, tenants: readonly Tenant[]): Promise<boolean> {
  const [tenant, other] = tenants
  if (tenant === undefined || other === undefined) return false
  await alter(database, tenant, "'someone else'")
  const codes = [await verify(url, tenant), await verify(url, other)]
  await alter(database, tenant, "'citus-check'")
  return codes.join() === '1,0' && (await verify(url, tenant)) === 0
}

/** Changes the actor of the row that commitLate() has inserted. The owner of the tables can do this. */
async function alter({ pool }: Database, { merchantId }: Tenant, label: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('grant update on audit_log to current_user')
    await client.query('alter table audit_log disable trigger audit_log_rows_never_change')
    await client.query(`update audit_log set actor_label = ${label} where merchant_id = $1 and id = 'aud_0'`, [
      merchantId,
    ])
    await client.query('alter table audit_log enable always trigger audit_log_rows_never_change')
    await client.query('revoke update on audit_log from current_user')
    await client.query('commit')
  } finally {
    client.release(true)
  }
}
