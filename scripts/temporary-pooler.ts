import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pooledSettings } from '../src/store/core/connection-settings.ts'
import type { EmbeddedPostgres } from '../src/store/embedded/embedded.ts'
import { chooseLocation } from '../src/store/embedded/location.ts'
import { freePort } from '../src/store/embedded/server.ts'
import { requireProgram } from './outside/require-program.ts'

/** Debian's PgBouncer in transaction mode on a loopback port, in front of every database of a PostgreSQL server. */
export interface Pooler {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Size of PgBouncer's pool, equal to that of the service's pool: some tests hold several transactions open while they
 * wait for one more connection.
 */
const poolSize = 20

/**
 * Time after which PgBouncer closes idle connections. It is short, because a test file drops its database at its end,
 * and PostgreSQL refuses this while connections to the database are open.
 */
const idleSeconds = 2

/**
 * Starts PgBouncer. Sets the timeouts of the service’s role in the database, because PgBouncer does not forward them.
 */
export async function startPooler(postgres: EmbeddedPostgres): Promise<Pooler> {
  const program = requireProgram('pgbouncer', 'pgbouncer')
  await setTimeouts(postgres)
  const folder = await mkdtemp(join(tmpdir(), 'commerce-pgbouncer-'))
  const port = await freePort()
  const { port: serverPort } = new URL(postgres.connectionString)
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 1000',
    `server_idle_timeout = ${idleSeconds}`,
  ]
  const { username, password } = new URL(postgres.connectionString)
  await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
  // PgBouncer, like PostgreSQL, refuses to run as root, so another user runs it. This user must be able to read the
  // folder.
  await chmod(folder, 0o755)
  const { account } = await chooseLocation(folder, () => undefined)
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log += chunk
      if (log.includes('process up')) resolve()
    })
    void ended.then(() => reject(new Error(`PgBouncer did not start: ${log}`)))
  })
  return {
    port,
    stop: async () => {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function setTimeouts({ adminConnectionString, connectionString }: EmbeddedPostgres): Promise<void> {
  const admin = new pg.Client({ connectionString: adminConnectionString })
  await admin.connect()
  const role = pg.escapeIdentifier(new URL(connectionString).username)
  for (const [name, value] of Object.entries(pooledSettings))
    await admin.query(`alter role ${role} set ${name} = '${value}'`)
  await admin.end()
}
