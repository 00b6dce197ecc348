import { html, type Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'
import type { DeliveryStatus } from '../../store/tables/values.ts'

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'active',
  succeeded: 'good',
  failed: 'bad',
  held: 'waiting',
  skipped: 'quiet',
}

/**
 * Shows the status of a delivery. A failed delivery with a retry left is not final. A failed delivery whose endpoint is
 * disabled has two badges: `failed`, and `held` because it waits for the endpoint.
 */
export function deliveryStatus({
  status,
  attemptCount,
  nextAttemptAt,
}: {
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly nextAttemptAt: string | null
}): Markup {
  if (status === 'held' && attemptCount > 0) return html`${badge('failed', tones.failed)} ${badge('held', tones.held)}`
  if (status === 'failed' && nextAttemptAt !== null) return badge('retrying', 'waiting')
  return badge(status, tones[status])
}
