import { spawn } from 'node:child_process'
import { delimiter, resolve } from 'node:path'

/** `npm run verify`: runs every check that a change must pass and prints one line for each. */

interface Check {
  readonly name: string
  readonly command: readonly string[]
}

const bin = (name: string) => `node_modules/.bin/${name}`

const vitest = (project: string) => [
  bin('vitest'),
  ...['run', '--config', 'scripts/config/vitest.config.ts', '--project', project],
]

/**
 * TypeScript 7 checks the types, because it takes a tenth of the time of TypeScript 5. TypeScript 5 is installed for
 * the tools that import it. TypeScript 7 runs with one thread: this uses 40 % less processor time than four threads,
 * and the tests need the other cores.
 */
function typesOf(project: string): readonly string[] {
  return [process.execPath, 'node_modules/ts7/bin/tsc', '--noEmit', '--singleThreaded', '-p', project]
}

const checks: readonly Check[] = [
  // The longest checks come first. The test project `rest` contains the tests of scripts/, the tests of whole processes
  // and the long tests.
  { name: 'other tests', command: vitest('rest') },
  // The check of the fault matrix mostly waits, so other checks can run beside it.
  { name: 'faults', command: [process.execPath, 'scripts/faults/matrix/run.ts', '--short'] },
  { name: 'types', command: typesOf('.') },
  { name: 'format and lint', command: [bin('biome'), 'ci', '--colors=off', '.'] },
  { name: 'patterns', command: [process.execPath, 'scripts/lint/check-patterns.ts'] },
  // The scripts of web pages run in browsers and need browser globals, which the rest of the code must not use.
  ...['reference', 'dashboard'].map((site) => ({
    name: `types of ${site} pages`,
    command: typesOf(`src/${site}/browser`),
  })),
  {
    name: 'imports',
    command: [
      bin('depcruise'),
      '--config',
      'scripts/config/dependency-cruiser.cjs',
      'registry',
      'src',
      'scripts',
      'generated',
      'test',
    ],
  },
  { name: 'dead code', command: [bin('knip'), '--config', 'scripts/config/knip.json'] },
  { name: 'generated', command: [process.execPath, 'scripts/generate.ts', '--check'] },
  { name: 'document', command: [process.execPath, 'scripts/lint/lint-document.ts'] },
  { name: 'compatibility', command: [process.execPath, 'scripts/release/check-compatibility.ts'] },
  {
    name: 'migrations',
    command: [bin('squawk'), '--config', 'scripts/config/squawk.toml', 'src/store/migrations/*.sql'],
  },
  { name: 'backfills', command: [process.execPath, 'scripts/check-migrations.ts'] },
  { name: 'sources', command: [process.execPath, 'scripts/check-sources.ts'] },
  { name: 'vocabulary', command: [process.execPath, 'scripts/lint/vocabulary/check-vocabulary.ts'] },
  { name: 'tests', command: vitest('service') },
]

// The option `--without-tests` leaves out the check `tests`, because the CI script (.ci/run) has run `npm test` before.
const skipped = process.argv.includes('--without-tests') ? ['tests'] : []
const failed: string[] = []

/** Number of concurrent checks: `npm run verify` is planned for two cores, and each check uses about one. */
const concurrency = 2
const waiting = checks.filter(({ name }) => !skipped.includes(name)).values()
await Promise.all(Array.from({ length: concurrency }, runWaitingChecks))

console.log(failed.length === 0 ? 'All checks passed.' : `These checks failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1

/**
 * Runs the waiting checks one after another. Concurrent calls take checks from the same iterator, so each check runs
 * once.
 */
async function runWaitingChecks(): Promise<void> {
  for (const check of waiting) await runCheck(check)
}

async function runCheck({ name, command }: Check): Promise<void> {
  const started = performance.now()
  const { code, output } = await execute(command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${seconds.padStart(6)} s`)
  if (code === 0) return
  failed.push(name)
  console.log(output)
}

function execute([file = '', ...args]: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((settle, reject) => {
    // The folder of the pinned Node.js comes first on the PATH, so that tools that start through a `#!` line use this
    // Node.js, too.
    const path = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`
    // The checks share a compile cache of Node.js, which halves the duration of short checks.
    const compiled = resolve('node_modules/.cache/compiled')
    const env = { ...process.env, PATH: path, NO_COLOR: '1', NODE_COMPILE_CACHE: compiled }
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => settle({ code, output }))
  })
}
