/**
 * The payment providers that receive payments and pay refunds. Each has an adapter in `src/partners/payments/`. Payments
 * that a merchant receives outside the service have the provider `manual`.
 */
export const paymentProviders = [{ name: 'paystack', displayName: 'Paystack' }] as const

export type PaymentProviderName = (typeof paymentProviders)[number]['name']

export const paymentProviderNames = paymentProviders.map(({ name }) => name)

/** Returns the name of a payment provider in texts for humans. */
export function providerDisplayName(name: PaymentProviderName): string {
  return paymentProviders.find((provider) => provider.name === name)?.displayName ?? name
}
