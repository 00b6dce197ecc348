import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import { type Meters, noMeters } from '../../base/meters.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { flutterwave } from './flutterwave.ts'
import { observeProvider } from './observe-provider.ts'
import { paystack } from './paystack.ts'
import type { PaymentAdapter, PaymentProvider } from './provider.ts'

export const paymentAdapters: readonly PaymentAdapter[] = [paystack, flutterwave]

/** The payment provider whose API the simulator of test mode implements. */
export const simulatedAdapter = paystack

export type PaymentProviders = ReadonlyMap<PaymentProviderName, PaymentProvider>

export interface ProviderSettings {
  /** The base URL of each provider's API. No client is opened for a provider without a URL. */
  readonly urls: Readonly<Partial<Record<PaymentProviderName, string>>>
  readonly adapters?: readonly PaymentAdapter[] | undefined
  readonly meters?: Meters | undefined
}

/** The requests to the payment providers are recorded in the metrics and traces. */
export function openProviders(
  send: SafeFetch['fetch'],
  { urls, adapters = paymentAdapters, meters = noMeters }: ProviderSettings,
): PaymentProviders {
  return new Map(
    adapters.flatMap((adapter) => {
      const { name, open } = adapter
      const url = urls[name]
      return url === undefined ? [] : [[name, { ...adapter, ...observeProvider(name, open(send, url), meters) }]]
    }),
  )
}
