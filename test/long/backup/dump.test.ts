import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contextOf } from '../../../scripts/faults/merchants.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { migrateAndGrant } from '../../../src/store/server/migrate.ts'
import { ownsAuditLog } from '../../../src/store/server/service-role.ts'
import { dumpOf } from '../../support/database-dump.ts'
import { openShop } from '../../support/shop.ts'

/**
 * Tests the configuration files for a managed PostgreSQL server, and the dump and restore of a database, with Debian's
 * PostgreSQL: the npm packages have neither psql nor pg_dump.
 */

const run = promisify(execFile)
const programs = '/usr/lib/postgresql/15/bin'
const isInstalled = existsSync(join(programs, 'pg_dump')) && existsSync(join(programs, 'initdb'))

let folder = ''
let account: { readonly uid: number; readonly gid: number } | undefined
const opened: Database[] = []
const at = (name: string) => join(folder, name)

/** The server runs as another user, because PostgreSQL refuses to run as root. */
async function accountOfServer() {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await run('id', [option, 'postgres'])).stdout)),
  )
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

const server = (program: string, ...words: string[]) => run(join(programs, program), words, { ...account, cwd: '/' })

/** The PostgreSQL server listens only on a socket in the folder `sockets`. */
const urlOf = (role: string, name: string) =>
  `postgres://${role}:secret@localhost/${name}?host=${encodeURIComponent(at('sockets'))}`

const rolesIn = (name: string) => ({
  connectionString: urlOf('commerce_service', name),
  ownerConnectionString: urlOf('commerce', name),
})

/** Runs a shell script of scripts/deploy with the programs of Debian's PostgreSQL in its PATH. */
const script = (name: string, word: string, database: string) =>
  run('sh', [`scripts/deploy/backup/${name}`, word], {
    env: { PATH: `${programs}:/usr/bin:/bin`, DATABASE_OWNER_URL: urlOf('commerce', database) },
  })

function open(name: string): Database {
  const database = openDatabase({ connectionString: urlOf('commerce_service', name) })
  opened.push(database)
  return database
}

const tablesIn = async (name: string) => {
  const client = new pg.Client({ connectionString: urlOf('commerce', name) })
  await client.connect()
  const { rowCount } = await client.query(
    `select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  await client.end()
  return rowCount
}

const rowsOf = async (database: Database) => (await dumpOf({ database })).split('\n').toSorted()

const names = ['commerce', 'restored', 'refused']

describe.skipIf(!isInstalled)('PostgreSQL of Debian', () => {
  beforeAll(async () => {
    account = await accountOfServer()
    folder = await mkdtemp(join(tmpdir(), 'commerce-dump-'))
    await chmod(folder, 0o711)
    for (const name of ['data', 'sockets']) {
      await mkdir(at(name))
      if (account !== undefined) await chown(at(name), account.uid, account.gid)
    }
    await server('initdb', '-D', at('data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
    const options = `-k ${at('sockets')} -c listen_addresses= -c fsync=off`
    await server('pg_ctl', '-D', at('data'), '-o', options, '-l', at('data/log'), '-w', 'start')
    const client = new pg.Client({ connectionString: urlOf('postgres', 'postgres') })
    await client.connect()
    await client.query('create role administrator login createrole')
    for (const name of names) await client.query(`create database ${name} owner administrator`)
    await client.end()
    // The administrator of a managed server is no superuser and cannot create databases.
    for (const name of names) {
      await run(
        'psql',
        [urlOf('administrator', name), '--quiet', '--file', 'scripts/deploy/create-roles-managed.sql'],
        {
          env: { PATH: `${programs}:/usr/bin:/bin`, OWNER_PASSWORD: 'secret', SERVICE_PASSWORD: 'secret' },
        },
      )
    }
    await migrateAndGrant(rolesIn('commerce'))
  })
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    await server('pg_ctl', '-D', at('data'), '-m', 'immediate', 'stop')
    await rm(folder, { recursive: true })
  })

  test('the service works with database roles that an administrator without superuser rights has created', async () => {
    const database = open('commerce')
    await openShop(contextOf(database))
    expect(await ownsAuditLog(database)).toBe(false)
    await expect(database.pool.query('delete from audit_log')).rejects.toThrow('permission denied')
  })

  test('restoring a dump into an empty database restores every row, and the service works there with the same privileges', async () => {
    const { stdout } = await script('dump-database.sh', at('backups'), 'commerce')
    const [file = ''] = stdout.split(' contains the database as of ')
    expect(await readdir(at('backups'))).toHaveLength(2)
    await script('restore-database.sh', file, 'restored')
    await migrateAndGrant(rolesIn('restored'))
    const [before, restored] = [open('commerce'), open('restored')]
    expect(await rowsOf(restored)).toEqual(await rowsOf(before))
    expect(await ownsAuditLog(restored)).toBe(false)
    await openShop(contextOf(restored))
    await expect(script('restore-database.sh', file, 'restored')).rejects.toMatchObject({
      stderr: expect.stringContaining('Restore into an empty database.'),
    })
  })

  test('a damaged dump is refused, and leaves the database empty', async () => {
    const [name = ''] = (await readdir(at('backups'))).filter((each) => each.endsWith('.dump'))
    await mkdir(at('damaged'))
    for (const each of [name, `${name}.sha256`]) await copyFile(join(at('backups'), each), join(at('damaged'), each))
    await appendFile(join(at('damaged'), name), 'x')
    await expect(script('restore-database.sh', join(at('damaged'), name), 'refused')).rejects.toMatchObject({ code: 1 })
    expect(await tablesIn('refused')).toBe(0)
  })
})
