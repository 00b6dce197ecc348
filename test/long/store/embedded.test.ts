import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { findBinaries, placeBinaries } from '../../../src/store/embedded/binaries.ts'
import { EmbeddedPostgresError } from '../../../src/store/embedded/error.ts'
import { chooseLocation } from '../../../src/store/embedded/location.ts'
import { identityOf, withLock } from '../../../src/store/embedded/lock.ts'
import { findServer, startServer, stopServer, waitUntilReady } from '../../../src/store/embedded/server.ts'
import {
  isServing,
  kill,
  open,
  openInChild,
  query,
  serverPid,
  settings,
  temporaryFolder,
} from '../../support/embedded.ts'
import { waitUntil } from '../../support/wait-for.ts'

test('the first start creates a database cluster with two roles: the owner of the database, and the service', async () => {
  const folder = await temporaryFolder()
  const embedded = await open({ dataDirectory: folder })
  const rolesOf = (connectionString: string) =>
    query(
      connectionString,
      `select current_user::text as role, rolsuper as "isSuperuser", current_database()::text as database,
       pg_get_userbyid(datdba)::text as owner, pg_encoding_to_char(encoding)::text as encoding, datcollate as collation,
       current_setting('server_version_num')::int / 10000 as major, current_setting('TimeZone') as timezone
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
  const names = { database: 'commerce', owner: 'commerce' }
  const manner = { isSuperuser: false, encoding: 'UTF8', collation: 'C', major: 18, timezone: 'UTC' }
  expect(await rolesOf(embedded.ownerConnectionString)).toEqual([{ role: 'commerce', ...names, ...manner }])
  expect(await rolesOf(embedded.connectionString)).toEqual([{ role: 'commerce_service', ...names, ...manner }])
  expect(embedded.wasStartedHere).toBe(true)
  expect((await stat(join(folder, 'postgres.json'))).mode & 0o777).toBe(0o600)
  expect(await settings(embedded)).toEqual({ listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' })
})

test('the data of the embedded database persists across a stop and a second start', async () => {
  const folder = await temporaryFolder()
  const first = await open({ dataDirectory: folder })
  await query(first.ownerConnectionString, 'create table kept (amount_kobo bigint)')
  await query(first.ownerConnectionString, 'insert into kept values (12000)')
  await first.stop()
  const second = await open({ dataDirectory: folder, durability: 'durable' })
  expect(await query(second.ownerConnectionString, 'select amount_kobo from kept')).toEqual([{ amount_kobo: '12000' }])
  expect(await settings(second)).toMatchObject({ fsync: 'on' })
})

test('a second process that opens the embedded database shares the running server and does not stop it', async () => {
  const folder = await temporaryFolder()
  const first = await open({ dataDirectory: folder })
  const second = await open({ dataDirectory: folder })
  expect(second).toMatchObject({ wasStartedHere: false, connectionString: first.connectionString })
  await second.stop()
  expect(await isServing(first)).toBe(true)
  await first.stop()
  expect(await isServing(first)).toBe(false)
})

test('the last process that uses the embedded database stops the server, even if the process that started it has ended', async () => {
  const folder = await temporaryFolder()
  const starter = await openInChild(folder)
  const sharer = await open({ dataDirectory: folder })
  // Waits until the process that started the database server has ended. The running server must not keep this process
  // alive.
  await starter.stop()
  expect(await isServing(sharer)).toBe(true)
  await sharer.stop()
  expect(await isServing(sharer)).toBe(false)
})

test('an embedded database server that was killed is restarted on the same port, and any process that uses the server can then stop it', async () => {
  const folder = await temporaryFolder()
  const problems: string[] = []
  const runningAtEnd: boolean[] = []
  const onProblem = (line: string) => {
    problems.push(line)
    if (line.includes('ended while in use')) runningAtEnd.push(starter.isRunning())
  }
  const starter = await open({ dataDirectory: folder, durability: 'durable', onProblem })
  const sharer = await openInChild(folder)
  await query(starter.ownerConnectionString, 'create table stored (amount_kobo bigint)')
  for (let kills = 1; kills <= 3; kills++) {
    await query(starter.ownerConnectionString, `insert into stored values (${kills})`)
    process.kill(await serverPid(folder), 'SIGKILL')
    await expect.poll(() => isServing(starter)).toBe(true)
  }
  expect(await query(sharer.ownerConnectionString, 'select amount_kobo::int from stored order by 1')).toHaveLength(3)
  await expect.poll(starter.isRunning).toBe(true)
  expect(runningAtEnd).toContain(false)
  expect(runningAtEnd).not.toContain(true)
  // The PostgreSQL server writes durably, even if an earlier process had opened it as a throwaway server.
  expect(await settings(starter)).toMatchObject({ fsync: 'on' })
  expect(problems).toContainEqual(expect.stringMatching(/ended while in use/))
  await starter.stop()
  expect(await isServing(sharer)).toBe(true)
  await sharer.stop()
  expect(await isServing(sharer)).toBe(false)
})

test('a database server that cannot be restarted makes the processes that use it fail with a one-line error', async () => {
  const folder = await temporaryFolder()
  const opened = await open({ dataDirectory: folder })
  const pid = await serverPid(folder)
  await rename(join(folder, 'postgres'), join(folder, 'moved'))
  process.kill(pid, 'SIGKILL')
  await expect(opened.failed).rejects.toThrow(/^The embedded PostgreSQL could not be restarted: /)
  expect(opened.isRunning()).toBe(false)
})

test('the embedded database server stops when the last process that uses it ends by an uncaught error or process.exit', async () => {
  for (const end of ['process.exit(3)', "throw new Error('uncaught')"]) {
    const folder = await temporaryFolder()
    const { child } = await openInChild(folder, end)
    const pid = await serverPid(folder)
    child.stdin?.write('end')
    await once(child, 'exit')
    await expect.poll(() => identityOf(pid)).toBe(undefined)
  }
})

test('an aborted opening of the embedded database leaves neither a server, nor a lock, nor an incomplete cluster', async () => {
  const folder = await temporaryFolder()
  const aborting = new AbortController()
  const opening = open({ dataDirectory: folder, signal: aborting.signal })
  await waitUntil(() => readdirSync(folder).some((name) => name.startsWith('postgres.initialising-')), {
    interval: 1,
  })
  aborting.abort()
  await expect(opening).rejects.toBe(aborting.signal.reason)
  expect(readdirSync(folder).toSorted()).toEqual(['postgres.json', 'postgres.users'])
  expect(readdirSync(join(folder, 'postgres.users'))).toEqual([])
})

test('an aborted opening of the embedded database does not wait for the process that holds the lock', async () => {
  const folder = await temporaryFolder()
  const opening = new AbortController()
  await withLock(join(folder, 'postgres.lock'), async () => {
    const waiting = open({ dataDirectory: folder, signal: opening.signal })
    opening.abort()
    await expect(waiting).rejects.toBe(opening.signal.reason)
  })
  expect(readdirSync(folder)).toEqual([])
})

test('a process that needs durable commits refuses to share an embedded database server that runs without durability', async () => {
  const folder = await temporaryFolder()
  await open({ dataDirectory: folder })
  await expect(open({ dataDirectory: folder, durability: 'durable' })).rejects.toThrow(EmbeddedPostgresError)
})

test('two processes that open a new data folder at the same time start one database server', async () => {
  const folder = await temporaryFolder()
  const both = await Promise.all([open({ dataDirectory: folder }), openInChild(folder)])
  expect(both.map(({ wasStartedHere }) => wasStartedHere).sort()).toEqual([false, true])
  expect(both[0].connectionString).toBe(both[1].connectionString)
  const starter = both.find(({ wasStartedHere }) => wasStartedHere)
  const sharer = both.find(({ wasStartedHere }) => !wasStartedHere)
  await starter?.stop()
  expect(await isServing(both[0])).toBe(true)
  await sharer?.stop()
  expect(await isServing(both[0])).toBe(false)
})

test('when the process that started the database server is killed, another process takes over the server and stops it', async () => {
  const folder = await temporaryFolder()
  const started = await openInChild(folder)
  const sharer = await open({ dataDirectory: folder })
  await sharer.stop()
  expect(await isServing(started)).toBe(true)

  await kill(started.child)
  const adopter = await open({ dataDirectory: folder })
  expect(adopter).toMatchObject({ wasStartedHere: false, connectionString: started.connectionString })
  await adopter.stop()
  expect(await isServing(started)).toBe(false)
})

test('a lock of a dead process and a pid file of an unrelated process do not block a start of the embedded database', async () => {
  const folder = await temporaryFolder()
  const first = await open({ dataDirectory: folder })
  const pidFile = join(folder, 'postgres', 'postmaster.pid')
  const remains = await readFile(pidFile, 'utf8')
  await first.stop()
  // The lock file contains the process id of this process with another start time, as if the operating system had
  // reused the id.
  await writeFile(join(folder, 'postgres.lock'), `${process.pid}:1`)
  await writeFile(pidFile, remains.replace(/^\d+/, String(process.pid)))
  const second = await open({ dataDirectory: folder })
  expect(second.wasStartedHere).toBe(true)
})

test('the log does not contain the parameter values of a failed SQL statement', async () => {
  const lines: string[] = []
  const embedded = await open({ dataDirectory: await temporaryFolder(), onLog: (line) => lines.push(line) })
  await query(embedded.ownerConnectionString, 'create table customers (phone text primary key)')
  const insertTwice = 'insert into customers values ($1), ($1)'
  await expect(query(embedded.ownerConnectionString, insertTwice, ['+2348012345678'])).rejects.toThrow('duplicate key')
  await embedded.stop()
  expect(lines.join('\n')).toContain('duplicate key')
  expect(lines.join('\n')).not.toContain('8012345678')
})

test('a data folder that cannot be created causes a one-line error that names the folder', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  const dataDirectory = join(file, 'data')
  const message = `The embedded PostgreSQL cannot use ${dataDirectory}: a part of its path is a file (ENOTDIR).`
  await expect(open({ dataDirectory })).rejects.toThrow(message)
})

test('a database cluster of another major version causes an error that names both versions', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '17\n')
  await expect(open({ dataDirectory: folder })).rejects.toThrow('created by PostgreSQL 17, but version 18 is installed')
})

// Regression test: if a server could not be started, the service used 0 as its process id. The service therefore
// treated the server as running, and sent the SIGINT for it to the process group of the test.
test('if the program of a database server cannot be run, the server counts as ended, and stopping it sends no signal', async () => {
  const binaries = { ...(await findBinaries()), postgres: '/nowhere/postgres' }
  const place = { cluster: '/nowhere', account: undefined }
  const server = startServer({ binaries, place, port: 1, isThrowaway: true, onLog: () => {} })
  expect(await waitUntilReady(server, 'postgresql://postgres@127.0.0.1:1/postgres')).toBe('ended')
  await stopServer(server)
  expect(server.lastLine()).toBe('spawn /nowhere/postgres ENOENT')
})

test('a database server whose port another server has taken counts as ended, even if the other server rejects the password', async () => {
  const folders = [await temporaryFolder(), await temporaryFolder()] as const
  const first = await open({ dataDirectory: folders[0] })
  const second = await open({ dataDirectory: folders[1] })
  await second.stop()
  const port = Number(new URL(first.adminConnectionString).port)
  const onTakenPort = Object.assign(new URL(second.adminConnectionString), { port: String(port) }).href
  const place = await chooseLocation(folders[1], () => undefined)
  const binaries = await placeBinaries(await findBinaries(), place.account, { onLog: () => undefined })
  const server = startServer({ binaries, place, port, isThrowaway: true, onLog: () => undefined })
  expect(await waitUntilReady(server, onTakenPort)).toBe('ended')
  await server.outputEnded
  expect(server.isPortTaken()).toBe(true)
})

test('an embedded database server that rejects the stored password causes an error', async () => {
  const { adminConnectionString, place } = await open({ dataDirectory: await temporaryFolder() })
  const server = findServer(place.cluster)
  if (server === undefined) throw new Error('The server is not running.')
  const wrong = Object.assign(new URL(adminConnectionString), { password: 'wrong' }).href
  await expect(waitUntilReady(server, wrong)).rejects.toThrow('rejects the password in postgres.json')
})

test('an embedded database server has the connection limit that the starting process requests', async () => {
  const { adminConnectionString } = await open({ dataDirectory: await temporaryFolder(), maxConnections: 126 })
  const client = new Client({ connectionString: adminConnectionString })
  await client.connect()
  const { rows } = await client.query('show max_connections')
  await client.end()
  expect(rows).toEqual([{ max_connections: '126' }])
})
