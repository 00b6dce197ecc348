import type { NotificationKind } from '../../registry/values/notifications.ts'
import type { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import type { Context } from '../../src/store/core/mutation.ts'
import { insertNotification } from '../../src/store/webhooks/notifications.ts'

export interface Given {
  readonly kind?: NotificationKind
  readonly data?: object
  readonly endpointId?: EndpointId
}

export async function notify(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  merchantId: MerchantId,
  { kind = 'payment.differences', data = { count: 1 }, endpointId }: Given = {},
): Promise<string> {
  const nowMs = clock.nowMs()
  const id = newId('ntf', nowMs)
  await bookkeep(database, async (trx) => {
    const row = { merchantId, id, kind, endpointId: endpointId ?? null, now: toTimestamp(nowMs) }
    insertNotification(trx, { ...row, data: JSON.stringify(data) })
  })
  return id
}
