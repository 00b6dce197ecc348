import { paystack } from '../../../src/partners/payments/paystack.ts'
import type { PaymentApi } from '../../../src/partners/payments/provider.ts'
import type { PaymentProviders } from '../../../src/partners/payments/providers.ts'

export function providersWith(api: PaymentApi): PaymentProviders {
  return new Map([[paystack.name, { ...paystack, ...api }]])
}
