import { expect, test } from 'vitest'
import { type Observation, readinessFaults } from '../../../scripts/faults/matrix/readiness.ts'

/** The fault matrix must detect a process whose health probes report a wrong readiness. */

const observed = (role: Observation['role'], atMs: number, isReady: boolean | undefined): Observation => ({
  role,
  atMs,
  isReady,
  isLive: isReady === undefined ? undefined : true,
  detail: 'database: Gone.',
})

const faultsOf = (observations: readonly Observation[], restarts: readonly Observation['role'][] = []) =>
  readinessFaults({ observations, expected: { api: 'not_ready', worker: 'ready' }, restarts, appliedMs: 100 })

const truth = [observed('api', 50, true), observed('api', 150, false), observed('worker', 150, true)]

test('the readiness check of the fault tests accepts that affected processes are not ready and that other processes stay ready', () => {
  expect(faultsOf(truth)).toEqual([])
})

test('the check of readiness under faults reports a process that stays ready although the fault affects the process', () => {
  const [early, , other] = truth
  const before = observed('api', 80, false)
  expect(faultsOf([early, before, observed('api', 150, true), other].filter((each) => each !== undefined))).toEqual([
    'The api process was ready during the fault.',
  ])
})

test.each([
  false,
  undefined,
])('the check of readiness under faults reports a problem if a process that the fault does not affect has the readiness %s', (isReady) => {
  expect(faultsOf([...truth, observed('worker', 160, isReady)])).toEqual([
    'The worker process was not ready (database: Gone.), and the fault does not concern it.',
  ])
})

test('during a fault, the check of readiness reports a process that is not live, unless the fault restarts this process', () => {
  const dead = [...truth, { ...observed('api', 170, false), isLive: false }]
  expect(faultsOf(dead)).toEqual(['The api process reported that it is not live: database: Gone.'])
  expect(faultsOf(dead, ['api'])).toEqual([])
})
