import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { Tone } from '../../markup/parts.ts'

export const refundTone: Readonly<Record<RefundStatus, Tone>> = {
  pending: 'waiting',
  processing: 'active',
  needs_attention: 'bad',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}
