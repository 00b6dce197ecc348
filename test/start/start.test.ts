import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-start-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

const node: [string, string[]] = [process.execPath, ['src/main.ts']]

function start(environment: Record<string, string>, [program, words] = node): Started {
  const child = spawn(program, words, {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: new Promise((resolve) => child.on('exit', resolve)) }
}

async function greeting({ output }: Started, text: RegExp): Promise<string> {
  await expect.poll(output, { timeout: 55_000 }).toMatch(text)
  return output()
}

describe('npm start', () => {
  test('greets with two tokens and five lines that work as pasted, and a second start keeps the data', async () => {
    const first = start({})
    const text = await greeting(first, /\/track/)
    const lines = text.split('\n').filter((line) => /^(curl|\(c=|s=)/.test(line))
    expect(lines).toHaveLength(5)
    const [dispatch, track] = lines.splice(3)
    const [newest = '', every = '', refund = '', tracked = ''] = await Promise.all(
      // Pasted one after the other into the same shell.
      [...lines, `${dispatch}\n${track}`].map(async (line) => (await run('sh', ['-c', line])).stdout),
    )
    expect(JSON.parse(tracked)).toMatchObject({ status: 'awaiting_courier', live: false })
    expect(JSON.parse(newest).data).toHaveLength(3)
    const numbers = every.trim().split('\n')
    expect(numbers).toHaveLength(60)
    expect(new Set(numbers).size).toBe(60)
    expect(JSON.parse(refund)).toMatchObject({ amountKobo: 100_000, status: 'succeeded' })
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)

    // As a supervisor runs it, which knows no other process than npm's.
    const second = start({}, ['npm', ['start']])
    const again = await greeting(second, /listening on (\S+)/)
    expect(again).not.toContain('svc_')
    const url = /listening on (\S+),/.exec(again)?.[1]
    const token = /svc_live_\w+/.exec(text)?.[0]
    const response = await fetch(`${url}/refunds`, { headers: { Authorization: `Bearer ${token}` } })
    expect(JSON.parse(await response.text()).data).toEqual([JSON.parse(refund)])
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    await expect(fetch(`${url}/refunds`)).rejects.toThrow('fetch failed')
  })
})

describe('one clear line and an exit code that is not 0', () => {
  const failures: [string, () => Promise<Record<string, string>>, RegExp][] = [
    [
      'a database that cannot be reached',
      async () => ({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' }),
      /^The database cannot be reached: .*Check DATABASE_URL\.\n$/,
    ],
    [
      'a data folder that cannot be written',
      async () => {
        await writeFile(join(folder, 'file'), '')
        return { DATA_DIR: join(folder, 'file', 'data') }
      },
      /^The embedded PostgreSQL cannot use .*\n$/,
    ],
    ['a setting that is none', async () => ({ PORT: 'eighty' }), /^Configuration: PORT must be a whole number\.\n$/],
  ]

  test.each(failures)('%s', async (_, environment, line) => {
    const failed = start(await environment())
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toMatch(line)
  })

  test('a port in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const failed = start({ PORT: String(port) })
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toBe('The port is taken by another program. Set PORT to a free one.\n')
    taken.close()
  })
})
