import { createHash } from 'node:crypto'
import { MerchantId } from '../../registry/vocabulary.ts'
import { toTimestamp } from '../clock.ts'
import { newId } from '../ids.ts'
import { isSignedByPaystack, readPaystackCallback, subjectOf } from '../partners/payments/paystack-callback.ts'
import { keepCallback } from '../store/callbacks.ts'
import type { Context } from '../store/mutation.ts'
import { findPaystackKey } from '../store/provider-keys.ts'
import type { Vault } from '../vault.ts'

/** A callback as it arrived: nothing of it is believed yet. */
export interface ReceivedCallback {
  readonly merchantId: string
  readonly body: Buffer
  readonly signature: string
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
}

export type ReceiveOutcome =
  | { readonly is: 'kept' }
  | { readonly is: 'kept_before' }
  /** Not from the provider of this merchant; nor is it told whether there is such a merchant. */
  | { readonly is: 'not_signed' }

/** Verifies what a provider tells, and keeps it as it came before anything is made of it: a job applies it. */
export async function receivePaystackCallback(
  { database, clock, vault }: Context & { readonly vault: Vault },
  received: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const merchant = MerchantId.safeParse(received.merchantId)
  const key = merchant.success ? await findPaystackKey(database, merchant.data) : undefined
  const { body, signature } = received
  if (!merchant.success || key === undefined) {
    // The same work as for a merchant with a key, so that the time it takes does not tell which of them it is.
    isSignedByPaystack(body, signature, '')
    return { is: 'not_signed' }
  }
  const merchantId = merchant.data
  const secretKey = vault.open(key.sealedSecret, { merchantId, purpose: 'paystack_secret_key' })
  if (!isSignedByPaystack(body, signature, secretKey)) return { is: 'not_signed' }
  const { kind, callback, paymentReference } = readPaystackCallback(body)
  const nowMs = clock.nowMs()
  const isNew = await keepCallback(database, {
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
  return { is: isNew ? 'kept' : 'kept_before' }
}
