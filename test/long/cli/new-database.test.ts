import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const startMs = 60_000 // Timeout of a test that starts PostgreSQL twice, on a busy machine.

test('a command without DATABASE_URL prints a message about a new embedded database only when the command creates one', {
  timeout: startMs,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-new-'))
  try {
    // When the test runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
    await chmod(folder, 0o711)
    const dataFolder = join(folder, 'data')
    const line = `DATABASE_URL is not set: creating an embedded PostgreSQL in ${dataFolder}.`
    expect(await errorsOf(dataFolder)).toContain(line)
    expect(await errorsOf(dataFolder)).not.toContain(line)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** Runs a command that changes nothing. Returns what it writes to standard error. */
async function errorsOf(dataFolder: string): Promise<string> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: dataFolder, NODE_ENV: 'development' }
  const child = spawn(process.execPath, ['src/cli.ts', 'migrate', '--check'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  await once(child, 'close')
  return errors
}
