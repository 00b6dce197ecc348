import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applied, type Change, changesOf, documents } from './documents.ts'

/**
 * Copies the repository, applies the diffs in the documents for contributors to the copy, and runs the tools of the
 * repository there.
 */

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const changes = documents.flatMap(changesOf)
let copy = ''
let stale: readonly string[] = []

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'commerce-recipes-'))
  await cp(repository, copy, { recursive: true, filter: (path) => path === repository || isSource(basename(path)) })
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => rm(copy, { recursive: true, force: true }))

/**
 * Reports whether the copy of the repository contains an entry. It omits node_modules and names that begin with a dot,
 * such as the folders of git, the benchmarks and a running service.
 */
function isSource(name: string): boolean {
  return name !== 'node_modules' && !name.startsWith('.')
}

/** Timeout of all tools together, on a machine that runs other tests at the same time. */
const timeout = 600_000

test('every diff of the contributor guide applies to the sources', async () => {
  expect(changes.length).toBeGreaterThan(30)
  stale = await staleAfterApplying()
  if (stale.length > 0) throw new Error(`${stale.length} diff(s) are stale.\n\n${stale.join('\n\n')}`)
})

test('all recipes of the contributor guide compile after code generation, and their tests pass', { timeout }, async ({
  signal,
  skip,
}) => {
  skip(stale.length > 0, 'Stale diffs were not applied.')
  await run('scripts/generate.ts', [], signal)
  await run('node_modules/ts7/bin/tsc', ['--noEmit', '--singleThreaded', '-p', '.'], signal)
  const tests = changes.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'))
  const config = ['--config', 'scripts/config/vitest.config.ts']
  await run('node_modules/vitest/vitest.mjs', ['run', ...config, ...new Set(tests)], signal)
})

/** Applies all changes to the copy in order. Returns a message for each change that cannot be applied. */
async function staleAfterApplying(): Promise<string[]> {
  const messages: string[] = []
  for (const change of changes) {
    await apply(change).catch((error: unknown) => messages.push(error instanceof Error ? error.message : String(error)))
  }
  return messages
}

async function apply(change: Change): Promise<void> {
  const file = join(copy, change.path)
  const { document, path } = change
  if (existsSync(file) === change.isNew) {
    const found = change.isNew ? 'exists already' : 'does not exist'
    throw new Error(`${path} ${found}. Update the diff in ${document}.`)
  }
  if (!change.isNew) return writeFile(file, applied(await readFile(file, 'utf8'), change))
  await mkdir(dirname(file), { recursive: true })
  return writeFile(file, `${change.after.join('\n')}\n`)
}

/**
 * Runs a script in the copy of the repository. Rejects with the script's output if it fails. The signal ends the script
 * when the test times out.
 */
function run(script: string, options: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settings = { cwd: copy, env: environment(), maxBuffer: 64 * 1024 * 1024, signal } as const
    execFile(process.execPath, [script, ...options], settings, (error, output, errors) => {
      if (error === null) resolve()
      else reject(new Error(`${script} failed:\n${output}\n${errors}`, { cause: error }))
    })
  })
}

/** Returns the environment variables without those that mark a process as started by Vitest. */
function environment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$)/.test(name)))
}
