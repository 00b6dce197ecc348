// An embedded PostgreSQL server, installed by npm, with its data in the data folder.
//
// One server per data folder is shared by all processes that open it. The last user to leave stops it. If it ends
// while in use, the first user that notices restarts it on the same port. Opening, restarting and leaving require a
// lock file:
//
//   lock -> register as a user -> already running? yes -> wait until it accepts connections -> share
//                                                  no -> initdb if new -> choose a port -> start -> wait -> roles and db

import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { type Binaries, findBinaries, placeBinaries } from './binaries.ts'
import { type ClusterRecord, openCluster, writeRecord } from './cluster.ts'
import { adminConnectionString, loginsOf, ownerOf, serviceOf } from './connection-strings.ts'
import { codeOf, EmbeddedPostgresError, explainingFolder } from './error.ts'
import { type ClusterLocation, chooseLocation } from './location.ts'
import { withLock } from './lock.ts'
import { finishReplacement } from './replacement.ts'
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
import { hasOtherUsers, type Registration, register, serverOf, unregister } from './users.ts'
import { discardUnarchived } from './wal-archive.ts'

export interface EmbeddedPostgres {
  /** Connection string for database `commerce` as role `commerce_service`, which owns no tables. */
  readonly connectionString: string
  /**
   * Connection string for the database `commerce` with the role `commerce`. This role owns the tables and migrates the
   * database, and is not a superuser.
   */
  readonly ownerConnectionString: string
  /** Connection string for database `postgres` as the superuser, for tests that create their own databases. */
  readonly adminConnectionString: string
  readonly place: ClusterLocation
  readonly wasStartedHere: boolean
  /** Rejects when the server has ended and cannot be restarted. */
  readonly failed: Promise<never>
  /** False while the server is being restarted. */
  isRunning(): boolean
  /** Stops the embedded server if no other process uses it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDirectory: string
  /** Whether data survives a crash of the machine. A throwaway server is faster, but may lose data. */
  readonly durability?: 'durable' | 'throwaway'
  /**
   * Connection limit for a server that this call starts; a running server keeps its limit. The default of PostgreSQL is
   * 100.
   */
  readonly maxConnections?: number | undefined
  readonly onLog?: (line: string) => void
  /**
   * Called with a message when the server ends although a process still uses it, and with the result of each restart.
   */
  readonly onProblem?: (line: string) => void
  /** Aborts the opening: stops a server that this call has started, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Starts the embedded server if necessary. Throws EmbeddedPostgresError. */
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
    // An error after an abort is a consequence of the abort, so the signal's reason is thrown instead.
    signal?.throwIfAborted()
    throw error
  }
}

interface Opening {
  readonly lockPath: string
  readonly recordPath: string
  readonly record: ClusterRecord
  readonly binaries: Binaries
  readonly place: ClusterLocation
  readonly registration: Registration
  readonly isThrowaway: boolean
  readonly maxConnections: number | undefined
  readonly onLog: (line: string) => void
  readonly onProblem: (line: string) => void
  readonly signal: AbortSignal | undefined
}

async function openLocked(options: EmbeddedOptions, lockPath: string): Promise<EmbeddedPostgres> {
  const { dataDirectory, durability, maxConnections, onLog = () => {}, onProblem = () => {}, signal } = options
  const place = await chooseLocation(dataDirectory, onLog)
  await finishReplacement(dataDirectory, place.cluster)
  const registration = register(join(dataDirectory, 'postgres.users'), place.cluster)
  try {
    const binaries = await placeBinaries(await findBinaries(), place.account, { onLog })
    signal?.throwIfAborted()
    const recordPath = join(dataDirectory, 'postgres.json')
    const isThrowaway = durability === 'throwaway'
    const record = await openCluster(recordPath, place, { binaries, isThrowaway, signal })
    signal?.throwIfAborted()
    const opening = {
      lockPath,
      recordPath,
      record,
      binaries,
      place,
      registration,
      isThrowaway,
      maxConnections,
      onLog,
      onProblem,
      signal,
    }
    return (await shareRunning(opening)) ?? (await startOwn(opening))
  } catch (error) {
    await leave(registration)
    throw error
  }
}

async function shareRunning(opening: Opening): Promise<EmbeddedPostgres | undefined> {
  const { record, place, registration, isThrowaway, signal } = opening
  const server = findServer(place.cluster)
  if (server === undefined) return undefined
  const outcome = await waitUntilReady(server, adminConnectionString(record), signal)
  // The embedded server ended because its last user was stopping it.
  if (outcome === 'ended') return undefined
  if (outcome === 'late') throw readinessTimeout(server)
  registration.server = server
  await prepareDatabase(record, { mustBeDurable: !isThrowaway })
  return handle(opening, { server, wasStartedHere: false })
}

