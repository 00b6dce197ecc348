// A real PostgreSQL that comes with npm and lives in the data folder, for a machine that has none.
//
// One server per data folder, shared by all processes that open it. The process that started it owns it and stops it;
// a server whose owner has died is adopted by the next process that opens it. Opening happens under a lock file:
//
//   lock -> runs already? -> wait until it answers -> owner dead? become the owner -> share
//                       no -> initdb if new -> choose a port -> start -> wait -> role and database -> own

import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { type Binaries, findBinaries, placeBinaries } from './embedded-binaries.ts'
import { type ClusterRecord, openCluster, writeRecord } from './embedded-cluster.ts'
import { EmbeddedPostgresError, explainingFolder } from './embedded-error.ts'
import { identityOf, isIdentityAlive, withLock } from './embedded-lock.ts'
import { choosePlace, type Place } from './embedded-place.ts'
import {
  findServer,
  freePort,
  removeStalePidFile,
  type Server,
  startServer,
  stopServer,
  waitUntilReady,
} from './embedded-server.ts'

export interface EmbeddedPostgres {
  /** As role `commerce`, which owns database `commerce` and is no superuser. */
  readonly connectionString: string
  /** As the superuser to database `postgres`: for tests, which make databases of their own. */
  readonly adminConnectionString: string
  /** False also for an adopted server, which stop() ends all the same. */
  readonly wasStartedHere: boolean
  /** Ends the server if this call owns it, and otherwise does nothing. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDirectory: string
  /** A throwaway server is faster and loses its data when the machine crashes. */
  readonly durability?: 'durable' | 'throwaway'
  readonly onLog?: (line: string) => void
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = resolve(options.dataDirectory)
  return explainingFolder(dataDirectory, async () => {
    await mkdir(dataDirectory, { recursive: true })
    return withLock(join(dataDirectory, 'postgres.lock'), () => openLocked({ ...options, dataDirectory }))
  })
}

interface Opening {
  readonly recordPath: string
  readonly record: ClusterRecord
  readonly binaries: Binaries
  readonly place: Place
  readonly isThrowaway: boolean
  readonly onLog: (line: string) => void
}

async function openLocked({ dataDirectory, durability, onLog = () => {} }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace(dataDirectory, onLog)
  const binaries = await placeBinaries(await findBinaries(), place.account, { onLog })
  const recordPath = join(dataDirectory, 'postgres.json')
  const isThrowaway = durability === 'throwaway'
  const record = await openCluster(recordPath, place, { binaries, isThrowaway })
  const opening: Opening = { recordPath, record, binaries, place, isThrowaway, onLog }
  return (await shareRunning(opening)) ?? (await startOwn(opening))
}

async function shareRunning({ recordPath, record, place, isThrowaway, onLog }: Opening) {
  const server = findServer(place.cluster)
  if (server === undefined) return undefined
  const outcome = await waitUntilReady(server, adminConnectionString(record))
  // It was being stopped as we came.
  if (outcome === 'ended') return undefined
  if (outcome === 'late') throw lateness(server)
  await prepareDatabase(record, { mustBeDurable: !isThrowaway })
  const isOrphan = !isIdentityAlive(record.owner)
  if (isOrphan) {
    onLog(`The process that started the embedded PostgreSQL (pid ${server.pid}) is gone: this one owns it now.`)
    await writeRecord(recordPath, { ...record, owner: ownIdentity() })
  }
  return handle(record, { wasStartedHere: false, owned: isOrphan ? server : undefined })
}

async function startOwn(opening: Opening): Promise<EmbeddedPostgres> {
  removeStalePidFile(opening.place.cluster)
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt += 1) {
    const record = { ...opening.record, port: await freePort(), owner: ownIdentity() }
    // Before the start: whoever finds the server after our sudden death needs its port.
    await writeRecord(opening.recordPath, record)
    const server = startServer({ ...opening, port: record.port })
    try {
      if (await isReadyOnItsPort(server, record)) {
        await prepareDatabase(record, { mustBeDurable: !opening.isThrowaway })
        return handle(record, { wasStartedHere: true, owned: server })
      }
    } catch (error) {
      await stopServer(server)
      throw error
    }
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL found its port taken ${PORT_ATTEMPTS} times.`)
}

const PORT_ATTEMPTS = 5 // A port is lost to another program once in a blue moon; five times means something else.

async function isReadyOnItsPort(server: Server, record: ClusterRecord): Promise<boolean> {
  const outcome = await waitUntilReady(server, adminConnectionString(record))
  if (outcome === 'ready') return true
  if (outcome === 'late') throw lateness(server)
  await server.outputEnded
  if (server.lostItsPort()) return false
  throw new EmbeddedPostgresError(`The embedded PostgreSQL ended as it started: ${server.lastLine()}`)
}

function lateness(server: Server): EmbeddedPostgresError {
  const lastLine = server.lastLine() === '' ? '' : ` It said last: ${server.lastLine()}`
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL (pid ${server.pid}) was not ready within a minute.${lastLine}`,
  )
}

/** Done at every opening, since the one that should have done it may have been killed in the middle. */
async function prepareDatabase(record: ClusterRecord, { mustBeDurable }: { mustBeDurable: boolean }): Promise<void> {
  const client = new Client({ connectionString: adminConnectionString(record) })
  await client.connect()
  try {
    if (mustBeDurable && (await isFound(client, "select from pg_settings where name = 'fsync' and setting = 'off'"))) {
      throw new EmbeddedPostgresError('The embedded PostgreSQL runs as a throwaway: stop the process that started it.')
    }
    if (!(await isFound(client, "select from pg_roles where rolname = 'commerce'"))) {
      await client.query(`create role commerce login password ${client.escapeLiteral(record.commercePassword)}`)
    }
    if (!(await isFound(client, "select from pg_database where datname = 'commerce'"))) {
      await client.query('create database commerce owner commerce')
    }
  } finally {
    await client.end()
  }
}

async function isFound(client: Client, query: string): Promise<boolean> {
  const { rowCount } = await client.query(query)
  return rowCount === 1
}

function handle(
  record: ClusterRecord,
  { wasStartedHere, owned }: { wasStartedHere: boolean; owned: Server | undefined },
): EmbeddedPostgres {
  return {
    connectionString: connectionString(record.port, { role: 'commerce', password: record.commercePassword }),
    adminConnectionString: adminConnectionString(record),
    wasStartedHere,
    stop: async () => {
      if (owned !== undefined) await stopServer(owned)
    },
  }
}

function adminConnectionString(record: ClusterRecord): string {
  return connectionString(record.port, { role: 'postgres', password: record.superuserPassword })
}

/** Each role has the database of its own name. Without sslmode a PGSSLMODE of the environment would be obeyed. */
function connectionString(port: number, { role, password }: { role: string; password: string }): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${role}?sslmode=disable`
}

function ownIdentity(): string {
  return identityOf(process.pid) ?? String(process.pid)
}
