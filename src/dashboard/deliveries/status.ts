import type { DeliveryStatus } from '../../store/tables/webhook.ts'
import type { Markup } from '../kit/markup.ts'
import { badge, type Tone } from '../kit/parts.ts'

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'active',
  succeeded: 'good',
  failed: 'bad',
  held: 'waiting',
  skipped: 'quiet',
}

/** Shows the status of a delivery. A failed delivery with a retry left is not final. */
export function deliveryStatus({
  status,
  nextAttemptAt,
}: {
  readonly status: DeliveryStatus
  readonly nextAttemptAt: string | null
}): Markup {
  if (status === 'failed' && nextAttemptAt !== null) return badge('retrying', 'waiting')
  return badge(status, tones[status])
}
