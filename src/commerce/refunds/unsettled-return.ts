import type { Return } from '../../../registry/returns/return.ts'
import type { ReturnId } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../base/ids.ts'
import type { Work } from '../../store/core/mutation.ts'
import { resolveProblem } from '../../store/notifications/resolution.ts'
import { findReturn } from '../../store/returns/returns.ts'
import { insertNotification } from '../../store/webhooks/notifications.ts'

/**
 * Received returns for which the customer got no money. Each such return is reported by a notification, which the start
 * page shows until the return is refunded, exchanged or closed.
 */

const kind = 'return.unsettled'

/**
 * Notifies the merchant of a received return whose units were neither refunded nor exchanged. Does nothing for any
 * other return. Requires the order's lock.
 */
export function reportIfUnsettled({ trx, merchantId, nowMs, now }: Work, found: Return): void {
  if (!isUnsettled(found)) return
  const data = JSON.stringify({ returnId: found.id, orderId: found.orderId })
  insertNotification(trx, { merchantId, id: newId('ntf', nowMs), kind, endpointId: null, data, now })
}

export function isUnsettled(found: Return): boolean {
  return found.status === 'received' && found.exchangeOrderId === null && !isRefunded(found)
}

/**
 * Whether a received return is refunded. A return is refunded if each unit that came back is refunded, or if all
 * refunds name only an amount, because such an amount may be for all units.
 */
function isRefunded({ items, refundedKobo }: Return): boolean {
  if (refundedKobo === 0) return false
  const isMissing = items.some(
    ({ restockedQuantity, writtenOffQuantity, refundedQuantity }) =>
      refundedQuantity < restockedQuantity + writtenOffQuantity,
  )
  return !isMissing || items.every(({ refundedQuantity }) => refundedQuantity === 0)
}

/** Reports a received return whose only refund failed or was cancelled. Requires the order's lock. */
export async function reopenUnsettled(work: Work, id: ReturnId): Promise<void> {
  const found = await findReturn(work.trx, work.merchantId, id)
  if (found !== undefined) reportIfUnsettled(work, found)
}

/** Resolves the notification about an unsettled return, because the return is now refunded, exchanged or closed. */
export function resolveUnsettled({ trx, merchantId, now }: Work, id: ReturnId): void {
  resolveProblem(trx, { merchantId, kind, data: JSON.stringify({ returnId: id }), now })
}
