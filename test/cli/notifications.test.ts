import { expect, test, vi } from 'vitest'
import type { stoppedClock } from '../../src/base/clock.ts'
import { openPeople } from '../access/members/people.ts'
import { useDatabase } from '../support/database.ts'
import { notify } from '../support/notify.ts'
import { commerce, commerceJson } from './commerce.ts'

// A long timeout: each test starts several processes one after the other, while other tests run.
vi.setConfig({ testTimeout: 240_000 })

/** Advances the clock before each notification, because notifications of the same millisecond have a random order. */
function distinctTimes(clock: ReturnType<typeof stoppedClock>) {
  const nowMs = () => {
    clock.advance(1)
    return clock.nowMs()
  }
  return { nowMs }
}

const opened = useDatabase()
const run = (...words: string[]) => commerceJson(opened().connectionString, ...words)
const fail = (...words: string[]) => commerce(opened().connectionString, ...words)

test('the command `notification read` marks notifications as read for one member, and `notification list --unread` then omits them', async () => {
  const people = openPeople(opened())
  const context = { ...people.context, clock: distinctTimes(people.clock) }
  const merchantId = await people.merchant()
  const [owner, viewer] = [await people.join(merchantId), await people.join(merchantId, 'viewer')]
  const [first, second] = [await notify(context, merchantId), await notify(context, merchantId)]
  const merchant = ['--merchant', merchantId]
  const unread = (member: string) => run('notification', 'list', ...merchant, '--unread', '--member', member)
  await run('notification', 'read', ...merchant, '--member', owner.email, '--id', first)
  expect(await unread(owner.email)).toMatchObject([{ id: second, isRead: false, title: expect.any(String) }])
  await run('notification', 'read', ...merchant, '--member', viewer.memberId, '--all')
  expect(await unread(viewer.memberId)).toEqual([])
  expect(await unread(owner.email)).toHaveLength(1)
  expect(await run('notification', 'list', ...merchant)).toMatchObject([
    { id: second, text: expect.stringContaining('new differences'), next: expect.stringContaining('reconcile') },
    { id: first },
  ])
})

test('the command `notification read` fails for an unknown member, for an unknown notification, and without --id or --all', async () => {
  const people = openPeople(opened())
  const merchantId = await people.merchant()
  const { email } = await people.join(merchantId)
  const foreign = await notify(people.context, await people.merchant())
  const read = (...words: string[]) => fail('notification', 'read', '--merchant', merchantId, ...words)
  expect(await read('--member', 'unknown@example.com', '--all')).toMatchObject({ code: 1 })
  const unknown = await read('--member', email, '--id', foreign)
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(`no notification ${foreign}`) })
  expect(await read('--member', email)).toMatchObject({ code: 2, stderr: expect.stringContaining('--id or --all') })
  const list = await fail('notification', 'list', '--merchant', merchantId, '--unread')
  expect(list).toMatchObject({ code: 2, stderr: expect.stringContaining('--unread requires --member') })
  const both = await fail('notification', 'list', '--merchant', merchantId, '--unread', '--open', '--member', email)
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('either --unread or --open') })
})

test('the command `notification list --open` shows the notifications whose problem is not resolved', async () => {
  const people = openPeople(opened())
  const context = { ...people.context, clock: distinctTimes(people.clock) }
  const merchantId = await people.merchant()
  const { email } = await people.join(merchantId)
  const [resolved, open] = [
    await notify(context, merchantId, { kind: 'payment.not_recorded' }),
    await notify(context, merchantId, { kind: 'payment.not_recorded' }),
  ]
  await notify(context, merchantId, { kind: 'webhook_endpoint.failing' })
  await run('notification', 'resolve', '--merchant', merchantId, '--id', resolved)
  const list = ['notification', 'list', '--merchant', merchantId, '--open']
  const problem = { id: open, isOpen: true, resolvedAt: null }
  expect(await run(...list)).toMatchObject([problem])
  expect(await run(...list, '--member', email)).toMatchObject([{ ...problem, isRead: false }])
})

test('the command `notification resolve` resolves a problem for all members, and prints the outcome `unchanged` if the problem was already resolved', async () => {
  const people = openPeople(opened())
  const context = { ...people.context, clock: distinctTimes(people.clock) }
  const merchantId = await people.merchant()
  const [id, event] = [
    await notify(context, merchantId, { kind: 'payment.not_recorded' }),
    await notify(context, merchantId, { kind: 'webhook_endpoint.failing' }),
  ]
  const resolve = (each: string) => ['notification', 'resolve', '--merchant', merchantId, '--id', each]
  expect(await run(...resolve(id))).toEqual({ id, outcome: 'resolved' })
  expect(await run(...resolve(id))).toEqual({ id, outcome: 'unchanged' })
  expect(await fail(...resolve(event))).toMatchObject({ code: 1, stderr: expect.stringContaining(event) })
  expect(await run('notification', 'list', '--merchant', merchantId)).toMatchObject([
    { id: event, resolvedAt: null },
    { id, resolvedAt: expect.any(String) },
  ])
})
