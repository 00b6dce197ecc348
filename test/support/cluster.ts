import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect } from 'vitest'
import { prepareDatabase } from '../../scripts/prepare-database.ts'
import { findBinaries, placeBinaries } from '../../src/store/embedded/binaries.ts'
import { openEmbedded } from '../../src/store/embedded/embedded.ts'
import { chooseLocation } from '../../src/store/embedded/location.ts'
import { freePort, type Server, startServer, stopServer, waitUntilReady } from '../../src/store/embedded/server.ts'

/** A primary and a streaming standby of the embedded PostgreSQL, with the migrated schema. */
export interface Cluster {
  readonly primary: Node
  readonly standby: Node
  stop(): Promise<void>
}

export interface Node {
  readonly port: number
  /** Connection string with the role of the service. */
  readonly connectionString: string
  readonly ownerConnectionString: string
  /** Connection string with the role of the superuser for the database of the service. */
  readonly adminConnectionString: string
  start(): Promise<void>
  /** Stops the database server as an operator does, with a checkpoint. */
  stop(): Promise<void>
  /**
   * Kills the main process of the database server. The other processes of the server end when they notice that the main
   * process has ended.
   */
  kill(): Promise<void>
  /** Makes a stopped database server start as a standby of another server. */
  follow(other: Node): Promise<void>
}

const run = promisify(execFile)

/**
 * The standby is created as a copy of the stopped primary, because the embedded package does not contain pg_basebackup.
 */
export async function openCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-cluster-'))
  // When the test runs as root, PostgreSQL runs as another user, who needs access to the data folder.
  await chmod(folder, 0o711)
  const origin = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
  try {
    await prepareDatabase(origin)
  } finally {
    await origin.stop()
  }
  const place = await chooseLocation(folder, () => undefined)
  const copy = `${place.cluster}-standby`
  await run('cp', ['-a', place.cluster, copy])
  const binaries = await placeBinaries(await findBinaries(), place.account, { onLog: () => undefined })
  const nodeIn = async (cluster: string): Promise<Node> => {
    const port = await freePort()
    const urlOf = (text: string) => Object.assign(new URL(text), { port: String(port) })
    const adminConnectionString = Object.assign(urlOf(origin.adminConnectionString), { pathname: '/commerce' }).href
    let server: Server | undefined
    const start = async () => {
      server = startServer({ binaries, place: { ...place, cluster }, port, isThrowaway: true, onLog: () => undefined })
      expect(await waitUntilReady(server, adminConnectionString)).toBe('ready')
    }
    return {
      port,
      connectionString: urlOf(origin.connectionString).href,
      ownerConnectionString: urlOf(origin.ownerConnectionString).href,
      adminConnectionString,
      start,
      stop: async () => {
        if (server !== undefined) await stopServer(server)
      },
      kill: async () => {
        if (server === undefined) return
        process.kill(server.pid, 'SIGKILL')
        await server.outputEnded
      },
      follow: async (other) => {
        const { username, password } = new URL(other.adminConnectionString)
        const target = `host=127.0.0.1 port=${other.port} user=${username} password=${password} application_name=standby`
        await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${target}'\n`)
        await writeFile(join(cluster, 'standby.signal'), '')
      },
    }
  }
  const primary = await nodeIn(place.cluster)
  const standby = await nodeIn(copy)
  const stop = async () => {
    await Promise.all([standby.stop(), primary.stop()])
    await rm(copy, { recursive: true, force: true })
    await rm(place.cluster, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await standby.follow(primary)
    await Promise.all([primary.start(), standby.start()])
    return { primary, standby, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function onNode(node: Node, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: node.adminConnectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Waits until the standby has replayed everything that the primary has written. */
export async function waitForReplay({ primary, standby }: Pick<Cluster, 'primary' | 'standby'>): Promise<void> {
  const [written] = await onNode(primary, 'select pg_current_wal_insert_lsn()::text as lsn')
  const replayed = `select pg_last_wal_replay_lsn() >= '${written?.lsn}' as "isReplayed"`
  await expect.poll(() => onNode(standby, replayed)).toEqual([{ isReplayed: true }])
}

/** Returns one database URL that contains the hosts of several servers, in the given order. */
export function severalHosts(...nodes: readonly Pick<Node, 'connectionString'>[]): string {
  const [first] = nodes
  const { host } = new URL(first?.connectionString ?? '')
  const hosts = nodes.map((node) => new URL(node.connectionString).host)
  return (first?.connectionString ?? '').replace(host, hosts.join(','))
}
