/** The words a refund's state is told in, and the moves between them. */

export const refundStatuses = ['pending', 'processing', 'needs_attention', 'succeeded', 'failed', 'cancelled'] as const

export type RefundStatus = (typeof refundStatuses)[number]

/**
 * The moves a refund can make. A provider may pass over a state, or tell of it too late, so every state under way leads to
 * every later one. Only a refund it was not yet asked for can be cancelled, and one that succeeded fails only when the
 * money comes back. The database refuses every other move.
 */
export const refundTransitions = {
  pending: ['processing', 'needs_attention', 'succeeded', 'failed', 'cancelled'],
  processing: ['needs_attention', 'succeeded', 'failed'],
  needs_attention: ['processing', 'succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
  cancelled: [],
} as const satisfies Record<RefundStatus, readonly RefundStatus[]>

/** Where a refund is while its money is on the way: it counts as gone, and may yet come back. */
export const refundsUnderWay: readonly RefundStatus[] = ['pending', 'processing', 'needs_attention']

export const refundDestinations = ['original_payment', 'bank_account', 'manual'] as const
export type RefundDestination = (typeof refundDestinations)[number]
