import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { insertAudit, resourcesText } from '../store/core/audit.ts'
import type { WriteTrx } from '../store/core/database.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { insertNotification, insertNotificationOnce } from '../store/webhooks/notifications.ts'
import type { EndpointState } from './reduce.ts'

/**
 * Minimum time between two warnings for an endpoint, so that a receiver that alternately fails and recovers causes at
 * most one a day.
 */
const warnedForMs = 24 * 60 * 60 * 1000

/** Notifies the merchant that an endpoint is failing (after three failures in a row) or was disabled (after six). */
export function notifyEndpointChange(
  trx: WriteTrx,
  { merchantId, endpointId, finishedAt: now }: EndpointKey & { readonly finishedAt: Timestamp },
  change: 'warn_merchant' | 'notify_disabled',
  { consecutiveFailures }: EndpointState,
): void {
  const nowMs = toMs(now)
  const notification = { merchantId, id: newId('ntf', nowMs), endpointId, now }
  if (change === 'warn_merchant') {
    const data = JSON.stringify({ consecutiveFailures })
    const since = toTimestamp(nowMs - warnedForMs)
    insertNotificationOnce(trx, { ...notification, kind: 'webhook_endpoint.failing', data, since })
    return
  }
  const data = JSON.stringify({ reason: 'consecutive_failures', consecutiveFailures })
  insertNotification(trx, { ...notification, kind: 'webhook_endpoint.disabled', data })
  insertAudit(trx, {
    merchantId,
    auditId: newId('aud', nowMs),
    now,
    actorType: 'system',
    actorId: null,
    actorLabel: 'worker',
    action: 'webhook_endpoint.disable',
    resourceType: 'webhook_endpoint',
    resourceId: endpointId,
    resources: resourcesText([endpointId, notification.id]),
    requestId: null,
    sessionId: null,
    sourceIp: null,
    userAgent: null,
    changes: JSON.stringify({
      status: ['enabled', 'disabled'],
      disabledReason: [null, 'consecutive_failures'],
      consecutiveFailures: [consecutiveFailures - 1, consecutiveFailures],
    }),
  })
}
