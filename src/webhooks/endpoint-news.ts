import type { Timestamp } from '../../registry/vocabulary.ts'
import { toMs } from '../clock.ts'
import { newId } from '../ids.ts'
import { insertAudit } from '../store/audit.ts'
import type { WriteTrx } from '../store/database.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import { insertNotification } from '../store/notifications.ts'
import type { EndpointState } from './reduce.ts'

/** What a merchant is told of an endpoint that fails: a warning half of the way, and that it was disabled. */
export function tellEndpoint(
  trx: WriteTrx,
  { merchantId, endpointId, finishedAt: now }: EndpointKey & { readonly finishedAt: Timestamp },
  news: 'warn_merchant' | 'tell_disabled',
  { consecutiveFailures }: EndpointState,
): void {
  const nowMs = toMs(now)
  const isDisabled = news === 'tell_disabled'
  insertNotification(trx, {
    merchantId,
    id: newId('ntf', nowMs),
    kind: isDisabled ? 'webhook_endpoint.disabled' : 'webhook_endpoint.failing',
    endpointId,
    data: JSON.stringify(
      isDisabled ? { reason: 'consecutive_failures', consecutiveFailures } : { consecutiveFailures },
    ),
    now,
  })
  if (!isDisabled) return
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
    requestId: null,
    sourceIp: null,
    userAgent: null,
    changes: JSON.stringify({
      status: ['enabled', 'disabled'],
      disabledReason: [null, 'consecutive_failures'],
      consecutiveFailures: [consecutiveFailures - 1, consecutiveFailures],
    }),
  })
}
