import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'

/** The delivery statuses that a bulk replay can repeat: those of completed deliveries. */
export type ReplayableStatus = 'failed' | 'skipped' | 'succeeded'

export type BulkReplayStatus = 'running' | 'done' | 'cancelled'

/** The columns of webhook_bulk_replays without the columns that the database generates. */
export interface BulkReplayColumns {
  merchantId: MerchantId
  id: BulkReplayId
  endpointId: EndpointId
  since: Timestamp
  until: Timestamp
  statuses: ReplayableStatus[]
  lastDeliveryId: DeliveryId | null
  createdAt: Timestamp
  completedAt: Timestamp | null
}
