export const refundStatuses = ['pending', 'processing', 'needs_attention', 'succeeded', 'failed', 'cancelled'] as const

export type RefundStatus = (typeof refundStatuses)[number]

/**
 * Allowed status transitions of a refund. A provider may skip a status or report it late, so each status in progress
 * allows every later status. A refund can be cancelled only before its submission to the provider, and a succeeded
 * refund fails only if its payout to the customer is returned. The database rejects every other transition.
 */
export const refundTransitions = {
  pending: ['processing', 'needs_attention', 'succeeded', 'failed', 'cancelled'],
  processing: ['needs_attention', 'succeeded', 'failed'],
  needs_attention: ['processing', 'succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
  cancelled: [],
} as const satisfies Record<RefundStatus, readonly RefundStatus[]>

/** Statuses of a refund in progress. The amount of such a refund cannot be refunded again, unless the refund fails. */
export const refundsUnderWay: readonly RefundStatus[] = ['pending', 'processing', 'needs_attention']

export const refundDestinations = ['original_payment', 'bank_account', 'manual'] as const
export type RefundDestination = (typeof refundDestinations)[number]
