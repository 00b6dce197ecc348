import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import { nairaText } from '../../base/naira.ts'

/**
 * The payment method of an order, and its uncollected amount in kobo: the part of the amount due that no rider will
 * collect on delivery.
 */
interface Uncollected {
  readonly paymentMethod: PaymentMethod
  readonly dueKobo: number
}

export function isUnpaidBeforeDispatch({ paymentMethod, dueKobo }: Uncollected): boolean {
  return dueKobo > 0 && paymentMethod !== 'pay_on_delivery'
}

/** Returns a warning such as `₦32,500.00 is unpaid. The payment method is bank transfer, not payment on delivery.` */
export function unpaidText({ paymentMethod, dueKobo }: Uncollected): string {
  return `${nairaText(dueKobo)} is unpaid. The payment method is ${paymentMethod.replaceAll('_', ' ')}, not payment on delivery.`
}