async function startOwn(opening: Opening): Promise<EmbeddedPostgres> {
  const { registration, isThrowaway } = opening
  // If other processes are registered as users of the server, the server ended while these processes used it. The
  // server is started again on the same port and with the same durability settings, because these processes try to
  // reconnect.
  if (hasOtherUsers(registration)) {
    const server = await startAgain(opening)
    await prepareDatabase(opening.record, { mustBeDurable: !isThrowaway })
    return handle(opening, { server, wasStartedHere: true })
  }
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt += 1) {
    const record = { ...opening.record, port: await freePort(), isThrowaway }
    // The record of the cluster, with the port, is written before the start: if this process is killed, another process
    // needs the port to use the server.
    await writeRecord(opening.recordPath, record)
    const server = await startOn(opening, record)
    if (server === undefined) continue
    await prepareDatabase(record, { mustBeDurable: !isThrowaway })
    return handle({ ...opening, record }, { server, wasStartedHere: true })
  }
  throw new EmbeddedPostgresError(`The port of the embedded PostgreSQL was taken ${PORT_ATTEMPTS} times.`)
}

/**
 * Returns the server if another process has restarted it; otherwise restarts it on the same port. Requires the lock
 * file.
 */
async function startAgain(opening: Opening): Promise<Server> {
  const { record, place, registration } = opening
  const running = findServer(place.cluster)
  if (running !== undefined && (await waitUntilReady(running, adminConnectionString(record))) === 'ready') {
    registration.server = running
    return running
  }
  const server = await startOn(opening, record)
  if (server !== undefined) return server
  throw new EmbeddedPostgresError(`Port ${record.port} is taken by another program.`)
}

/** Returns undefined when another program has taken the port. */
async function startOn(opening: Opening, record: ClusterRecord): Promise<Server | undefined> {
  removeStalePidFile(opening.place.cluster)
  const server = startServer({
    ...opening,
    port: record.port,
    isThrowaway: record.isThrowaway,
    settings: settingsOf(opening),
  })
  opening.registration.server = server
  try {
    if (await isReady(server, record, opening.signal)) return server
    return undefined
  } catch (error) {
    await stopServer(server)
    throw error
  }
}

function settingsOf({ maxConnections }: Opening): readonly string[] {
  return maxConnections === undefined ? [] : [`max_connections=${maxConnections}`]
}

const PORT_ATTEMPTS = 5 // Another process rarely takes a port that was just found free. Five failures in a row therefore have another cause.

async function isReady(server: Server, record: ClusterRecord, signal: AbortSignal | undefined): Promise<boolean> {
  const outcome = await waitUntilReady(server, adminConnectionString(record), signal)
  if (outcome === 'ready') return true
  if (outcome === 'late') throw readinessTimeout(server)
  await server.outputEnded
  if (server.isPortTaken()) return false
  throw new EmbeddedPostgresError(`The embedded PostgreSQL failed to start: ${server.lastLine()}`)
}

function readinessTimeout(server: Server): EmbeddedPostgresError {
  const lastLine = server.lastLine() === '' ? '' : ` Its last output: ${server.lastLine()}`
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL (pid ${server.pid}) was not ready within a minute.${lastLine}`,
  )
}

/**
 * Runs at every opening, because an earlier opening may have been killed before it created the roles and the database.
 */
async function prepareDatabase(record: ClusterRecord, { mustBeDurable }: { mustBeDurable: boolean }): Promise<void> {
  const client = new Client({ connectionString: adminConnectionString(record) })
  await client.connect()
  try {
    if (mustBeDurable && (await isFound(client, "select from pg_settings where name = 'fsync' and setting = 'off'"))) {
      throw new EmbeddedPostgresError(
        'The running embedded PostgreSQL is a throwaway server. Stop the process that started it.',
      )
    }
    for (const { role, password } of [ownerOf(record), serviceOf(record)]) {
      if (await isFound(client, `select from pg_roles where rolname = ${client.escapeLiteral(role)}`)) continue
      await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`)
    }
    if (!(await isFound(client, "select from pg_database where datname = 'commerce'"))) {
      await client.query('create database commerce owner commerce')
    }
    await discardUnarchived(client)
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
  const { record, lockPath, registration, onProblem } = opening
  const supervisor = superviseServer({
    server,
    // The abort signal only applies to the opening of the server, not to a restart.
    restart: () => withLock(lockPath, () => startAgain({ ...opening, signal: undefined })),
    onProblem,
  })
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await supervisor.stop()
    try {
      await withLock(lockPath, () => leave(registration))
    } catch (error) {
      // The data folder was deleted while the server runs, so no other process can find the server. No lock is needed.
      if (codeOf(error) !== 'ENOENT') throw error
      await leave(registration)
    }
  }
  return {
    ...loginsOf(record),
    place: opening.place,
    wasStartedHere,
    failed: supervisor.failed,
    isRunning: supervisor.isRunning,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Unregisters a user of the server, and stops the server if no other user remains. Requires the lock file. */
async function leave(registration: Registration): Promise<void> {
  const server = serverOf(registration)
  const isLast = !hasOtherUsers(registration)
  if (server !== undefined && isLast) await stopServer(server)
  if (server !== undefined && !isLast) server.release()
  // This process stays registered as a user of the server until the server was stopped or released. If the process
  // exits earlier, its exit handler still stops the server.
  unregister(registration)
}
