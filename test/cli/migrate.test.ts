import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { asOwner, useDatabase } from '../support/database.ts'
import { commerce, commerceWithInput } from './commerce.ts'

const opened = useDatabase()
/** Timeout: each test starts up to three processes while other tests run. */
const processesMaxMs = 180_000
const removed = '0043_sub_carriers'

/** Reverts one migration. */
async function revert(): Promise<void> {
  await asOwner(opened(), 'delete from kysely_migration where name = $1', [removed])
  await asOwner(opened(), 'alter table quote_offers drop column sub_carrier')
}
beforeAll(revert)

async function startService(settings: Readonly<Record<string, string>>) {
  const env = { ...process.env, DATABASE_URL: opened().connectionString, NODE_ENV: 'test', PORT: '0', ...settings }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // If the service starts against expectation, it must not outlive the test.
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

const refusal = `The database lacks migration ${removed}. Run \`npm run -s commerce -- migrate\`, or set MIGRATE=always to migrate at each start.\n`

test(
  'the service refuses to start when the database of DATABASE_URL lacks a migration',
  async () => {
    expect(await startService({})).toEqual({ code: 1, output: refusal })
  },
  processesMaxMs,
)

test(
  'a command fails when a migration is missing, and migrate --check lists it',
  async () => {
    const { connectionString } = opened()
    expect(await commerce(connectionString, 'merchant', 'list')).toEqual({ code: 1, stdout: '', stderr: refusal })
    const pending = `Pending: ${removed}. Run migrate without --check.\n`
    expect(await commerce(connectionString, 'migrate', '--check')).toEqual({ code: 1, stdout: '', stderr: pending })
  },
  processesMaxMs,
)

test(
  'migrate applies the missing migration, and migrate --check then succeeds',
  async () => {
    const { connectionString, ownerConnectionString } = opened()
    const applied = { code: 0, stdout: `Applied: ${removed}.\n`, stderr: '' }
    const settings = { DATABASE_OWNER_URL: ownerConnectionString }
    expect(await commerceWithInput(connectionString, { input: '', settings }, 'migrate')).toEqual(applied)
    const upToDate = { code: 0, stdout: 'The schema is up to date.\n', stderr: '' }
    expect(await commerce(connectionString, 'migrate', '--check')).toEqual(upToDate)
  },
  processesMaxMs,
)

test(
  'a command migrates the database of DATABASE_URL with MIGRATE=always',
  async () => {
    await revert()
    const { connectionString, ownerConnectionString } = opened()
    const settings = { MIGRATE: 'always', DATABASE_OWNER_URL: ownerConnectionString }
    const ended = await commerceWithInput(connectionString, { input: '', settings }, 'merchant', 'list')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  },
  processesMaxMs,
)
