import { onTestFinished } from 'vitest'
import { openSafeFetch } from '../../../src/outbound/safe-fetch.ts'
import type { PaymentAdapter, PaymentApi } from '../../../src/partners/payments/provider.ts'
import type { Fault } from './faults.ts'
import type { SignedCallback } from './paystack-server.ts'

/**
 * A payment provider with its adapter and its fake server. The interface is the same for all providers, so that one
 * suite tests every provider.
 */
export interface ProviderBench {
  readonly adapter: PaymentAdapter
  readonly secretKey: string
  /** The secret that verifies the provider's callbacks. Undefined if the secret key verifies them. */
  readonly callbackSecret: string | undefined
  readonly client: PaymentApi
  /** All requests that the fake server has received, in order. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[]
  /** Returns the number of requests that submitted a refund. */
  submissions(): number
  /** Adds a payment to the records of the provider, without a callback. */
  receive(payment: BenchPayment): void
  /** Returns the provider's callback about a payment, whether the provider has received the payment or not. */
  chargeCallback(payment: BenchPayment): SignedCallback
  /** The refunds that the provider has, oldest first. */
  refunds(): readonly { readonly reference: string; readonly note: string; readonly amountKobo: number }[]
  moveRefund(reference: string, status: 'processing' | 'succeeded' | 'failed'): void
  /** Returns the provider's callback about the current state of a refund. */
  refundCallback(reference: string): SignedCallback
  /** Makes a refund in the provider's dashboard, which succeeds at once. */
  refundByHand(payment: BenchPayment, amountKobo: number): void
  /** Opens, wins or loses the dispute of a payment. Returns the provider's callback. */
  dispute(payment: BenchPayment, status: 'open' | 'won' | 'lost'): SignedCallback
  failRefund(note: string, ...faults: readonly Fault[]): void
  failReads(...faults: readonly Fault[]): void
  failCheckouts(...faults: readonly Fault[]): void
  /** Runs after the fake server has read a request, and before it responds. */
  onRequest(run: (line: string) => Promise<void> | void): void
  /** Returns the callback as forged by a sender without the merchant's secrets. */
  forge(callback: SignedCallback): SignedCallback
}

export interface BenchPayment {
  readonly reference: string
  readonly amountKobo: number
  readonly orderId?: string
  readonly currency?: string
  /** Whether the payer has paid. By default, true. */
  readonly isPaid?: boolean
  readonly paidAt?: string
}

interface Reachable {
  readonly url: string
  reach(send: Parameters<PaymentAdapter['open']>[0]): Parameters<PaymentAdapter['open']>[0]
}

export function openClient(adapter: PaymentAdapter, server: Reachable): PaymentApi {
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  return adapter.open(server.reach(outbound.fetch), server.url)
}
