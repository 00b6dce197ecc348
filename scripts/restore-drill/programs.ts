import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access, chown, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** PostgreSQL and pgBackRest of Debian, with the files of scripts/deploy/backup and all data in a temporary folder. */

const run = promisify(execFile)

const postgresFolder = '/usr/lib/postgresql/15/bin'
const programs = { 'postgresql-15': join(postgresFolder, 'postgres'), pgbackrest: '/usr/bin/pgbackrest' }

export async function findMissing(): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, path]) => {
      const isInstalled = await access(path).then(
        () => true,
        () => false,
      )
      return isInstalled ? [] : [name]
    }),
  )
  return found.flat()
}

export type Machine = Awaited<ReturnType<typeof openMachine>>

export async function openMachine() {
  const account = await accountOfPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'commerce-drill-'))
  const at = (name: string) => join(folder, name)
  const own = async (path: string) => (account === undefined ? undefined : chown(path, account.uid, account.gid))
  await own(folder)
  for (const name of ['repository', 'log', 'lock', 'sockets']) {
    await mkdir(at(name))
    await own(at(name))
  }
  const options = { ...account, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const cluster = at('main')
  await run(
    join(postgresFolder, 'initdb'),
    ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-k', '-E', 'UTF8'],
    options,
  )
  const port = await freePort()
  const conf = at('pgbackrest.conf')
  const paths: Readonly<Record<string, string>> = {
    '/var/lib/postgresql/15/main': cluster,
    '/var/lib/pgbackrest': at('repository'),
    '/var/log/pgbackrest': at('log'),
    '/tmp/pgbackrest': at('lock'),
    '/var/run/postgresql': at('sockets'),
    'pg1-port=5432': `pg1-port=${port}`,
    'pgbackrest --stanza': `pgbackrest --config=${conf} --stanza`,
  }
  const deployed = async (name: string) => {
    const text = await readFile(new URL(`../deploy/backup/${name}`, import.meta.url), 'utf8')
    return Object.entries(paths).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
  }
  await writeFile(conf, await deployed('pgbackrest.conf'))
  const added = `\nlisten_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = '${at('sockets')}'\n`
  await writeFile(join(cluster, 'postgresql.conf'), added + (await deployed('postgresql.conf')), { flag: 'a' })
  const url = (role: string, database: string) => `postgresql://${role}@127.0.0.1:${port}/${database}`
  let server: ChildProcess | undefined
  return {
    folder,
    connectionString: url('commerce_service', 'commerce'),
    ownerConnectionString: url('commerce', 'commerce'),
    adminConnectionString: url('postgres', 'postgres'),
    pgbackrest: (...words: string[]) => run('pgbackrest', [`--config=${conf}`, '--stanza=commerce', ...words], options),
    start: async () => {
      server = spawn(programs['postgresql-15'], ['-D', cluster], { ...options, stdio: 'ignore' })
      await untilWritable(url('postgres', 'postgres'), server)
    },
    /** Kills PostgreSQL without a shutdown, as the loss of its machine would. */
    kill: () => end(server, 'SIGQUIT'),
  }
}

async function end(server: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (server === undefined || server.exitCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await ended
}

const pollMs = 100
const pollsMax = 3_000 // Maximum duration of a restore: five minutes. The drill fails if a restore takes longer.

async function untilWritable(connectionString: string, server: ChildProcess): Promise<void> {
  for (let poll = 0; poll < pollsMax && server.exitCode === null; poll += 1) {
    const client = new pg.Client({ connectionString })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query('select pg_is_in_recovery() as "isRecovering"')
      if (rows[0]?.isRecovering === false) return
    } catch {
      // PostgreSQL does not accept connections yet.
    } finally {
      await client.end().catch(() => undefined)
    }
    await setTimeout(pollMs)
  }
  throw new Error('PostgreSQL did not accept writes.')
}

/** Returns the user account of PostgreSQL if this process runs as root, because PostgreSQL refuses to run as root. */
async function accountOfPostgres(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((each) => each.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('/etc/passwd has no account postgres.')
  return { uid: Number(uid), gid: Number(gid) }
}

function freePort(): Promise<number> {
  return new Promise((fulfil, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => fulfil(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
