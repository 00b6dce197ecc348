import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { randomSecret } from '../../../src/base/ids.ts'
import { chooseLocation } from '../../../src/store/embedded/location.ts'
import { freePort } from '../../../src/store/embedded/server.ts'
import { endOf } from '../processes.ts'

/** A cluster on loopback addresses: three PostgreSQL servers that Patroni manages, with etcd. */
export interface PatroniCluster {
  readonly ownerUrl: string
  readonly serviceUrl: string
  /**
   * Kills the main process of the primary server. Returns the time, by the monotonic clock, at which another server had
   * become the primary.
   */
  killPrimary(): Promise<number>
  /**
   * Waits until all PostgreSQL servers run and one standby is synchronous, so that the next failover loses no committed
   * write.
   */
  untilHealthy(): Promise<void>
  /** Runs a query as the superuser on the primary server, by default in the database of the service. */
  query(text: string, database?: string): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

export interface Programs {
  readonly etcd: string
  readonly patroni: string
  /** The folder of PostgreSQL’s programs. */
  readonly postgres: string
}

interface Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly folder: string
}

/** Interval at which the state of the cluster is read, and thus the precision of the measured promotion time. */
const pollMs = 50

/**
 * Maximum wait for a healthy cluster: far above the usual time in which a failed server rejoins by copying or rewinding
 * a small database.
 */
const healthyMaxMs = 180_000

/**
 * Maximum wait for the promotion of a standby. It is longer than the TTL of the leader lock, because Patroni promotes a
 * standby at the latest when this lock expires.
 */
const promotionMaxMs = 90_000

const passwordBytes = 18

