import { spawn } from 'node:child_process'
import { delimiter, resolve } from 'node:path'

/** `npm run verify`: everything that must hold before a change lands, one line of verdict each. */

interface Check {
  readonly name: string
  readonly command: readonly string[]
}

const bin = (name: string) => `node_modules/.bin/${name}`

const checks: readonly Check[] = [
  // The longest comes first. By its path: two compilers are installed, and both call their program tsc.
  { name: 'types', command: [process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  { name: 'format and lint', command: [bin('biome'), 'ci', '--colors=off', '.'] },
  {
    name: 'patterns',
    command: [bin('eslint'), '--config', 'scripts/config/eslint.config.mjs', 'registry', 'src', 'scripts'],
  },
  {
    // They run in browsers, whose globals the rest must not see.
    name: 'types of pages',
    command: [process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'src/reference/browser'],
  },
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
  { name: 'tests', command: [bin('vitest'), 'run', '--config', 'scripts/config/vitest.config.ts'] },
]

// The continuous integration has run `npm test` by itself just before.
const skipped = process.argv.includes('--without-tests') ? ['tests'] : []
let failures = 0

/** As many as the cores that the suite is planned for; each check keeps little more than one of them busy. */
const atOnce = 2
const waiting = checks.filter(({ name }) => !skipped.includes(name)).values()
await Promise.all(Array.from({ length: atOnce }, judgeInTurn))

console.log(failures === 0 ? 'All checks passed.' : `${failures} check(s) failed.`)
process.exitCode = failures === 0 ? 0 : 1

/** Whoever is free takes the next of those that wait. */
async function judgeInTurn(): Promise<void> {
  for (const check of waiting) await judge(check)
}

async function judge({ name, command }: Check): Promise<void> {
  const started = performance.now()
  const { code, output } = await run(command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${seconds.padStart(6)} s`)
  if (code === 0) return
  failures++
  console.log(output)
}

function run([file = '', ...args]: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((settle, reject) => {
    // The pinned Node comes first, also for tools that are started by their `#!` line.
    const path = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`
    // Half of what a short check takes is to compile itself.
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
