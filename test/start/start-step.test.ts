import { expect, test } from 'vitest'
import { whenPermitted } from '../../src/app/start-step.ts'
import { openLog } from '../../src/base/log.ts'
import { recurringWorkOf } from '../../src/base/recurring-work.ts'

function stepOf(stop = new AbortController()) {
  const lines: { readonly work: string; readonly msg: string }[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const work = recurringWorkOf(log)
  return { lines, work, stop, step: { name: 'start.schema', work, stopping: stop.signal } as const }
}

/** A copy of the error that PostgreSQL sends when a role lacks a privilege. */
const privilegeMissing = Object.assign(new Error('permission denied for table settings'), { code: '42501' })

test('if a start step fails for a reason other than a missing privilege, the error is thrown at once, and nothing is logged', async () => {
  const { lines, work, step } = stepOf()
  const wrongKey = new Error('The key decrypts none of the stored secrets.')
  await expect(whenPermitted(step, () => Promise.reject(wrongKey))).rejects.toBe(wrongKey)
  expect(lines).toEqual([])
  expect(work.failing()).toEqual([])
})

test('a start step that lacks a database privilege is logged, and reported as failing until the process is stopped', async () => {
  const { lines, work, stop, step } = stepOf()
  const run = () => {
    stop.abort(new Error('A stop was requested.'))
    return Promise.reject(privilegeMissing)
  }
  await expect(whenPermitted(step, run)).rejects.toThrow('A stop was requested.')
  expect(lines).toMatchObject([
    { work: 'start.schema', msg: 'Recurring work failed. It is repeated until it succeeds.' },
  ])
  expect(work.failing()).toEqual(['start.schema'])
})

test('a start step that has failed is no longer reported as failing once the step succeeds', async () => {
  const { work, step } = stepOf()
  work.failed(step.name, privilegeMissing)
  expect(await whenPermitted(step, async () => 'opened')).toBe('opened')
  expect(work.failing()).toEqual([])
})
