import { z } from 'zod'
import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { providerMoment } from './moment.ts'
import { PaystackAmount, PaystackId } from './paystack-values.ts'
import type { PaymentReport } from './provider.ts'

/** A charge as Paystack reports it in callbacks, verifications and its list of transactions. */

/** Metadata of a charge is an object or its JSON text; a charge without metadata has 0 or an empty string. */
const Metadata = z.preprocess(parsedText, z.looseObject({})).catch({})

function parsedText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

const Charge = z.object({
  // The format of Paystack's reference is undocumented, but its characters are printable.
  reference: z
    .string()
    .regex(/^[\x20-\x7e]{1,100}$/)
    .nullable()
    .catch(null),
  id: PaystackId.nullable().catch(null),
  status: z.string().catch(''),
  amount: PaystackAmount,
  currency: z.string().optional().catch(undefined),
  channel: z.string().catch(''),
  paid_at: z.string().nullish().catch(null),
  metadata: Metadata.optional(),
})

const methods: Readonly<Record<string, PaymentMethod>> = {
  card: 'card',
  apple_pay: 'card',
  bank: 'bank_transfer',
  bank_transfer: 'bank_transfer',
  // This Paystack channel is a transfer to a virtual account number that is assigned to the customer.
  dedicated_nuban: 'bank_transfer',
  ussd: 'ussd',
}

/** A field that is missing or cannot be parsed never hides the charge, because its money has arrived. */
export function readPaystackCharge(data: object): PaymentReport {
  const { reference, id, status, amount, currency, channel, paid_at, metadata } = Charge.parse(data)
  return {
    reference,
    providerId: id,
    isPaid: status === 'success',
    isReversed: status === 'reversed',
    providerStatus: status,
    amountKobo: amount,
    currency,
    method: methods[channel] ?? 'other',
    paidAt: providerMoment(paid_at),
    orderId: OrderId.safeParse(metadata?.orderId).data,
  }
}
