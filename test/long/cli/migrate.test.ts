import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { inDatabase } from '../../../scripts/prepare-database.ts'
import {
  listBlockingMigrations,
  listMigrationNames,
  migrationFolder,
} from '../../../src/store/server/migration-files.ts'
import { commerce, commerceWithInput, start } from '../../cli/commerce.ts'
import { asOwner, useDatabase } from '../../support/database.ts'
import { waitUntil } from '../../support/wait-for.ts'

const opened = useDatabase()
/** Timeout of a test that starts up to three processes while other tests run. */
const processesMaxMs = 180_000
const removed = '0043_sub_carriers'

/** Removes the migration `removed` from the database, as if it had not run yet. */
async function revert(): Promise<void> {
  await asOwner(opened(), 'delete from kysely_migration where name = $1', [removed])
  await asOwner(opened(), 'alter table quote_offers drop column sub_carrier')
}
beforeAll(revert)

/** Returns the number of affected rows. */
async function asSuperuser(statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function startService(settings: Readonly<Record<string, string>>) {
  const env = { ...process.env, DATABASE_URL: opened().connectionString, NODE_ENV: 'test', PORT: '0', ...settings }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // Kills the service at the end of the test, in case it starts although it should not.
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

const refusal = `The database lacks migration ${removed}. Run \`npm run -s commerce -- migrate\`, or set MIGRATE=always to migrate the database at each start.\n`

test(
  'the service refuses to start when the database of DATABASE_URL lacks a migration',
  async () => {
    expect(await startService({})).toEqual({ code: 1, output: refusal })
  },
  processesMaxMs,
)

test(
  'a command fails when the database lacks a migration, and `migrate --check` lists that migration',
  async () => {
    const { connectionString } = opened()
    expect(await commerce(connectionString, 'merchant', 'list')).toEqual({ code: 1, stdout: '', stderr: refusal })
    const pending = `Pending migrations: ${removed}. Run migrate without --check.\n`
    expect(await commerce(connectionString, 'migrate', '--check')).toEqual({ code: 1, stdout: '', stderr: pending })
  },
  processesMaxMs,
)

test(
  'when the command `migrate` runs with the service’s database role, its error names DATABASE_OWNER_URL',
  async () => {
    const { code, stderr } = await commerce(opened().connectionString, 'migrate')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Set DATABASE_OWNER_URL to the URL') })
  },
  processesMaxMs,
)

test(
  'the command `migrate` applies the missing migration, and `migrate --check` then succeeds',
  async () => {
    const { connectionString, ownerConnectionString } = opened()
    const settings = { DATABASE_OWNER_URL: ownerConnectionString }
    const applied = await commerceWithInput(connectionString, { input: '', settings }, 'migrate')
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expect(applied.stdout).toMatch(new RegExp(`^Applied ${removed} in \\d+ ms\\.\nThe schema is up to date\\.\n$`))
    const upToDate = { code: 0, stdout: 'The schema is up to date.\n', stderr: '' }
    expect(await commerce(connectionString, 'migrate', '--check')).toEqual(upToDate)
  },
  processesMaxMs,
)

test(
  'the command `migrate --check` names the pending migrations that block writes while they run',
  async () => {
    const { connectionString } = opened()
    const blocking = ['0109_delivery_list', '0120_manual_deliveries']
    for (const name of blocking) {
      const asName = (from: string, to: string) =>
        asOwner(opened(), 'update kysely_migration set name = $2 where name = $1', [from, to])
      await asName(name, `${name}_hidden`)
      onTestFinished(() => asName(`${name}_hidden`, name))
    }
    const wait = `Writes to webhook_deliveries wait about two seconds per million rows while these migrations build an index: ${blocking.join(', ')}.`
    expect(await commerce(connectionString, 'migrate', '--check')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Pending migrations: ${blocking.join(', ')}. Run migrate without --check. ${wait}\n`,
    })
  },
  processesMaxMs,
)

test('the upgrade guide lists every migration that blocks writes while it runs', async () => {
  const names = await listMigrationNames(migrationFolder)
  const blocking = await listBlockingMigrations(migrationFolder, names)
  expect(blocking.length).toBeGreaterThan(0)
  const guide = await readFile('registry/guides/upgrades.md', 'utf8')
  expect(blocking.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})

const later = '9999_drop_all.contract'
const tooNew = `The database has migration ${later} of a later release, which removed parts that this release needs. Start that release, or restore a backup from before the migration.\n`

test(
  'the service and the commands fail with an error if a later release has removed something from the database schema',
  async () => {
    const { connectionString, ownerConnectionString } = opened()
    await asOwner(opened(), `insert into kysely_migration (name, timestamp) values ($1, 'now')`, [later])
    onTestFinished(() => asOwner(opened(), 'delete from kysely_migration where name = $1', [later]))
    const settings = { MIGRATE: 'always', DATABASE_OWNER_URL: ownerConnectionString }
    const [service, migrating, command, check] = await Promise.all([
      startService({}),
      startService(settings),
      commerce(connectionString, 'merchant', 'list'),
      commerce(connectionString, 'migrate', '--check'),
    ])
    expect(service).toEqual({ code: 1, output: tooNew })
    expect(migrating).toEqual({ code: 1, output: tooNew })
    expect(command).toEqual({ code: 1, stdout: '', stderr: tooNew })
    const newer = `The schema is newer than this release: it has migration ${later}. Use a release that has this migration.\n`
    expect(check).toEqual({ code: 1, stdout: '', stderr: newer })
  },
  processesMaxMs,
)

test(
  'two concurrent migrations of an empty database both succeed, after a third migration was killed while it ran',
  async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await asSuperuser(`create database ${name} owner commerce`)
    onTestFinished(async () => void (await asSuperuser(`drop database ${name} with (force)`)))
    const url = inDatabase(opened().ownerConnectionString, name)
    // The first migration waits for a lock on the table `merchants`, so that the process is killed during the
    // migration.
    const blocker = new pg.Client({ connectionString: inDatabase(opened().superuserConnectionString, name) })
    await blocker.connect()
    try {
      await blocker.query('begin')
      await blocker.query('create table merchants ()')
      const killed = start(url, ['migrate'])
      const ended = once(killed, 'close')
      const waiting = `select from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock' and query ilike '%create table merchants%'`
      await waitUntil(async () => (await asSuperuser(waiting)) > 0)
      killed.kill('SIGKILL')
      await ended
    } finally {
      await blocker.end()
    }
    const pending = await commerce(url, 'migrate', '--check')
    expect(pending).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Pending migrations: 0001/) })
    const both = await Promise.all([commerce(url, 'migrate'), commerce(url, 'migrate', '--json')])
    expect(both).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect(both[0].stdout).toMatch(/The schema is up to date\.\n$/)
    const applied = [...both[0].stdout.matchAll(/^Applied (\S+) in/gm)].map(([, migration]) => migration)
    const { migrations } = JSON.parse(both[1].stdout)
    const names = [...applied, ...migrations.map((each: { name: string }) => each.name)]
    const files = await readdir(new URL('../../../src/store/migrations/', import.meta.url))
    expect(names.map((each) => `${each}.sql`).toSorted()).toEqual(files.toSorted())
  },
  processesMaxMs,
)

test(
  'with MIGRATE=always, any command first applies the missing migrations to the database of DATABASE_URL',
  async () => {
    await revert()
    const { connectionString, ownerConnectionString } = opened()
    const settings = { MIGRATE: 'always', DATABASE_OWNER_URL: ownerConnectionString }
    const ended = await commerceWithInput(connectionString, { input: '', settings }, 'merchant', 'list')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  },
  processesMaxMs,
)
