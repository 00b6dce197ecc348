import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach } from 'vitest'
import { type EmbeddedOptions, type EmbeddedPostgres, openEmbedded } from '../../src/store/embedded/embedded.ts'

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/**
 * Creates a folder. By default, all users may enter it, because PostgreSQL runs as another user if the test runs as
 * root.
 */
export async function temporaryFolder(mode = 0o711): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  onCleanup(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, mode)
  return folder
}

/**
 * Registers a function that runs when the test ends. The registered functions run in reverse order, so that servers
 * stop before their folders are deleted.
 */
export function onCleanup(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup)
}

export async function open(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const embedded = await openEmbedded({ durability: 'throwaway', ...options })
  onCleanup(() => embedded.stop())
  return embedded
}

/**
 * Opens the PostgreSQL cluster in another process. That process stops its database server when the test writes to the
 * process's standard input.
 */
export async function openInChild(
  dataDirectory: string,
  end = 'embedded.stop()',
): Promise<EmbeddedPostgres & { child: ChildProcess }> {
  const program = `
    import { openEmbedded } from ${JSON.stringify(new URL('../../src/store/embedded/embedded.ts', import.meta.url).href)}
    const embedded = await openEmbedded({ dataDirectory: ${JSON.stringify(dataDirectory)}, durability: 'throwaway' })
    console.log(JSON.stringify(embedded))
    process.stdin.once('data', () => {
      process.stdin.unref()
      ${end}
    })`
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio })
  onCleanup(() => kill(child))
  const [line] = await once(child.stdout, 'data')
  const stop = async () => {
    child.stdin.write('stop')
    await once(child, 'exit')
  }
  return { ...JSON.parse(String(line)), stop, child }
}

export async function serverPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

export async function query(connectionString: string, text: string, values: string[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

export async function isServing({ connectionString }: EmbeddedPostgres): Promise<boolean> {
  return query(connectionString, 'select 1').then(
    () => true,
    () => false,
  )
}

export async function settings({ adminConnectionString }: EmbeddedPostgres): Promise<unknown> {
  const names = "'listen_addresses', 'unix_socket_directories', 'fsync'"
  const text = `select json_object_agg(name, setting) as all from pg_settings where name in (${names})`
  const [row] = await query(adminConnectionString, text)
  return typeof row === 'object' && row !== null && 'all' in row ? row.all : undefined
}
