import type { EndpointId, MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb, WriteTrx } from './database.ts'
import { build, reading, writing } from './statement.ts'

export type NotificationKind =
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.failing'
  | 'payment.not_recorded'
  | 'refund.contradicted'

export interface NewNotification {
  readonly merchantId: MerchantId
  readonly id: string
  readonly kind: NotificationKind
  /** Null when it is about no endpoint. */
  readonly endpointId: EndpointId | null
  /** JSON text of what the message needs. */
  readonly data: string
  readonly now: Timestamp
}

const insert = writing<NewNotification>()('insert_notification', (p) =>
  build.insertInto('notifications').values({
    merchant_id: p.merchantId,
    id: p.id,
    kind: p.kind,
    endpoint_id: p.endpointId,
    data: p.data,
    created_at: p.now,
  }),
)

const list = reading<{ merchantId: MerchantId; limit: number }>()('list_notifications', (p) =>
  build
    .selectFrom('notifications')
    .where('merchant_id', '=', p.merchantId)
    .select(['id', 'kind', 'endpoint_id as endpointId', 'data', 'created_at as createdAt', 'read_at as readAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)

export function insertNotification(trx: WriteTrx, notification: NewNotification): void {
  trx.queue(insert, notification)
}

/** Newest first. */
export function listNotifications(db: ReadDb, request: { merchantId: MerchantId; limit: number }) {
  return db.read(list, request)
}
