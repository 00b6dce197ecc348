import { expect, test } from 'vitest'
import { leavable } from '../../src/logistics/leavable.ts'

test('what is not left gives its result', async () => {
  expect(await leavable<string, number>(async () => 'done')).toBe('done')
})

test('what is left gives the reason, and nothing behind it happens', async () => {
  const steps: string[] = []
  const outcome = await leavable<string, number>(async (leave) => {
    steps.push('before')
    leave(7)
    steps.push('behind')
    return 'done'
  })
  expect([outcome, steps]).toEqual([7, ['before']])
})

test('the reason travels through what it leaves as something thrown, so that a transaction rolls back', async () => {
  let thrown: unknown
  const outcome = await leavable<string, number>(async (leave) => {
    try {
      return leave(7)
    } catch (error) {
      thrown = error
      throw error
    }
  })
  expect(outcome).toBe(7)
  expect(thrown).toBeInstanceOf(Error)
})

test('a fault stays a fault, even behind a reason that somebody has swallowed', async () => {
  const failing = leavable<string, number>(async (leave) => {
    try {
      leave(7)
    } catch {
      throw new Error('a fault')
    }
    return 'done'
  })
  await expect(failing).rejects.toThrow('a fault')
})

test('of two, the inner one does not take the reason of the outer one for its own', async () => {
  const outcome = await leavable<string, string>(async (leaveOuter) => {
    await leavable<string, string>(async () => leaveOuter('outer'))
    return 'done'
  })
  expect(outcome).toBe('outer')
})
