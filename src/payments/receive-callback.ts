import { createHash } from 'node:crypto'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import type { Log } from '../base/log.ts'
import type { Vault } from '../base/vault.ts'
import { type ReceivedCallback, type ReceiveOutcome, storeVerified } from '../callbacks/receive-callback.ts'
import { isSignedByPaystack, readPaystackCallback, subjectOf } from '../partners/payments/paystack-callback.ts'
import { providerCallbacks } from '../store/callbacks/inboxes.ts'
import type { Context } from '../store/core/mutation.ts'
import { openProviderKey, type TestPayments } from './open-key.ts'

type ReceiveContext = Context & {
  readonly vault: Vault
  readonly log: Log
  readonly testPayments?: TestPayments | undefined
}

/** Verifies a callback from Paystack and stores its raw body. */
export async function receivePaystackCallback(
  context: ReceiveContext,
  merchant: string,
  received: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const merchantId = MerchantId.safeParse(merchant).data
  const key = merchantId && (await openProviderKey(context, merchantId))
  const { body, headers } = received
  // For a merchant without a key, the response and the work are the same as for an invalid signature, so that neither
  // shows whether the merchant has a key. A key that cannot be decrypted is treated as missing, and Paystack retries.
  const isSigned = isSignedByPaystack(body, headers['x-paystack-signature'] ?? '', key?.secretKey ?? '')
  if (merchantId === undefined || key === undefined || !isSigned) return { is: 'not_signed' }
  const { kind, callback, paymentReference } = readPaystackCallback(body)
  const content = { kind, subject: subjectOf(callback), paymentReference }
  const hash = createHash('sha256').update(body).digest()
  return storeVerified(context, providerCallbacks, { merchantId, sender: 'paystack', hash, content }, received)
}
