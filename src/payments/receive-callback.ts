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

type ReceiveContext = Context & {
  readonly vault: Vault
  readonly log: Log
  readonly testPayments?: TestPayments | undefined
}

/** Verifies what a provider tells, and keeps it as it came before anything is made of it: a job applies it. */
export async function receivePaystackCallback(
  context: ReceiveContext,
  received: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const { database, clock } = context
  const merchant = MerchantId.safeParse(received.merchantId)
  const secretKey = merchant.success ? (await openProviderKey(context, merchant.data))?.secretKey : undefined
  const { body, signature } = received
  if (!merchant.success || secretKey === undefined) {
    // A key that does not open is no key either: another answer would tell that there is one, and Paystack calls again.
    // The same work as for a merchant with a key, so that the time it takes does not tell which of them it is.
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
  return { is: isNew ? 'kept' : 'kept_before' }
}
