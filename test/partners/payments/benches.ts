import { openFlutterwaveBench } from './flutterwave-bench.ts'
import { openPaystackBench } from './paystack-bench.ts'
import type { ProviderBench } from './provider-bench.ts'

/** The payment providers that the shared suite tests, each with its adapter and its fake server. */
export const providerBenches: readonly (readonly [name: string, open: () => Promise<ProviderBench>])[] = [
  ['Paystack', openPaystackBench],
  ['Flutterwave', openFlutterwaveBench],
]
