import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { openLog } from '../../src/base/log.ts'

const run = promisify(execFile)

function openMemory() {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  return { log, lines: () => lines.map((line): unknown => JSON.parse(line)) }
}

const lost = () => new Error('connect ECONNREFUSED 127.0.0.1:5432')

test('the log contains a repeated identical error at most once a second, with the number of repeats', () => {
  const { log, lines } = openMemory()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  try {
    for (let n = 0; n < 500; n++) log.error({ err: lost(), requestId: `req_${n}` }, 'request failed')
    clock.mockReturnValue(2_001)
    log.error({ err: lost(), requestId: 'req_last' }, 'request failed')
    log.error({ err: lost(), requestId: 'req_late' }, 'request failed')
  } finally {
    clock.mockRestore()
  }
  expect(lines()).toEqual([
    expect.objectContaining({ requestId: 'req_0' }),
    expect.objectContaining({ requestId: 'req_last', repeats: 499 }),
  ])
})

test('errors that differ in message, code or record id are logged immediately, without a limit on their rate', () => {
  const { log, lines } = openMemory()
  log.error({ err: lost(), refundId: 'rfd_1' }, 'A refund was not moved on.')
  log.error({ err: lost(), refundId: 'rfd_2' }, 'A refund was not moved on.')
  log.error({ err: new Error('another'), refundId: 'rfd_2' }, 'A refund was not moved on.')
  log.error({ err: Object.assign(lost(), { code: '57P03' }), refundId: 'rfd_2' }, 'A refund was not moved on.')
  expect(lines()).toHaveLength(4)
})

test('repeated log lines that report no error are all written', () => {
  const { log, lines } = openMemory()
  for (let n = 0; n < 3; n++) log.warn({ deliveries: 1 }, 'The deliveries of a dead worker were released.')
  expect(lines()).toHaveLength(3)
})

const script = '/usr/bin/script'

test.runIf(existsSync(script))('a process logs formatted text on a terminal, and JSON elsewhere', async () => {
  const module = JSON.stringify(new URL('../../src/base/log.ts', import.meta.url).href)
  const program = `import { openLog } from ${module}; openLog('info').warn({ endpointId: 'whe_1' }, 'Disabled.')`
  const words = ['--input-type=module', '--eval', program]
  // The command runs in a pseudo-terminal, which the program `script` provides.
  const command = [process.execPath, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const terminal = await run(script, ['-qec', command, '/dev/null'])
  expect(terminal.stdout).toMatch(/\d\d:\d\d:\d\d.*WARN.*Disabled\./)
  expect(terminal.stdout).not.toContain('{"level"')
  const piped = await run(process.execPath, words)
  expect(JSON.parse(piped.stderr)).toMatchObject({ level: 40, endpointId: 'whe_1', msg: 'Disabled.' })
})
