import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningDemo, startDemo } from '../../support/reference/demo.ts'
import { pasteEnvironment, pointedAt } from '../../support/reference/paste.ts'
import { blocksOf } from '../../support/reference/run-blocks.ts'

/**
 * Runs the programs of the guide about client libraries in a new folder, with the clients that a running service
 * serves. A language that is not installed is skipped.
 */

const run = promisify(execFile)

interface Language {
  readonly name: string
  /** Commands that succeed if the language and its checker are installed. */
  readonly requirements: readonly (readonly string[])[]
  readonly client: string
  readonly program: string
  /** The commands that check the types or the syntax of the client and of the program. */
  readonly checks: readonly (readonly string[])[]
  readonly start: readonly string[]
}

const languages: readonly Language[] = [
  {
    name: 'Python',
    // Debian installs httpx only for its own Python, /usr/bin/python3.
    requirements: [
      ['/usr/bin/python3', '-c', 'import httpx'],
      ['mypy', '--version'],
    ],
    client: 'commerce_service_client.py',
    program: 'refund.py',
    checks: [['mypy', '--strict', '--python-executable', '/usr/bin/python3', 'refund.py']],
    start: ['/usr/bin/python3', 'refund.py'],
  },
  {
    name: 'PHP',
    requirements: [['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);']],
    client: 'CommerceServiceClient.php',
    program: 'refund.php',
    checks: [
      ['php', '-l', 'CommerceServiceClient.php'],
      ['php', '-l', 'refund.php'],
    ],
    start: ['php', '-d', 'error_reporting=E_ALL', 'refund.php'],
  },
]

/** Timeout of the setup: the demo creates a database. */
const startMs = 120_000

/** Timeout of a program and its checks on a busy machine. The type check with mypy reads 10,000 lines. */
const programMs = 120_000

const guide = blocksOf(await readFile('registry/guides/client-libraries.md', 'utf8'))

let demo: RunningDemo
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-client-libraries-'))
  demo = await startDemo()
}, startMs)
afterAll(async () => {
  await demo.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.for(languages)('the client for $name', (language) => {
  test('the program of the guide passes the static checks of its language and lists orders, and two runs create only one refund', {
    timeout: programMs,
  }, async ({ skip }) => {
    skip(!(await isInstalled(language)), `${language.name} with its checker is not installed.`)
    const response = await fetch(`${demo.url}/docs/clients/${language.client}`)
    await writeFile(join(folder, language.client), await response.text())
    const code = guide.find(({ title }) => title === language.program)?.code ?? expect.fail('The guide has no program.')
    await writeFile(join(folder, language.program), pointedAt(code, demo.url))
    for (const check of language.checks) await runCommand(check)

    const lines = (await runCommand(language.start)).trimEnd().split('\n')
    const orders = lines.slice(0, -1)
    expect(orders).not.toEqual([])
    for (const line of orders) expect(line).toMatch(/^ORD-[0-9A-Z]{8} \d+$/)
    expect(lines.at(-1)).toMatch(/^succeeded \d+$/)
    // The second run sends the same idempotency key, so the refundable amount stays the same.
    expect((await runCommand(language.start)).trimEnd().split('\n').at(-1)).toBe(lines.at(-1))
  })

  test('an invalid token raises an error with the code of the error catalogue', {
    timeout: programMs,
  }, async ({ skip }) => {
    skip(!(await isInstalled(language)), `${language.name} with its checker is not installed.`)
    const code = guide.find(({ title }) => title === language.program)?.code ?? ''
    const withoutList = code.replace(/^(foreach|for) [^\n]*\n[^\n]*\n(?:\}\n)?/m, '')
    await writeFile(join(folder, language.program), pointedAt(withoutList, demo.url))
    expect(await runCommand(language.start, 'svc_test_wrong')).toBe('401 invalid_token\n')
  })
})

async function isInstalled({ requirements }: Language): Promise<boolean> {
  try {
    for (const [program = '', ...words] of requirements) await run(program, words)
    return true
  } catch {
    return false
  }
}

async function runCommand([program = '', ...words]: readonly string[], token = demo.token): Promise<string> {
  const { stdout, stderr } = await run(program, words, { cwd: folder, env: pasteEnvironment(token) })
  expect(stderr).toBe('')
  return stdout
}
