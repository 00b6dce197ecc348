import type { Meters } from '../../base/meters.ts'
import { type TracedWork, traced } from '../../base/trace.ts'
import type { PaymentApi } from './provider.ts'

type Operation = keyof PaymentApi

/** Wraps a payment provider, so that each call is recorded in the metrics and traces with its outcome. */
export function observeProvider(name: string, provider: PaymentApi, meters: Meters): PaymentApi {
  const observe = async <Outcome extends { readonly is: string }>(
    operation: Operation,
    call: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const startedAt = performance.now()
    const outcome = await traced(() => providerSpan(name, operation), call)
    meters.paymentProviderCalled({
      provider: name,
      operation,
      outcome: outcome.is,
      durationMs: performance.now() - startedAt,
    })
    return outcome
  }
  const { findPaymentById, listDisputes } = provider
  return {
    refund: (...args) => observe('refund', () => provider.refund(...args)),
    findRefund: (...args) => observe('findRefund', () => provider.findRefund(...args)),
    searchRefund: (...args) => observe('searchRefund', () => provider.searchRefund(...args)),
    setBankDetails: (...args) => observe('setBankDetails', () => provider.setBankDetails(...args)),
    createCheckout: (...args) => observe('createCheckout', () => provider.createCheckout(...args)),
    findPayment: (...args) => observe('findPayment', () => provider.findPayment(...args)),
    findPaymentById: findPaymentById && ((...args) => observe('findPaymentById', () => findPaymentById(...args))),
    listPayments: (...args) => observe('listPayments', () => provider.listPayments(...args)),
    listReversedPayments: (...args) => observe('listReversedPayments', () => provider.listReversedPayments(...args)),
    listRefunds: (...args) => observe('listRefunds', () => provider.listRefunds(...args)),
    listDisputes: listDisputes && ((...args) => observe('listDisputes', () => listDisputes(...args))),
  }
}

const failures = ['unavailable', 'not_submitted', 'unknown']

function providerSpan(name: string, operation: Operation): TracedWork<{ readonly is: string }> {
  return {
    name: `payment provider ${operation}`,
    kind: 'client',
    attributes: { 'commerce.provider': name, 'commerce.provider_operation': operation },
    endOf: (outcome) => ({
      attributes: { 'commerce.outcome': outcome.is },
      isFailure: failures.includes(outcome.is),
    }),
  }
}
