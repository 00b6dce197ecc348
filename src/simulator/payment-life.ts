import { testPaymentSteps } from '../../registry/service/test-payments.ts'
import { toMs } from '../base/clock.ts'
import type { SimulatedRefund } from '../store/simulator/simulated-payments.ts'

/** The status of a simulated refund, in Paystack's terms. */
export type SimulatedRefundStatus = 'pending' | 'processing' | 'needs-attention' | 'processed' | 'failed'

type Life = Pick<SimulatedRefund, 'behaviour' | 'createdAt' | 'detailsAt' | 'stepMs'>

/**
 * Returns the statuses of a simulated refund with their times, including future statuses. The first status starts at
 * the creation of the refund.
 */
export function refundLife(refund: Life): readonly { readonly status: SimulatedRefundStatus; readonly atMs: number }[] {
  const startMs = toMs(refund.createdAt)
  const after = (steps: number) => startMs + steps * refund.stepMs
  const { refundProcessing, refundEnds, refundContradicted } = testPaymentSteps
  const begun = { status: 'pending', atMs: startMs } as const
  if (refund.behaviour === 'refund_needs_attention' || refund.behaviour === 'dispute_lost_during_refund') {
    const stopped = { status: 'needs-attention', atMs: after(refundProcessing) } as const
    if (refund.detailsAt === null) return [begun, stopped]
    const detailsMs = toMs(refund.detailsAt)
    return [
      begun,
      stopped,
      { status: 'processing', atMs: detailsMs },
      { status: 'processed', atMs: detailsMs + refund.stepMs },
    ]
  }
  const processing = { status: 'processing', atMs: after(refundProcessing) } as const
  const ended = (status: 'failed' | 'processed', steps: number) => ({ status, atMs: after(steps) })
  switch (refund.behaviour) {
    case 'refund_fails':
      return [begun, processing, ended('failed', refundEnds)]
    case 'refund_contradicted':
      return [begun, processing, ended('failed', refundEnds), ended('processed', refundContradicted)]
    default:
      return [begun, processing, ended('processed', refundEnds)]
  }
}

export function refundStatusAt(refund: Life, nowMs: number): SimulatedRefundStatus {
  return refundLife(refund).findLast(({ atMs }) => atMs <= nowMs)?.status ?? 'pending'
}
