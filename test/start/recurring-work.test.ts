import { expect, test } from 'vitest'
import { openLog } from '../../src/base/log.ts'
import { recurringWorkOf } from '../../src/base/recurring-work.ts'

function recorded() {
  const lines: { readonly work: string; readonly msg: string; readonly failures?: number }[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, log, work: recurringWorkOf(log) }
}

const fail = () => Promise.reject(new Error('The role lacks a privilege.'))

test('the log contains the first failure and the recovery of a recurring task, with the number of failed runs', async () => {
  const { lines, work } = recorded()
  for (let run = 0; run < 5; run++) await work.attempt('sweep.holdStrays', fail)
  await work.attempt('sweep.holdStrays', async () => undefined)
  await work.attempt('sweep.holdStrays', async () => undefined)
  expect(lines).toMatchObject([
    { work: 'sweep.holdStrays', msg: 'Recurring work failed. It is repeated until it succeeds.' },
    { work: 'sweep.holdStrays', msg: 'Recurring work succeeds again.', failures: 5 },
  ])
})

test('a recurring task is reported as failing until its own next run succeeds, even if other tasks succeed', async () => {
  const { work } = recorded()
  await work.attempt('job.seal_audit', fail)
  await work.attempt('job.expire_orders', async () => undefined)
  expect(work.failing()).toEqual(['job.seal_audit'])
  await expect(work.observe('job.seal_audit', fail)).rejects.toThrow('The role lacks a privilege.')
  expect(await work.observe('job.seal_audit', async () => 3)).toBe(3)
  expect(work.failing()).toEqual([])
})

test('two calls of recurringWorkOf with the same log share one list of failing recurring tasks', async () => {
  const { work, log } = recorded()
  await recurringWorkOf(log).attempt('wake_ups', fail)
  expect(work.failing()).toEqual(['wake_ups'])
})
