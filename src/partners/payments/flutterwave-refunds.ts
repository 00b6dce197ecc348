import { z } from 'zod'
import { ErrorText } from './api-calls.ts'
import { FlutterwaveAmount, FlutterwaveId, flutterwaveRefundStatus } from './flutterwave-values.ts'
import type { RefundReport } from './provider.ts'
import { refundIdIn } from './refund-note.ts'

/**
 * Refunds as Flutterwave reports them. The names of the fields depend on the endpoint. The response to the creation of
 * a refund uses other names than the list of refunds. In callbacks, the names start with a capital letter.
 */

/**
 * The metadata of a refund, which Flutterwave sends as an object or as JSON text. `disburse_status` is the status of
 * the payout of the refund.
 */
const RefundMeta = z.object({ disburse_status: z.string().optional().catch(undefined) })

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Refund = z.object({
  id: FlutterwaveId,
  status: z.string().catch(''),
  meta: z
    .union([RefundMeta, z.string().transform(parsedJson).pipe(RefundMeta)])
    .nullish()
    .catch(null),
  amount_refunded: FlutterwaveAmount,
  AmountRefunded: FlutterwaveAmount,
  comment: ErrorText.nullish().catch(null),
  comments: ErrorText.nullish().catch(null),
  transaction_id: FlutterwaveId.optional().catch(undefined),
  tx_id: FlutterwaveId.optional().catch(undefined),
  TransactionId: FlutterwaveId.optional().catch(undefined),
})

export interface FlutterwaveRefund extends RefundReport {
  readonly refundId: ReturnType<typeof refundIdIn>
  /** Flutterwave's own id of the refunded transaction. */
  readonly transactionId: string | undefined
}

/** Returns undefined if the id of the refund cannot be parsed. */
export function readFlutterwaveRefund(data: unknown): FlutterwaveRefund | undefined {
  const read = Refund.safeParse(data).data
  if (read === undefined) return undefined
  return {
    reference: read.id,
    status: flutterwaveRefundStatus(read.status, read.meta?.disburse_status),
    amountKobo: read.amount_refunded ?? read.AmountRefunded,
    expectedAt: null,
    reason: null,
    refundId: refundIdIn(read.comment ?? read.comments),
    transactionId: read.transaction_id ?? read.tx_id ?? read.TransactionId,
  }
}

export function flutterwaveRefundReport(data: unknown): RefundReport | undefined {
  const read = readFlutterwaveRefund(data)
  if (read === undefined) return undefined
  const { refundId: _, transactionId: __, ...report } = read
  return report
}
