/**
 * The payment providers that receive payments and pay refunds. Each has an adapter in `src/partners/payments/`. Payments
 * that a merchant receives outside the service have the provider `manual`.
 */
export const paymentProviders = [
  { name: 'paystack', displayName: 'Paystack' },
  { name: 'flutterwave', displayName: 'Flutterwave' },
] as const

/** The provider whose API the simulated provider of test mode imitates. No other provider is available in test mode. */
export const testPaymentProvider = 'paystack' satisfies (typeof paymentProviders)[number]['name']

/**
 * The payment providers whose callbacks are not verified with the secret key but with another secret, and the
 * provider's own name of that secret. A merchant who connects one of these providers enters both secrets.
 */
const callbackSecretNames: Readonly<Partial<Record<PaymentProviderName, string>>> = { flutterwave: 'secret hash' }

export type PaymentProviderName = (typeof paymentProviders)[number]['name']

export const paymentProviderNames = paymentProviders.map(({ name }) => name)

/**
 * Returns the name that a provider uses for the secret that verifies its callbacks. Undefined if the secret key of the
 * provider verifies them.
 */
export function callbackSecretNameOf(name: PaymentProviderName): string | undefined {
  return callbackSecretNames[name]
}

export function providerDisplayName(name: string): string {
  return paymentProviders.find((provider) => provider.name === name)?.displayName ?? name
}
