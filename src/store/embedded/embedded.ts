// A real PostgreSQL that comes with npm and lives in the data folder, for a machine that has none.
//
// One server per data folder, shared by all processes that open it. The last user to leave stops it, whoever started
// it; a server that ends while it is in use is restarted on the same port by the first user that notices. Opening,
// restarting and leaving happen under a lock file:
//
//   lock -> register as a user -> runs already? -> wait until it answers -> share
//                                           no -> initdb if new -> choose a port -> start -> wait -> role and database

import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { type Binaries, findBinaries, placeBinaries } from './binaries.ts'
import { type ClusterRecord, openCluster, writeRecord } from './cluster.ts'
import { codeOf, EmbeddedPostgresError, explainingFolder } from './error.ts'
import { choosePlace, type Place } from './location.ts'
import { withLock } from './lock.ts'
import {
  findServer,
  freePort,
  removeStalePidFile,
  type Server,
  startServer,
  stopServer,
  waitUntilReady,
} from './server.ts'
import { superviseServer } from './supervisor.ts'
import { hasOtherUsers, register, type Stay, serverOf, unregister } from './users.ts'

export interface EmbeddedPostgres {
  /** As role `commerce`, which owns database `commerce` and is no superuser. */
  readonly connectionString: string
  /** As the superuser to database `postgres`: for tests, which make databases of their own. */
  readonly adminConnectionString: string
  /** False also for a server that another process left running. */
  readonly wasStartedHere: boolean
  /** Rejects when the server has ended and cannot be restarted. */
  readonly failed: Promise<never>
  /** Stops the server if no other process uses it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDirectory: string
  /** A throwaway server is faster and loses its data when the machine crashes. */
  readonly durability?: 'durable' | 'throwaway'
  readonly onLog?: (line: string) => void
  /** Told when the server ended in use, and how its restart goes. */
  readonly onProblem?: (line: string) => void
  /** Ends an opening early; what it had started is stopped, and the opening rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { signal } = options
  const dataDirectory = resolve(options.dataDirectory)
  try {
    return await explainingFolder(dataDirectory, async () => {
      await mkdir(dataDirectory, { recursive: true })
      const lockPath = join(dataDirectory, 'postgres.lock')
      return withLock(lockPath, () => openLocked({ ...options, dataDirectory }, lockPath), signal)
    })
  } catch (error) {
    // Whatever an abort breaks is the abort.
    signal?.throwIfAborted()
    throw error
  }
}

interface Opening {
  readonly lockPath: string
  readonly recordPath: string
  readonly record: ClusterRecord
  readonly binaries: Binaries
  readonly place: Place
  readonly stay: Stay
  readonly isThrowaway: boolean
  readonly onLog: (line: string) => void
  readonly onProblem: (line: string) => void
  readonly signal: AbortSignal | undefined
}

async function openLocked(options: EmbeddedOptions, lockPath: string): Promise<EmbeddedPostgres> {
  const { dataDirectory, durability, onLog = () => {}, onProblem = () => {}, signal } = options
  const place = await choosePlace(dataDirectory, onLog)
  const stay = register(join(dataDirectory, 'postgres.users'), place.cluster)
  try {
    const binaries = await placeBinaries(await findBinaries(), place.account, { onLog })
    signal?.throwIfAborted()
    const recordPath = join(dataDirectory, 'postgres.json')
    const isThrowaway = durability === 'throwaway'
    const record = await openCluster(recordPath, place, { binaries, isThrowaway, signal })
    signal?.throwIfAborted()
    const opening = { lockPath, recordPath, record, binaries, place, stay, isThrowaway, onLog, onProblem, signal }
    return (await shareRunning(opening)) ?? (await startOwn(opening))
  } catch (error) {
    await leave(stay)
    throw error
  }
}

async function shareRunning(opening: Opening): Promise<EmbeddedPostgres | undefined> {
  const { record, place, stay, isThrowaway, signal } = opening
  const server = findServer(place.cluster)
  if (server === undefined) return undefined
  const outcome = await waitUntilReady(server, adminConnectionString(record), signal)
  // It was being stopped as we came.
  if (outcome === 'ended') return undefined
  if (outcome === 'late') throw lateness(server)
  stay.server = server
  await prepareDatabase(record, { mustBeDurable: !isThrowaway })
  return handle(opening, { server, wasStartedHere: false })
}

async function startOwn(opening: Opening): Promise<EmbeddedPostgres> {
  const { stay, isThrowaway } = opening
  // The users of a server that has just ended know it by its port, and restart it as it was.
  if (hasOtherUsers(stay)) {
    const server = await startAgain(opening)
    await prepareDatabase(opening.record, { mustBeDurable: !isThrowaway })
    return handle(opening, { server, wasStartedHere: true })
  }
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt += 1) {
    const record = { ...opening.record, port: await freePort(), isThrowaway }
    // Before the start: whoever finds the server after our sudden death needs its port.
    await writeRecord(opening.recordPath, record)
    const server = await startOn(opening, record)
    if (server === undefined) continue
    await prepareDatabase(record, { mustBeDurable: !isThrowaway })
    return handle({ ...opening, record }, { server, wasStartedHere: true })
  }
  throw new EmbeddedPostgresError(`The embedded PostgreSQL found its port taken ${PORT_ATTEMPTS} times.`)
}

/** Under the lock: the server another process has restarted meanwhile, or a new one on the port all users know. */
async function startAgain(opening: Opening): Promise<Server> {
  const { record, place, stay } = opening
  const running = findServer(place.cluster)
  if (running !== undefined && (await waitUntilReady(running, adminConnectionString(record))) === 'ready') {
    stay.server = running
    return running
  }
  const server = await startOn(opening, record)
  if (server !== undefined) return server
  throw new EmbeddedPostgresError(`Its port ${record.port} is taken by another program.`)
}

/** Undefined when another program took the port first. */
async function startOn(opening: Opening, record: ClusterRecord): Promise<Server | undefined> {
  removeStalePidFile(opening.place.cluster)
  const server = startServer({ ...opening, port: record.port, isThrowaway: record.isThrowaway })
  opening.stay.server = server
  try {
    if (await isReadyOnItsPort(server, record, opening.signal)) return server
    return undefined
  } catch (error) {
    await stopServer(server)
    throw error
  }
}

const PORT_ATTEMPTS = 5 // A port is lost to another program once in a blue moon; five times means something else.

async function isReadyOnItsPort(
  server: Server,
  record: ClusterRecord,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const outcome = await waitUntilReady(server, adminConnectionString(record), signal)
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
  opening: Opening,
  { server, wasStartedHere }: { server: Server; wasStartedHere: boolean },
): EmbeddedPostgres {
  const { record, lockPath, stay, onProblem } = opening
  const supervisor = superviseServer({
    server,
    // The opening's signal was for the opening only.
    restart: () => withLock(lockPath, () => startAgain({ ...opening, signal: undefined })),
    onProblem,
  })
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await supervisor.stop()
    try {
      await withLock(lockPath, () => leave(stay))
    } catch (error) {
      // The data folder was deleted under the server, so that nobody else can find it.
      if (codeOf(error) !== 'ENOENT') throw error
      await leave(stay)
    }
  }
  return {
    connectionString: connectionString(record.port, { role: 'commerce', password: record.commercePassword }),
    adminConnectionString: adminConnectionString(record),
    wasStartedHere,
    failed: supervisor.failed,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Under the lock: the last user stops the server, any other leaves it running. */
async function leave(stay: Stay): Promise<void> {
  const server = serverOf(stay)
  const isLast = !hasOtherUsers(stay)
  if (server !== undefined && isLast) await stopServer(server)
  if (server !== undefined && !isLast) server.release()
  // Last, so that the process that is ended meanwhile still counts as a user and its exit stops the server.
  unregister(stay)
}

function adminConnectionString(record: ClusterRecord): string {
  return connectionString(record.port, { role: 'postgres', password: record.superuserPassword })
}

/** Each role has the database of its own name. Without sslmode a PGSSLMODE of the environment would be obeyed. */
function connectionString(port: number, { role, password }: { role: string; password: string }): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${role}?sslmode=disable`
}
