import { createHash } from 'node:crypto'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Vault } from '../base/vault.ts'
import { isSignedByPaystack, readPaystackCallback, subjectOf } from '../partners/payments/paystack-callback.ts'
import type { Context } from '../store/core/mutation.ts'
import { storeCallback } from '../store/payments/callbacks.ts'
import { openProviderKey, type TestPayments } from './open-key.ts'

/** A callback as it was received, before its signature is verified. */
export interface ReceivedCallback {
  readonly merchantId: string
  readonly body: Buffer
  readonly signature: string
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
}

export type ReceiveOutcome =
  | { readonly is: 'stored' }
  | { readonly is: 'already_stored' }
  /**
   * Not signed by this merchant's provider. An unknown merchant gets the same response, so that merchants cannot be
   * enumerated.
   */
  | { readonly is: 'not_signed' }

type ReceiveContext = Context & {
  readonly vault: Vault
  readonly log: Log
  readonly testPayments?: TestPayments | undefined
}

/** Verifies a callback from Paystack and stores its raw body; a job applies it. */
export async function receivePaystackCallback(
  context: ReceiveContext,
  received: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const { database, clock } = context
  const merchant = MerchantId.safeParse(received.merchantId)
  const secretKey = merchant.success ? (await openProviderKey(context, merchant.data))?.secretKey : undefined
  const { body, signature } = received
  if (!merchant.success || secretKey === undefined) {
    // For a merchant without a key, the response and the work are the same as for an invalid signature, so that neither
    // shows whether the merchant has a key. A key that cannot be decrypted is treated as missing, and Paystack retries.
    isSignedByPaystack(body, signature, '')
    return { is: 'not_signed' }
  }
  const merchantId = merchant.data
  if (!isSignedByPaystack(body, signature, secretKey)) return { is: 'not_signed' }
  const { kind, callback, paymentReference } = readPaystackCallback(body)
  const nowMs = clock.nowMs()
  const isNew = await storeCallback(database, {
    merchantId,
    id: newId('clb', nowMs),
    body,
    bodyHash: createHash('sha256').update(body).digest(),
    kind,
    subject: subjectOf(callback),
    paymentReference,
    sourceIp: received.sourceIp,
    requestId: received.requestId,
    userAgent: received.userAgent,
    now: toTimestamp(nowMs),
  })
  return { is: isNew ? 'stored' : 'already_stored' }
}
