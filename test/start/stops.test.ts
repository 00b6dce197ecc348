import { expect, test } from 'vitest'
import { openStops } from '../../src/app/stops.ts'
import { openLog, silentLog } from '../../src/base/log.ts'

const forever = new Promise<never>(() => undefined)

test('stopping the service stops each of its parts once, in reverse order of their addition, even if the stop is requested several times', async () => {
  const stopped: string[] = []
  const stops = openStops(silentLog, 25_000)
  for (const name of ['database', 'carriers', 'worker']) stops.add(async () => stopped.push(name))
  const first = stops.stop()
  await Promise.all([first, stops.stop()])
  await stops.stop()
  expect(stopped).toEqual(['worker', 'carriers', 'database'])
})

test('when the service stops, the parts of a group stop in parallel, and parts that were added before the group stop afterwards', async () => {
  const stopped: string[] = []
  const stops = openStops(silentLog, 25_000)
  stops.add(async () => stopped.push('database'))
  const add = stops.addGroup()
  const drained = Promise.withResolvers<void>()
  add(() => drained.promise.then(() => stopped.push('requests')))
  add(async () => {
    stopped.push('worker')
    drained.resolve()
  })
  await stops.stop()
  expect(stopped).toEqual(['worker', 'requests', 'database'])
})

test('if one part of the service fails to stop or takes too long, the error is logged and the other parts are still stopped', async () => {
  const lines: string[] = []
  const stopped: string[] = []
  const stops = openStops(openLog('info', { write: (line) => void lines.push(line) }), 20)
  stops.add(async () => stopped.push('database'))
  stops.add(() => Promise.reject(new Error('Rejected.')))
  stops.add(() => {
    throw new Error('Thrown.')
  })
  stops.add(() => forever)
  await stops.stop()
  expect(stopped).toEqual(['database'])
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual([
    'A part of the process did not stop within the time limit.',
    'Thrown.',
    'Rejected.',
  ])
})

test('a part of the service that is added after the stop began is stopped immediately', async () => {
  const stopped: string[] = []
  const stops = openStops(silentLog, 25_000)
  await stops.stop()
  stops.add(async () => stopped.push('late'))
  expect(stopped).toEqual(['late'])
})
