import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { Tone } from '../../markup/parts.ts'

export const returnTone: Readonly<Record<ReturnStatus, Tone>> = {
  requested: 'waiting',
  approved: 'active',
  in_transit: 'active',
  received: 'good',
  closed: 'quiet',
  rejected: 'quiet',
}
