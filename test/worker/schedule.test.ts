import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import { expect, test } from 'vitest'
import { stoppedClock } from '../../src/base/clock.ts'
import { clockSet, scheduleOf } from '../../src/worker/schedule.ts'

const dayStartMs = Date.UTC(2026, 10, 28)

/** Returns the names of the recurring jobs that a worker with the given clock adds in 24 hours. */
function addedIn24Hours(clock: Parameters<typeof scheduleOf>[0]): Set<string> {
  const schedule = scheduleOf(clock)
  const minutes = Array.from({ length: 24 * 60 }, (_, minute) => new Date(dayStartMs + minute * 60_000))
  const added = minutes.flatMap((time) => {
    const fields = { min: time.getUTCMinutes(), hour: time.getUTCHours(), date: time.getUTCDate() }
    const runs = schedule.filter(({ match }) =>
      match({ ...fields, month: time.getUTCMonth() + 1, dow: time.getUTCDay() }),
    )
    return runs.map(({ task }) => task)
  })
  return new Set(added)
}

test('a worker adds every recurring job at least once a day', () => {
  const names = scheduleOf(stoppedClock(dayStartMs)).map(({ task }) => task)
  expect(addedIn24Hours(stoppedClock(dayStartMs))).toEqual(new Set(names))
})

test('a worker whose clock differs too much from the clock of the database adds no recurring jobs', () => {
  const compare = () => ({ nowMs: dayStartMs, skewMs: 25 * 60 * 60_000, isWithinLimit: false })
  expect(addedIn24Hours({ compare })).toEqual(new Set())
})

test.each([
  ['set back by an hour', 'cron:prematureTimer', -60 * 60_000],
  ['set forward by two months', 'cron:overdueTimer', 60 * 24 * 60 * 60_000],
] as const)('a worker whose clock was %s ends with an error, so that its restart schedules the recurring jobs anew', async (_, event, aheadMs) => {
  const events: WorkerEvents = new EventEmitter()
  const ended = clockSet(events)
  const timer = { currentTimestamp: dayStartMs + aheadMs, expectedTimestamp: dayStartMs }
  events.emit(event, Object.assign(Object.create(null), timer))
  await expect(ended).rejects.toThrow(`The clock of this process was set by ${aheadMs} ms`)
})

test('a worker continues after its clock was set forward by less than a day', async () => {
  const events: WorkerEvents = new EventEmitter()
  const ended = clockSet(events)
  const timer = { currentTimestamp: dayStartMs + 8 * 60 * 60_000, expectedTimestamp: dayStartMs }
  events.emit('cron:overdueTimer', Object.assign(Object.create(null), timer))
  await expect(Promise.race([ended, Promise.resolve('continues')])).resolves.toBe('continues')
})
