import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../../src/access/create-token.ts'
import { sealAudit } from '../../../src/audit/seal-audit.ts'
import { verifyAudit } from '../../../src/audit/verify-audit.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { payRefunds } from '../../../src/payments/pay-refunds.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../../src/store/embedded/embedded.ts'
import { timeBefore } from '../../../src/store/embedded/log-time.ts'
import { migrateAndGrant } from '../../../src/store/server/migrate.ts'
import { useApi, vault, vaultKey } from '../../support/api.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openShop, operator, type Shop } from '../../support/shop.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A backup and a restore of the embedded server, by the commands that an operator runs. */

const isRoot = process.getuid?.() === 0
let folder = ''
let postgres: EmbeddedPostgres
let served: TestDatabase
const setUpMs = 120_000 // The test applies all migrations to a PostgreSQL server that writes durably.

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-backup-'))
  // When the test runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711)
  postgres = await openEmbedded({ dataDirectory: join(folder, 'data') })
  await migrateAndGrant(postgres)
  const { connectionString, ownerConnectionString, adminConnectionString } = postgres
  const database = openDatabase({ connectionString })
  served = { database, connectionString, ownerConnectionString, superuserConnectionString: adminConnectionString }
}, setUpMs)
const started = useApi({ opened: () => served })
afterAll(async () => {
  // If a test stopped the server, the test has already closed the database.
  await served.database.close().catch(() => undefined)
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

async function commerce(words: readonly string[], key: Buffer = vaultKey) {
  const { DATABASE_URL: _, ...inherited } = process.env
  const settings = { DATA_DIR: join(folder, 'data'), ENCRYPTION_KEY: key.toString('base64'), NODE_ENV: 'development' }
  const child = spawn(process.execPath, ['src/cli.ts', ...words], { env: { ...inherited, ...settings } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

async function backUp(to: string) {
  const { code, output } = await commerce(['backup', '--to', join(folder, to), '--json'])
  if (code !== 0) throw new Error(output)
  return JSON.parse(output)
}

const restore = (from: string, ...words: string[]) => commerce(['restore', '--from', join(folder, from), ...words])

/**
 * Adds an audit row to the log of a merchant and links it into the hash chain. As in the service, the database sets the
 * times of the row.
 */
async function addAuditRow(database: Database, { tenant }: Shop, name: string) {
  const context = { database, clock: systemClock, nudge: () => undefined }
  const token = { name, scopes: ['orders:read' as const], expiresAt: null, ipAllowlist: [] }
  await createToken(context, operator, tenant, token)
  await sealAudit({ database, signer: vault.signer })
}

async function timeOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ now: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC' + '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
       from pg_sleep(0.002)`,
    )
    return rows[0]?.now ?? ''
  } finally {
    await client.end()
  }
}

async function flipByte(path: string, position?: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const at = position ?? Math.floor((await file.stat()).size / 2)
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
    await file.write(Buffer.of(buffer.readUInt8() ^ 1), 0, 1, at)
  } finally {
    await file.close()
  }
}

const restoreMs = 120_000 // Timeout of a test that starts PostgreSQL several times, on a busy machine.

test('after a restore to a time before a refund was paid, the service looks up the refund at the provider and does not pay it again', {
  timeout: restoreMs,
}, async () => {
  const api = started()
  const { tenant, ...shop } = await openShop(api.context)
  const { merchantId } = shop
  const paid = await paidByPaystack(api, { ...shop, tenant }, { priceKobo: 1_000_000 })
  const submissions = () => paid.server.requests.filter(({ line }) => line === 'POST /refund')
  await addAuditRow(api.database, { ...shop, tenant }, 'kept')
  const { folder: base } = await backUp('first')
  const { id } = (await paid.refund(400_000)).body
  const to = await timeOf(postgres.connectionString)
  await paid.work()
  await addAuditRow(api.database, { ...shop, tenant }, 'lost')
  const verifying = { database: api.database, signer: vault.signer, chain: merchantId }
  const { head } = await verifyAudit(verifying)
  expect(submissions()).toHaveLength(1)

  expect(await restore('first', '--to', to)).toMatchObject({ code: 1, output: expect.stringMatching(/is in use/) })
  await api.database.close()
  await postgres.stop()
  expect(await restore('first', '--to', to)).toMatchObject({ code: 0, output: expect.stringContaining(base) })
  postgres = await openEmbedded({ dataDirectory: join(folder, 'data') })
  const database = openDatabase({ connectionString: postgres.connectionString })
  try {
    const { rows } = await database.pool.query('select provider_reference, next_check_at from refunds where id = $1', [
      id,
    ])
    expect(rows).toMatchObject([{ provider_reference: null }])
    api.clock.advance(Math.max(0, Date.parse(rows[0]?.next_check_at) - api.clock.nowMs()))
    await payRefunds({ ...paid.context, database }, merchantId)
    expect(submissions()).toHaveLength(1)
    const { rows: found } = await database.pool.query('select provider_reference from refunds where id = $1', [id])
    expect(found).toEqual([{ provider_reference: expect.any(String) }])

    const restored = { ...verifying, database }
    const faultsOf = async (number: number, hash: Buffer) =>
      (await verifyAudit({ ...restored, known: { number, hash } })).faults.filter(({ is }) => is !== 'backdated')
    const number = head?.number ?? 0
    expect(await faultsOf(number, head?.hash ?? Buffer.of())).toMatchObject([
      { is: 'restored', number, restore: { restoredTo: to } },
    ])
    // A restore explains missing chain heads only if they are after the position to which the database was restored.
    expect(await faultsOf(1, Buffer.alloc(32))).toEqual([{ is: 'head_not_found', number: 1 }])
    const { rows: names } = await database.pool.query('select name from api_tokens where merchant_id = $1', [
      merchantId,
    ])
    expect(names).toContainEqual({ name: 'kept' })
    expect(names).not.toContainEqual({ name: 'lost' })
  } finally {
    await database.close()
  }
})

test('a restored database cannot be backed up to the folder of an earlier backup', { timeout: restoreMs }, async () => {
  const { code, output } = await commerce(['backup', '--to', join(folder, 'first')])
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching(/Choose a new folder/) })
})

test.runIf(isRoot)(
  'under root, a restore refuses a folder that PostgreSQL cannot access, and accepts the folder once PostgreSQL can access it',
  {
    timeout: restoreMs,
  },
  async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const again = () => commerce(['backup', '--to', join(closed, 'new', 'backups')])
    expect(await again()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/Run chmod o\+x on its parent folders/),
    })
    await chmod(closed, 0o711)
    expect(await again()).toMatchObject({ code: 0 })
  },
)

test('a backup contains no encryption key, and is restored only with the correct key', {
  timeout: restoreMs,
}, async () => {
  await postgres.stop()
  const bases = (await readdir(join(folder, 'first'))).filter((name) => name.startsWith('base-'))
  const signature = JSON.parse(await readFile(join(folder, 'first', bases[0] ?? '', 'manifest.signature'), 'utf8'))
  const words = ['restore', '--from', join(folder, 'first')]
  const { code, output } = await commerce(words, Buffer.alloc(32, 1))
  expect(code).toBe(1)
  expect(output).toContain(`the encryption key with the fingerprint ${signature.keyId}`)
})

test.for([
  ['a file of the database', (base: string) => join(base, 'cluster', 'global', 'pg_control')],
  ['the manifest', (base: string) => join(base, 'manifest.json')],
] as const)('a restore refuses a backup with one changed bit in %s, and does not change the database', {
  timeout: restoreMs,
}, async ([, pathIn]) => {
  const [base = ''] = (await readdir(join(folder, 'first'))).filter((name) => name.startsWith('base-'))
  const path = pathIn(join(folder, 'first', base))
  const before = await readdir(join(folder, 'data'))
  const bytes = await readFile(path)
  await flipByte(path)
  expect(await restore('first')).toMatchObject({ code: 1, output: expect.stringMatching(/^The backup is damaged/) })
  await writeFile(path, bytes)
  expect(await readdir(join(folder, 'data'))).toEqual(before)
})

test('a restore to a time before the backup, or after the last change in the backup, fails and prints the times that can be restored', {
  timeout: restoreMs,
}, async () => {
  expect(await restore('first', '--to', '2020-01-01T00:00:00Z')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The earliest time .+ is 20/),
  })
  const { code, output } = await restore('first', '--to', '2099-01-01T00:00:00Z')
  expect({ code, output }).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The backup has no change after 2099/),
  })
  const [, to = ''] = /Changes until (\S+) can be restored with --to/.exec(output) ?? []
  expect(await restore('first', '--to', to)).toMatchObject({ code: 0, output: expect.stringContaining(to) })
})

test('if a restore fails because the write-ahead log of the backup is damaged, the backup can be restored to the time that the error names', {
  timeout: restoreMs,
}, async () => {
  postgres = await openEmbedded({ dataDirectory: join(folder, 'data') })
  await backUp('second')
  const client = new pg.Client({ connectionString: postgres.adminConnectionString })
  await client.connect()
  await client.query('create table before_damage ()')
  const { rows } = await client.query<{ name: string; at: number }>(
    `select file_name as name, file_offset as at from pg_walfile_name_offset(pg_current_wal_insert_lsn())`,
  )
  const [damaged = { name: '', at: 0 }] = rows
  await client.query('create table after_damage as select number from generate_series(1, 5000) as number')
  await client.query('select pg_switch_wal()')
  await client.end()
  const archived = join(folder, 'second', 'wal', damaged.name)
  await waitFor(() => access(archived), { timeout: restoreMs, interval: 100 })
  await postgres.stop()
  await rm(join(folder, 'data', 'postgres', 'pg_wal', damaged.name), { force: true })
  // The damaged byte is among the rows of the table. In the archived log, the rows come after the catalogue entries of
  // the table.
  await flipByte(archived, damaged.at + 100_000)
  const { code, output } = await restore('second')
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching(/^The archived log/) })
  const [, to = ''] = /Changes until (\S+) can be restored with --to/.exec(output) ?? []
  expect(await restore('second', '--to', to)).toMatchObject({ code: 0, output: expect.stringContaining(to) })
})

test.for([
  ['2027-01-31 09:15:00.123456+00', '2027-01-31T09:15:00.123Z'],
  ['2027-01-31 09:15:00.123+00', '2027-01-31T09:15:00.122Z'],
  ['2027-01-31 09:15:00+00', '2027-01-31T09:14:59.999Z'],
  ['2027-01-31 09:15:00.5+05:30', '2027-01-31T03:45:00.499Z'],
  ['soon', undefined],
])('if the last change in a write-ahead log was at %s, the latest time that can be restored is %s', ([
  logged = '',
  to,
]) => {
  expect(timeBefore(logged)).toBe(to)
})
