import { expect, test } from 'vitest'
import { toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { notifyOnce } from '../../src/payments/notify.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import { insertNotificationUnlessKnown, listNotifications } from '../../src/store/webhooks/notifications.ts'
import { useApi } from '../support/api.ts'
import { untilWaiting } from '../support/database-locks.ts'
import { openShop } from '../support/shop.ts'

const started = useApi()

test('if two concurrent transactions report the same problem, the merchant gets only one notification', async () => {
  const api = started()
  const { merchantId } = await openShop(api.context)
  const { database, clock } = api.context
  const notice = { kind: 'refund.amount_differs', data: { refundId: 'rfd_1' } } as const
  const inserted = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const first = bookkeep(database, async (trx) => {
    const nowMs = clock.nowMs()
    const notification = { merchantId, id: newId('ntf', nowMs), kind: notice.kind, endpointId: null }
    insertNotificationUnlessKnown(trx, { ...notification, data: JSON.stringify(notice.data), now: toTimestamp(nowMs) })
    // The queued statements are sent with the next read.
    await listNotifications(trx, { merchantId, limit: 10 })
    inserted.resolve()
    await released.promise
  })
  await inserted.promise
  const second = notifyOnce(api.context, merchantId, notice)
  await untilWaiting(api, 1)
  released.resolve()
  await Promise.all([first, second])
  expect(await listNotifications(database, { merchantId, limit: 10 })).toMatchObject([notice])
})
