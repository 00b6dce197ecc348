import { expect, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { markAllNotificationsRead, markNotificationRead } from '../../src/notifications/mark-read.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import { listMemberNotifications } from '../../src/store/notifications/member-notifications.ts'
import { countUnread } from '../../src/store/notifications/unread.ts'
import { moveTimesBack } from '../../src/store/test-clock/move-times.ts'
import { startAdvance, takeStep } from '../../src/store/test-clock/test-clocks.ts'
import { openPeople } from '../access/members/people.ts'
import { useDatabase } from '../support/database.ts'
import { notify } from '../support/notify.ts'

const opened = useDatabase()

const hourMs = 60 * 60 * 1000

async function openTeam() {
  const people = openPeople(opened())
  const merchantId = await people.merchant()
  const owner = await people.join(merchantId)
  const viewer = await people.join(merchantId, 'viewer')
  const list = (member: typeof owner, isUnreadOnly = false) =>
    listMemberNotifications(
      opened().database,
      { merchantId, memberId: member.memberId },
      { limit: 100, state: isUnreadOnly ? 'unread' : 'all' },
    )
  const unread = async (member: typeof owner) => (await people.session(member.sessionToken)).unreadNotifications
  return { ...people, merchantId, owner, viewer, list, unread }
}

test('a notification that one member marks as read stays unread for other members', async () => {
  const { context, merchantId, owner, viewer, list, unread } = await openTeam()
  const id = await notify(context, merchantId)
  expect([await unread(owner), await unread(viewer)]).toEqual([1, 1])
  const outcome = await markNotificationRead(context, { merchantId, memberId: viewer.memberId }, id)
  expect(outcome).toEqual({ is: 'marked' })
  expect([await unread(owner), await unread(viewer)]).toEqual([1, 0])
  expect(await list(viewer)).toMatchObject([{ id, isRead: true }])
  expect(await list(owner)).toMatchObject([{ id, isRead: false }])
  expect([(await list(owner, true)).length, (await list(viewer, true)).length]).toEqual([1, 0])
})

test('marking a notification as read changes nothing if the notification is already read', async () => {
  const { context, clock, merchantId, owner, unread } = await openTeam()
  const reader = { merchantId, memberId: owner.memberId }
  const id = await notify(context, merchantId)
  await markNotificationRead(context, reader, id)
  await markNotificationRead(context, reader, id)
  await markAllNotificationsRead(context, reader)
  clock.advance(2 * hourMs)
  await markAllNotificationsRead(context, reader)
  expect(await markNotificationRead(context, reader, id)).toEqual({ is: 'marked' })
  expect(await unread(owner)).toBe(0)
})

test('after all notifications are marked as read, a later notification is unread, even if its transaction began earlier', async () => {
  const { context, clock, merchantId, owner, list, unread } = await openTeam()
  const reader = { merchantId, memberId: owner.memberId }
  for (let count = 0; count < 3; count++) {
    await notify(context, merchantId)
    clock.advance(hourMs)
  }
  await markAllNotificationsRead(context, reader)
  expect(await unread(owner)).toBe(0)
  const earlier = { nowMs: () => clock.nowMs() - 15_000 }
  const late = await notify({ ...context, clock: earlier }, merchantId)
  expect(await list(owner, true)).toMatchObject([{ id: late }])
  expect(await unread(owner)).toBe(1)
})

test('an advance of the test clock makes no unread notification read', async () => {
  const { context, clock, owner } = await openTeam()
  const merchantId = owner.signedIn.session.selected?.testMerchantId
  if (merchantId === undefined) throw new Error('The member has no merchant.')
  const reader = { merchantId, memberId: owner.memberId }
  const unread = async () => [
    await countUnread(context.database, reader),
    (await listMemberNotifications(context.database, reader, { limit: 100, state: 'unread' })).map(({ id }) => id),
    (await listMemberNotifications(context.database, reader, { limit: 100, state: 'all' })).map(({ isRead }) => isRead),
  ]
  clock.advance(hourMs)
  const id = await notify(context, merchantId)
  expect(await unread()).toEqual([1, [id], [false]])
  const spanMs = 2 * 24 * hourMs
  await bookkeep(context.database, async (trx) => {
    await startAdvance(trx, { merchantId, spanMs })
    await takeStep(trx, { merchantId, seenSteps: 0, stepMs: spanMs })
    moveTimesBack(trx, { merchantId, spanMs }, { references: [] })
  })
  expect(await unread()).toEqual([1, [id], [false]])
  await markAllNotificationsRead(context, reader)
  expect(await unread()).toEqual([0, [], [true]])
})

test('two concurrent calls that mark all notifications as read both succeed', async () => {
  const { context, clock, merchantId, owner, unread } = await openTeam()
  const reader = { merchantId, memberId: owner.memberId }
  for (let count = 0; count < 10; count++) {
    await notify(context, merchantId)
    clock.advance(hourMs / 5)
  }
  await Promise.all(Array.from({ length: 4 }, () => markAllNotificationsRead(context, reader)))
  expect(await unread(owner)).toBe(0)
})

test('a member’s number of unread notifications does not include notifications from before the member joined the merchant', async () => {
  const { context, clock, merchantId, join, unread } = await openTeam()
  await notify(context, merchantId)
  clock.advance(1)
  const late = await join(merchantId)
  expect(await unread(late)).toBe(0)
  await notify(context, merchantId)
  expect(await unread(late)).toBe(1)
})

test('a notification of another merchant is not found', async () => {
  const { context, merchantId, owner, merchant } = await openTeam()
  const foreign = await notify(context, await merchant())
  const reader = { merchantId, memberId: owner.memberId }
  expect(await markNotificationRead(context, reader, foreign)).toEqual({ is: 'unknown' })
  const { rowCount } = await opened().database.pool.query('select from notification_reads where notification_id = $1', [
    foreign,
  ])
  expect(rowCount).toBe(0)
})

test('the service reports at most 100 unread notifications, even if more notifications are unread', async () => {
  const { context, clock, merchantId, owner, unread } = await openTeam()
  await opened().database.pool.query(
    `insert into notifications (merchant_id, id, kind, created_at)
     select $1, 'ntf_' || lpad(number::text, 26, '0'), 'payment.differences', $2 from generate_series(1, 250) as number`,
    [merchantId, toTimestamp(clock.nowMs())],
  )
  expect(await unread(owner)).toBe(100)
  await markAllNotificationsRead(context, { merchantId, memberId: owner.memberId })
  expect(await unread(owner)).toBe(0)
})
