import { z } from 'zod'
import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { FlutterwaveAmount, FlutterwaveId, FlutterwaveReference } from './flutterwave-values.ts'
import { providerMoment } from './moment.ts'
import type { PaymentReport } from './provider.ts'

/** A charge as Flutterwave reports it in callbacks, verifications and its list of transactions. */

const Charge = z.object({
  id: FlutterwaveId.nullable().catch(null),
  tx_ref: FlutterwaveReference.nullable().catch(null),
  status: z.string().catch(''),
  // The amount that the merchant requested. `charged_amount` also contains a fee that the payer bears.
  amount: FlutterwaveAmount,
  currency: z.string().optional().catch(undefined),
  payment_type: z.string().catch(''),
  created_at: z.string().nullish().catch(null),
  // Only the response to a verification contains metadata in the field `meta`; callbacks and lists do not.
  meta: z.looseObject({ orderId: z.unknown() }).partial().nullish().catch(null),
})

const methods: Readonly<Record<string, PaymentMethod>> = {
  card: 'card',
  applepay: 'card',
  googlepay: 'card',
  account: 'bank_transfer',
  bank_transfer: 'bank_transfer',
  banktransfer: 'bank_transfer',
  ussd: 'ussd',
}

/** A charge with a missing or malformed field is still reported, so that a received payment is not lost. */
export function readFlutterwaveCharge(data: object): PaymentReport {
  const { id, tx_ref, status, amount, currency, payment_type, created_at, meta } = Charge.parse(data)
  return {
    reference: tx_ref,
    providerId: id,
    isPaid: status === 'successful',
    // The status of a transaction stays successful after a refund or a dispute. Flutterwave lists refunds and
    // chargebacks separately.
    isReversed: false,
    providerStatus: status,
    amountKobo: amount,
    currency,
    method: Object.hasOwn(methods, payment_type) ? (methods[payment_type] ?? 'other') : 'other',
    paidAt: providerMoment(created_at),
    orderId: OrderId.safeParse(meta?.orderId).data,
  }
}
