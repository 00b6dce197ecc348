import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { inDatabase } from '../../../scripts/prepare-database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../../support/database-proxy.ts'

const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-start-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

const node: [string, string[]] = [process.execPath, ['src/main.ts']]

function start(environment: Record<string, string>, [program, words] = node): Started {
  const child = spawn(program, words, {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: new Promise((resolve) => child.on('close', resolve)) }
}

async function greeting({ output }: Started, text: RegExp): Promise<string> {
  await expect.poll(output, { timeout: 140_000 }).toMatch(text)
  return output()
}

describe('npm start', () => {
  test('the first npm start prints two tokens and five working commands, and a second start keeps the data', async () => {
    const first = start({})
    const text = await greeting(first, /\/track/)
    expect(text).toMatch(/\/dashboard\/sign-in\/link\/[\w-]{43}\n/)
    const lines = text.split('\n').filter((line) => /^(curl|\(c=|s=)/.test(line))
    expect(lines).toHaveLength(5)
    const [dispatch, track] = lines.splice(3)
    const [newest = '', every = '', refund = '', tracked = ''] = await Promise.all(
      // The printed command `track` uses a shell variable that the printed command `dispatch` sets.
      [...lines, `${dispatch}\n${track}`].map(async (line) => (await run('sh', ['-c', line])).stdout),
    )
    expect(JSON.parse(tracked)).toMatchObject({ status: 'awaiting_courier', live: false })
    expect(JSON.parse(newest).data).toHaveLength(3)
    const numbers = every.trim().split('\n')
    expect(numbers).toHaveLength(60)
    expect(new Set(numbers).size).toBe(60)
    expect(JSON.parse(refund)).toMatchObject({ amountKobo: 100_000, status: 'succeeded' })
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)

    // Sends the signal only to the npm process, as some supervisors do.
    const second = start({}, ['npm', ['start']])
    const again = await greeting(second, /fail-with-body/)
    expect(again).not.toContain('svc_')
    const steps = again.split('\n').filter((line) => /^(npm|export|curl)/.test(line))
    expect(steps).toHaveLength(4)
    const environment = { ...process.env, DATA_DIR: join(folder, 'data'), NODE_ENV: 'development' }
    const pasted = await run('sh', ['-c', steps.join(' && ')], { env: environment })
    expect(pasted.stdout).toContain('demo')
    expect(pasted.stdout).toContain('"pagination"')
    const url = /listening on (\S+),/.exec(again)?.[1]
    const token = /svc_live_\w+/.exec(text)?.[0]
    const response = await fetch(`${url}/refunds`, { headers: { Authorization: `Bearer ${token}` } })
    expect(JSON.parse(await response.text()).data).toEqual([JSON.parse(refund)])
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    await expect(fetch(`${url}/refunds`)).rejects.toThrow('fetch failed')
    // Timeout for two starts and three commands, each a process, while other tests run.
  }, 900_000)
})

/** Creates a data folder that contains a postgres.json but no PostgreSQL cluster. */
async function folderWith(record: string): Promise<string> {
  const data = await mkdtemp(join(folder, 'record-'))
  await chmod(data, 0o711)
  await writeFile(join(data, 'postgres.json'), record)
  return data
}

function withoutPassword(connectionString: string): string {
  const url = new URL(connectionString)
  url.password = ''
  return url.href
}

async function databaseInAscii(): Promise<string> {
  const name = 'test_in_ascii'
  const client = new pg.Client({ connectionString: inject('adminConnectionString') })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name} encoding 'SQL_ASCII' template template0 owner commerce`)
  await client.end()
  const url = new URL(inject('templateConnectionString'))
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database with a PostgreSQL setting that applies to every connection to it. */
async function databaseWith(setting: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: inject('adminConnectionString') })
  await client.connect()
  await client.query(`create database ${name} owner commerce`)
  await client.query(`alter database ${name} set ${setting}`)
  await client.end()
  return inDatabase(inject('templateConnectionString'), name)
}

const proxies: DatabaseProxy[] = []
afterAll(async () => {
  for (const proxy of proxies) await proxy.close()
})

async function proxiedDatabase(rewrite?: (bytes: Buffer) => Buffer): Promise<DatabaseProxy> {
  const proxy = await openDatabaseProxy(inject('templateConnectionString'), rewrite)
  proxies.push(proxy)
  return proxy
}

/**
 * A proxy that makes the PostgreSQL server report version 14. It changes only the reported version, because the tests
 * have one version of PostgreSQL.
 */
async function oldDatabase(): Promise<string> {
  const toOld = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replace(/(?<!\d)1[5-9]\d{4}(?!\d)/, '140000'), 'latin1')
  return (await proxiedDatabase(toOld)).connectionString
}

async function frozenDatabase(): Promise<string> {
  const proxy = await proxiedDatabase()
  proxy.freeze()
  return proxy.connectionString
}

describe('failed starts of the service', () => {
  const failures: [string, () => Promise<Record<string, string>>, RegExp][] = [
    [
      'an unreachable database',
      async () => ({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' }),
      /^The database cannot be reached: .*Check DATABASE_URL\.\n$/,
    ],
    [
      'a data directory that cannot be written',
      async () => {
        await writeFile(join(folder, 'file'), '')
        return { DATA_DIR: join(folder, 'file', 'data') }
      },
      /^The embedded PostgreSQL cannot use .*\n$/,
    ],
    [
      'a DATABASE_URL without the required password',
      async () => ({ DATABASE_URL: withoutPassword(inject('templateConnectionString')) }),
      /^The database cannot be reached: .*password.* Check DATABASE_URL\.\n$/,
    ],
    [
      'a DATABASE_URL with an empty host',
      async () => ({ DATABASE_URL: 'postgres://a:5432,/commerce' }),
      /^Configuration: DATABASE_URL must have a host before and after each comma\.\n$/,
    ],
    [
      'a pooler without the address of the server',
      async () => ({ DATABASE_URL: 'postgres://a:6432/commerce', DATABASE_POOLER: 'transaction' }),
      /^Configuration: DATABASE_POOLER=transaction and DATABASE_DIRECT_URL require each other\.\n$/,
    ],
    [
      'a DATABASE_URL that selects standbys',
      async () => ({ DATABASE_URL: 'postgres://a:5432,b:5432/commerce?target_session_attrs=standby' }),
      /^Configuration: DATABASE_URL must not have a target_session_attrs that selects standbys, .*\n$/,
    ],
    [
      'a database with another encoding than UTF-8',
      async () => ({ DATABASE_URL: await databaseInAscii() }),
      /^The database has the encoding SQL_ASCII\. Create a database with .*\n$/,
    ],
    [
      'a database server that is too old',
      async () => ({ DATABASE_URL: await oldDatabase() }),
      /^The database server is PostgreSQL 14\. Use version 15 or newer\.\n$/,
    ],
    [
      'a read-only database',
      async () => ({ DATABASE_URL: await databaseWith('default_transaction_read_only = on') }),
      /^The database accepts no writes: .* Set DATABASE_URL to the primary\.\n$/,
    ],
    [
      'a database server that does not respond',
      async () => ({ DATABASE_URL: await frozenDatabase() }),
      /^The database cannot be reached: .* Check DATABASE_URL\.\n$/,
    ],
    [
      'a postgres.json with invalid JSON',
      async () => ({ DATA_DIR: await folderWith('{"port": 1,') }),
      /^\S+postgres\.json is damaged: .*\n$/,
    ],
    [
      'a postgres.json without a password',
      async () => ({ DATA_DIR: await folderWith('{"superuserPassword":"a","port":1}') }),
      /^\S+postgres\.json is damaged: .*\n$/,
    ],
    [
      'production with DATABASE_URL and without ENCRYPTION_KEY',
      async () => ({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z', NODE_ENV: 'production', ENCRYPTION_KEY: '' }),
      /^Configuration: ENCRYPTION_KEY must be set in production with DATABASE_URL\. .*\n$/,
    ],
    [
      'each of several contradictory environment variables',
      async () => ({ PORT: '4000', MANAGEMENT_PORT: '4000', MAIL_FROM: 'notifications', DRAIN_SECONDS: '-1' }),
      /^(Configuration: (MANAGEMENT_PORT must differ from PORT|DRAIN_SECONDS must be a whole number|MAIL_FROM must be [^\n]*)\.\n){3}$/,
    ],
    [
      'an invalid environment variable',
      async () => ({ PORT: 'eighty' }),
      /^Configuration: PORT must be a whole number\.\n$/,
    ],
  ]

  test.each(failures)('npm start exits with 1 and prints one line about %s', async (_, environment, line) => {
    const failed = start(await environment())
    // Kills the service at the end of the test, in case it starts although it should not.
    onTestFinished(() => void failed.child.kill('SIGKILL'))
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toMatch(line)
  })

  test('npm start exits with 1 and prints one line when the port is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const failed = start({ PORT: String(port) })
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toBe(`Port ${port} is already in use. Set PORT to a free port, or to 0 for any.\n`)
    taken.close()
  })
})
