import { expect, onTestFinished, test, vi } from 'vitest'
import { openLog, silentLog } from '../../src/base/log.ts'
import { type CheckResult, failed, passed, warned } from '../../src/management/check.ts'
import { openHealth } from '../../src/management/health.ts'
import { waitFor } from '../support/wait-for.ts'

function openStartedHealth(log = silentLog) {
  const health = openHealth(log)
  onTestFinished(health.stop)
  health.markStarted()
  return health
}

/** A health check whose result the test sets. */
function settable(first: CheckResult) {
  const state = { result: first }
  return { state, check: { name: 'database' as const, everyMs: 1, run: async () => state.result } }
}

test('a process is not ready before its start has completed and every check has passed', async () => {
  const health = openHealth(silentLog)
  onTestFinished(health.stop)
  const opening = Promise.withResolvers<CheckResult>()
  health.add({ name: 'database', everyMs: 1_000, run: () => opening.promise })
  expect(health.readiness()).toEqual({
    status: 'not_ready',
    checks: [
      { name: 'process', status: 'failed', detail: 'The process is starting.' },
      { name: 'database', status: 'failed', detail: 'The health check has not run yet.' },
    ],
  })
  health.markStarted()
  expect(health.readiness().status).toBe('not_ready')
  opening.resolve(passed)
  await waitFor(() => expect(health.readiness().status).toBe('ready'))
})

test('a process is not ready while a health check fails, and is ready while the check passes or only warns', async () => {
  const health = openStartedHealth()
  const { state, check } = settable(passed)
  health.add(check)
  await waitFor(() => expect(health.readiness().status).toBe('ready'))
  state.result = failed('Gone.')
  await waitFor(() => expect(health.readiness().status).toBe('not_ready'))
  state.result = warned('Slow.')
  await waitFor(() =>
    expect(health.readiness()).toEqual({
      status: 'ready',
      checks: [
        { name: 'process', status: 'ok' },
        { name: 'database', status: 'warning', detail: 'Slow.' },
      ],
    }),
  )
})

test('a failed health check whose interval is an hour is repeated within a minute', async () => {
  const health = openStartedHealth()
  const results = [failed('Gone.'), passed]
  health.add({ name: 'schema', everyMs: 3_600_000, run: async () => results.shift() ?? passed })
  await waitFor(() => expect(health.readiness().status).toBe('ready'), { timeout: 60_000 })
  expect(results).toEqual([])
})

test('an error of a health check is logged, and the readiness response does not contain its message', async () => {
  const lines: string[] = []
  const health = openStartedHealth(openLog('info', { write: (line) => void lines.push(line) }))
  const run = async () => {
    throw new Error('role shop at 10.0.0.7')
  }
  health.add({ name: 'database', everyMs: 1, run })
  const isLogged = () => lines.some((line) => line.includes('10.0.0.7'))
  await waitFor(() => expect(isLogged()).toBe(true))
  expect(health.readiness().status).toBe('not_ready')
  expect(JSON.stringify(health.readiness())).not.toContain('10.0.0.7')
})

test('a health check that does not end makes the process not ready, and is not started a second time', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const health = openStartedHealth()
  let runs = 0
  health.add({
    name: 'database',
    everyMs: 1,
    run: () => {
      runs++
      return new Promise(() => undefined)
    },
  })
  await vi.advanceTimersByTimeAsync(60_000)
  const [, database] = health.readiness().checks
  expect(database).toEqual({ name: 'database', status: 'failed', detail: 'The health check had no result within 3 s.' })
  expect(runs).toBe(1)
})

test('a health check that only warns leaves the process ready, even if the check never ends', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const health = openStartedHealth()
  const run = () => new Promise<never>(() => undefined)
  health.add({ name: 'deliveries', everyMs: 1, withoutResult: 'warned', run })
  await vi.advanceTimersByTimeAsync(4_000)
  const late = { name: 'deliveries', status: 'warning' }
  expect(health.readiness().checks[1]).toEqual({ ...late, detail: 'The health check had no result within 3 s.' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(health.readiness()).toMatchObject({ status: 'ready', checks: [{}, late] })
})

test('a process that is stopping is live but not ready, even if a check passes or the start completes later', async () => {
  const health = openHealth(silentLog)
  onTestFinished(health.stop)
  health.add(settable(passed).check)
  health.markDraining()
  health.markStarted()
  await waitFor(() => expect(health.readiness().checks[1]).toEqual({ name: 'database', status: 'ok' }))
  expect(health.readiness().status).toBe('not_ready')
  expect(health.isLive()).toBe(true)
})

test('a process is neither ready nor live when one of its parts has ended unexpectedly', () => {
  const health = openStartedHealth()
  expect([health.readiness().status, health.isLive()]).toEqual(['ready', true])
  health.markEnded()
  expect([health.readiness().status, health.isLive()]).toEqual(['not_ready', false])
})
