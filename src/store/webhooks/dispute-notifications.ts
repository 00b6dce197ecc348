import { sql } from 'kysely'
import { queueing } from '../core/calls.ts'
import type { NewNotification } from './notifications.ts'

interface AttachedNotification extends NewNotification {
  /** JSON text of the fields that identify the dispute in the notification's data. */
  readonly dispute: string
}

/**
 * Adds fields to the data of a dispute's notification of the given kind, even if this notification is resolved. If the
 * dispute has no notification of this kind, inserts one.
 */
export const attachDisputeNotification = queueing<AttachedNotification>()(
  'attach_dispute_notification',
  (p) => sql`
    with known as (
      update notifications
      set data = data || ${p.data}::jsonb
      where merchant_id = ${p.merchantId} and kind = ${p.kind} and data @> ${p.dispute}::jsonb
      returning id
    )
    insert into notifications (merchant_id, id, kind, endpoint_id, data, created_at)
    select ${p.merchantId}, ${p.id}, ${p.kind}, ${p.endpointId}, ${p.data}::jsonb, ${p.now}::timestamptz
    where not exists (select from known)`,
)