export async function startPatroniCluster(folder: string, programs: Programs): Promise<PatroniCluster> {
  const { account } = await chooseLocation(folder, () => undefined)
  const password = randomSecret(passwordBytes)
  const children: ChildProcess[] = []
  const run = (program: string, args: readonly string[]) => {
    const env = { PATH: `${programs.postgres}:${process.env.PATH ?? ''}`, LC_ALL: 'C.UTF-8', HOME: folder }
    const child = spawn(program, args, { ...account, cwd: folder, env, stdio: 'ignore' })
    children.push(child)
  }
  const stop = async () => {
    // The processes of the cluster are stopped in reverse order: Patroni stops its PostgreSQL server on SIGTERM, and
    // needs etcd until it has stopped.
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = endOf(child)
      child.kill('SIGTERM')
      await Promise.race([ended, wait(stopMs).then(() => child.kill('SIGKILL'))])
    }
  }
  try {
    const nodes = await Promise.all(['a', 'b', 'c'].map((name) => nodeNamed(folder, name)))
    const etcdPort = await startEtcd(folder, run, programs, account)
    for (const node of nodes) {
      const path = join(folder, `${node.name}.json`)
      await mkdir(node.folder, { mode: 0o700 })
      await writeFile(path, JSON.stringify(configuration(node, { etcdPort, password, programs })))
      if (account !== undefined) for (const each of [node.folder, path]) await chown(each, account.uid, account.gid)
      run(programs.patroni, [path])
    }
    const cluster = clusterOf(nodes, password)
    await cluster.untilHealthy()
    await createRoles(cluster, password)
    return { ...cluster, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Maximum wait until a process has stopped. It is long, because a PostgreSQL server writes a checkpoint before it
 * stops.
 */
const stopMs = 20_000

async function nodeNamed(folder: string, name: string): Promise<Node> {
  return { name, port: await freePort(), restPort: await freePort(), folder: join(folder, name) }
}

async function startEtcd(
  folder: string,
  run: (program: string, args: readonly string[]) => void,
  { etcd }: Programs,
  account: { readonly uid: number; readonly gid: number } | undefined,
): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const data = join(folder, 'etcd')
  await mkdir(data, { mode: 0o700 })
  if (account !== undefined) await chown(data, account.uid, account.gid)
  run(etcd, [
    ...['--data-dir', data, '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ])
  return port
}

interface Setup {
  readonly etcdPort: number
  readonly password: string
  readonly programs: Programs
}

/** The configuration is written as JSON, because Patroni reads YAML and every JSON text is valid YAML. */
function configuration({ name, port, restPort, folder }: Node, { etcdPort, password, programs }: Setup) {
  const rest = `127.0.0.1:${restPort}`
  const parameters = {
    max_connections: 80,
    shared_buffers: '32MB',
    unix_socket_directories: '',
    // A failed server rejoins with pg_rewind, which needs the WAL since the point at which the timelines diverged.
    wal_keep_size: '256MB',
  }
  return {
    scope: 'commerce',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        // `ttl`, `loop_wait` and `retry_timeout` have the shortest times that Patroni supports. By default, Patroni
        // derives its other times from these three.
        ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, maximum_lag_on_failover: 1_048_576 },
        // After a crash of the primary, Patroni promotes a standby at once instead of restarting the primary.
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: programs.postgres,
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { password_encryption: 'scram-sha-256' },
    },
  }
}

const Member = z.object({
  name: z.string(),
  role: z.string(),
  state: z.string(),
  timeline: z.union([z.number(), z.string()]).optional(),
})
const Members = z.object({ members: z.array(Member) })
type Member = z.output<typeof Member>

const healthyStates: readonly string[] = ['running', 'streaming']

function clusterOf(nodes: readonly Node[], password: string): Omit<PatroniCluster, 'stop'> {
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const urlOf = (role: string) => `postgres://${role}:${password}@${hosts}/commerce?sslmode=disable`
  const membersAt = async ({ restPort }: Node): Promise<readonly Member[]> => {
    const signal = AbortSignal.timeout(readMs)
    const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal })
    return Members.parse(await response.json()).members
  }
  const untilHealthy = () =>
    until(healthyMaxMs, 'The cluster did not become healthy.', async () => {
      const [node] = nodes
      const members = node === undefined ? [] : await membersAt(node)
      const isRunning = members.length === nodes.length && members.every(({ state }) => healthyStates.includes(state))
      const roles = members.map(({ role }) => role)
      const timelines = new Set(members.map(({ timeline }) => timeline))
      return isRunning && roles.includes('leader') && roles.includes('sync_standby') && timelines.size === 1
    })
  const killPrimary = async () => {
    const primary = await findPrimary(nodes, password)
    if (primary === undefined) throw new Error('No server is the primary.')
    process.kill(await postmasterOf(primary), 'SIGKILL')
    await until(promotionMaxMs, 'No standby was promoted.', async () => {
      const others = nodes.filter((node) => node !== primary)
      return (await findPrimary(others, password)) !== undefined
    })
    return performance.now()
  }
  const query = async (text: string, database = 'commerce') => {
    const primary = await findPrimary(nodes, password)
    if (primary === undefined) throw new Error('No server is the primary.')
    return ask(primary, { password, database, text })
  }
  return { ownerUrl: urlOf('commerce'), serviceUrl: urlOf('commerce_service'), untilHealthy, killPrimary, query }
}

/** Each query has a timeout, because a server that is starting or stopping may not respond. */
const readMs = 2_000

async function findPrimary(nodes: readonly Node[], password: string): Promise<Node | undefined> {
  const text = 'select pg_is_in_recovery() as "isStandby"'
  const states = await Promise.all(
    nodes.map((node) => ask(node, { password, database: 'postgres', text }).catch(() => [])),
  )
  return nodes.find((_, index) => states[index]?.[0]?.isStandby === false)
}

async function ask(
  { port }: Node,
  { password, database, text }: { password: string; database: string; text: string },
): Promise<readonly Record<string, unknown>[]> {
  const connection = { host: '127.0.0.1', port, user: 'postgres', password, database }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: readMs })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function postmasterOf({ folder }: Node): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
}

/**
 * Creates the two roles that the Configuration guide describes: the owner of the tables, and the role of the service,
 * which owns no tables.
 */
async function createRoles({ query }: Pick<PatroniCluster, 'query'>, password: string): Promise<void> {
  for (const role of ['commerce', 'commerce_service']) {
    await query(`create role ${role} login password ${pg.escapeLiteral(password)}`, 'postgres')
  }
  await query('create database commerce owner commerce', 'postgres')
}

async function until(maxMs: number, failure: string, isReached: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + maxMs
  while (performance.now() < deadlineMs) {
    if (await isReached().catch(() => false)) return
    await wait(pollMs)
  }
  throw new Error(failure)
}
